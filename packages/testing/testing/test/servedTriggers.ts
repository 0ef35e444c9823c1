/** Workflows that are served for their triggers, in virtual time, without a worker that executes their runs. */
import { createHmac } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { RunStore } from "@planloom/plugin/effect"
import type { Worker } from "@planloom/record/worker"
import { handler, runSchedules, type ServedWorkflow } from "@planloom/server"
import { openStore } from "@planloom/store-sqlite"

/** Records runs without executing them. */
const idle: Worker = {
  atWork: 0,
  stopping: false,
  wake: () => undefined,
  give: () => undefined,
  start: () => Effect.succeed(false),
  cancel: (record) => Effect.succeed(record),
}

export interface Served {
  readonly store: RunStore
  readonly workflows: ReadonlyMap<string, ServedWorkflow>
  readonly worker: Worker
}

export const HOOK_KEY = "a key of the test, of 24 bytes or more"

export const serve = (
  pipeline: ServedWorkflow["pipeline"],
  file: string,
  webhookSecrets: ReadonlyArray<string> = [HOOK_KEY],
) =>
  Effect.map(openStore(file), (store): Served => {
    const workflow = { pipeline, secrets: [], definition: {}, webhookSecrets }
    return { store, workflows: new Map([[pipeline.name, workflow]]), worker: idle }
  })

/** Serves while time passes. */
export const during = (
  served: Served,
  span: Parameters<typeof TestClock.adjust>[0],
  processes = 1,
) =>
  Effect.gen(function* () {
    const fibers = []
    for (let n = 0; n < processes; n++) {
      fibers.push(yield* Effect.forkChild(runSchedules(served)))
    }
    yield* TestClock.adjust(span)
    for (const fiber of fibers) yield* Fiber.interrupt(fiber)
  })

/** Of all runs, the oldest first. */
export const inputsIn = ({ store }: Served) =>
  Effect.map(store.list(), (runs) => runs.map(({ inputs }) => inputs).toReversed())

export const sign = (id: string, timestamp: number, body: string, key = HOOK_KEY): string =>
  `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`

export interface Message {
  readonly body?: string
  readonly id?: string
  /** Bytes that the server accepts. */
  readonly maxBody?: number
  readonly signature?: string
  /** Epoch seconds. */
  readonly time?: number
}

/** Sends a message to a server that has a token. */
export const send = (
  served: Served,
  { body = '{"order": 7}', id = "msg_1", maxBody = 100, signature, time }: Message = {},
) =>
  Effect.promise(async () => {
    const timestamp = time ?? Math.floor(Date.now() / 1000)
    const handle = handler({ ...served, token: "a long token of the test", maxBody })
    const [name] = served.workflows.keys()
    const response = await handle(
      new Request(`http://localhost/hooks/${name}`, {
        method: "POST",
        headers: {
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signature ?? `v1,AAAA ${sign(id, timestamp, body)}`,
        },
        body,
      }),
    )
    return { status: response.status, body: (await response.json()) as { readonly run?: string } }
  })
