/** Workflows behind the HTTP API, as a server has them, and the SDK's own clients of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client"
import { load } from "@planloom/embed"
import { definePlugin, StageFailed, stageKind, type RunStore } from "@planloom/plugin/effect"
import { worker, type Worker } from "@planloom/record/worker"
import { type ApiOptions, replyTo, RunParts, type ServedWorkflow } from "@planloom/server"
import stages from "@planloom/stages"
import { openStore } from "@planloom/store-sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type ApiHandler, serveStdio, type StdioConnection } from "../src/index.ts"
import { PipeTransport } from "./PipeTransport.ts"

const folders: Array<string> = []

export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** Blocks stages until a test releases them. */
export class Gate {
  private readonly opened = Promise.withResolvers<void>()
  private readonly entered = Promise.withResolvers<void>()

  open(): void {
    this.opened.resolve()
  }

  /** Resolves when a stage waits for the gate. */
  get reached(): Promise<void> {
    return this.entered.promise
  }

  readonly pass = Effect.promise(() => {
    this.entered.resolve()
    return this.opened.promise
  })
}

const anyObject = { type: "object", additionalProperties: true } as const

const testPlugin = (gate: Gate) =>
  definePlugin({
    id: "test",
    summary: "Stages of the test.",
    components: {
      stages: [
        stageKind({
          id: "gate",
          summary: "Waits until the test lets it go.",
          input: anyObject,
          output: { type: "string" },
          run: () => Effect.as(gate.pass, "passed"),
        }),
        stageKind({
          id: "break",
          summary: "Fails.",
          input: anyObject,
          output: { type: "string" },
          run: () =>
            Effect.fail(
              new StageFailed({ class: "invalid_request", message: "the desk is closed" }),
            ),
        }),
      ],
    },
  })

export interface World {
  readonly api: ApiHandler
  readonly options: ApiOptions
  readonly store: RunStore
  readonly worker: Worker
  readonly gate: Gate
  readonly close: () => Promise<void>
  /** Stops the worker: runs under way are left. */
  readonly leave: () => Promise<void>
}

/** Bodies of workflows by name, from `inputs:` on; `@planloom/stages` and the stages of the test are in use. */
export const serving = async (
  bodies: { readonly [name: string]: string },
  given: Partial<ApiOptions> = {},
): Promise<World> => {
  const gate = new Gate()
  const folder = mkdtempSync(join(tmpdir(), "planloom-mcp-"))
  folders.push(folder)
  mkdirSync(join(folder, "workflows"))
  const scope = Scope.makeUnsafe()
  const working = Scope.makeUnsafe()
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>, of = scope) =>
    Effect.runPromise(Scope.provide(effect, of))
  const store = await inScope(openStore(join(folder, "runs.db")))
  const workflows = new Map<string, ServedWorkflow>()
  for (const [name, body] of Object.entries(bodies)) {
    const path = join(folder, "workflows", `${name}.yaml`)
    writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\n${body}`)
    const { pipeline, secrets } = await inScope(
      load(path, { extraPlugins: [stages, testPlugin(gate)] }),
    )
    workflows.set(name, { pipeline, secrets, definition: name })
  }
  const parts = new RunParts()
  const running = await inScope(
    worker(store, {
      every: 100,
      drain: 0,
      load: (definition) => Effect.succeed(workflows.get(String(definition))!),
      options: ({ run }) => ({ onPart: parts.of(run) }),
      onEnd: ({ run }) => parts.end(run),
    }),
    working,
  )
  const options = { store, workflows, worker: running, parts, ...given }
  const leave = () => Effect.runPromise(Scope.close(working, Exit.void))
  return {
    api: replyTo(options, { actor: "mcp" }),
    options,
    store,
    worker: running,
    gate,
    leave,
    close: async () => {
      gate.open()
      await leave()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}

export const eras = ["2025-11-25", "2026-07-28"] as const

export type Era = (typeof eras)[number]

const clientOptions = (
  era: Era,
  capabilities: NonNullable<ClientOptions["capabilities"]>,
): ClientOptions => ({
  capabilities,
  ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {}),
})

export interface Connected {
  readonly client: Client
  readonly server: StdioConnection
  /** To the server, as text. */
  readonly input: PassThrough
  /** Stops the server as a signal does. */
  readonly stop: () => void
}

/** A client of the SDK, connected by two pipes. */
export const connect = async (
  api: ApiHandler,
  era: Era,
  capabilities: NonNullable<ClientOptions["capabilities"]> = {},
  prepare: (client: Client) => void = () => undefined,
  onDefect: (error: unknown) => void = () => undefined,
): Promise<Connected> => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const stopping = new AbortController()
  const server = serveStdio(api, {
    version: "1.2.3",
    input,
    output,
    stopping: stopping.signal,
    onDefect,
  })
  const client = new Client({ name: "test", version: "1" }, clientOptions(era, capabilities))
  prepare(client)
  await client.connect(new PipeTransport(output, input))
  return { client, server, input, stop: () => stopping.abort() }
}

/** A client of the SDK, connected over HTTP. */
export const connectHttp = async (
  url: string,
  era: Era,
  { capabilities = {}, headers = {}, prepare }: HttpClientOptions = {},
): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" }, clientOptions(era, capabilities))
  prepare?.(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  return client
}

export interface HttpClientOptions {
  readonly capabilities?: NonNullable<ClientOptions["capabilities"]>
  readonly headers?: { readonly [name: string]: string }
  readonly prepare?: (client: Client) => void
}
