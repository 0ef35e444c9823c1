/** The HTTP API of Planloom as functions, which give their caller what the API gives it, and nothing else. */
import type { Json, JsonObject, JsonSchema, RunEvent, Wait } from "@planloom/plugin/effect"
import { EventMessages } from "./EventMessages.ts"

/** Replies to a request as the HTTP API does to one caller. Never rejects. */
export type ApiHandler = (request: Request) => Promise<Response>

/** A workflow whose runs the caller may start. */
export interface ServedWorkflow {
  readonly name: string
  readonly description?: string
  readonly inputs: JsonSchema
  readonly outputs: JsonSchema
  /** Whether its runs may be turns of a conversation. */
  readonly session?: boolean
}

export interface ShownRun {
  readonly run: string
  readonly workflow: string
  readonly status: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly finishedAt?: number
  /** Null for a run that has no events yet. */
  readonly result: RunResult | null
  /** Open questions. */
  readonly waits: ReadonlyArray<Wait>
}

/** The members of a run's result that this package reads. */
export interface RunResult {
  readonly status: string
  readonly outputs: JsonObject
  readonly failure?: { readonly class: string; readonly message: string }
  readonly notes: ReadonlyArray<{ readonly text: string }>
  readonly degraded: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  readonly stages: { readonly [path: string]: { readonly outcome: string; readonly ms?: number } }
}

/** A rejection by the API: a problem of RFC 9457. */
export class ApiProblem extends Error {
  readonly code: string
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
  /** Seconds until the same request may be accepted. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: JsonObject) {
    super(typeof body["detail"] === "string" ? body["detail"] : `status ${response.status}`)
    this.code = String(body["type"] ?? "").replace(/^urn:planloom:problem:/, "")
    this.issues = (body["issues"] ?? []) as unknown as ApiProblem["issues"]
    const seconds = response.headers.get("retry-after")
    this.retryAfter = seconds === null ? undefined : Number(seconds)
  }
}

/** Only the path counts: requests do not leave the process. */
const ORIGIN = "http://localhost"

export class Api {
  private readonly handle: ApiHandler

  constructor(handle: ApiHandler) {
    this.handle = handle
  }

  workflows(): Promise<ReadonlyArray<ServedWorkflow>> {
    return this.read("/workflows")
  }

  runs(limit: number): Promise<ReadonlyArray<Omit<ShownRun, "result" | "waits">>> {
    return this.read(`/runs?limit=${limit}`)
  }

  run(run: string): Promise<ShownRun> {
    return this.read(`/runs/${encodeURIComponent(run)}`)
  }

  /** Starts a run of this id; gives its events from the first to the last. */
  async start(
    workflow: string,
    run: string,
    body: { readonly inputs: JsonObject; readonly session?: Json },
  ): Promise<RunEvents> {
    const path = `/workflows/${encodeURIComponent(workflow)}/runs`
    const headers = { accept: "text/event-stream", "idempotency-key": run }
    return new RunEvents(await this.send("POST", path, body, headers))
  }

  /** The events of a run, from the first to the last. */
  async follow(run: string): Promise<RunEvents> {
    const path = `/runs/${encodeURIComponent(run)}/events`
    return new RunEvents(await this.send("GET", path, undefined, { accept: "text/event-stream" }))
  }

  async answer(run: string, question: string, value: Json): Promise<void> {
    const name = question.split("/").map(encodeURIComponent).join("/")
    await this.send("POST", `/runs/${encodeURIComponent(run)}/answers/${name}`, { value })
  }

  /** Interrupts what the run does. */
  async cancel(run: string, reason: string): Promise<void> {
    await this.send("POST", `/runs/${encodeURIComponent(run)}/cancel`, { mode: "now", reason })
  }

  private async read<A>(path: string): Promise<A> {
    return (await (await this.send("GET", path)).json()) as A
  }

  /** Throws an `ApiProblem` for a request that is rejected. */
  private async send(
    method: string,
    path: string,
    body?: object,
    headers: { readonly [name: string]: string } = {},
  ): Promise<Response> {
    const response = await this.handle(
      new Request(ORIGIN + path, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    if (response.ok) return response
    throw new ApiProblem(response, (await response.json()) as JsonObject)
  }
}

/** Events of a run as they happen. */
export class RunEvents {
  private readonly messages: EventMessages

  constructor({ body }: Response) {
    this.messages = new EventMessages(body!)
  }

  /** Undefined after the last event of the run, and after `cancel`. */
  async next(): Promise<RunEvent | undefined> {
    for (;;) {
      const message = await this.messages.next()
      if (message === undefined || message.event === "end") return undefined
      if (message.event === "message") return JSON.parse(message.data) as RunEvent
    }
  }

  cancel(): void {
    this.messages.cancel()
  }
}
