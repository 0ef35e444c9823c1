/** Servers of the tests: a source with servers started from `server.ts`, and calls of its tools. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type {
  Answer,
  Declared,
  Host,
  Json,
  JsonObject,
  Question,
  ToolInvocation,
  ToolList,
} from "@planloom/plugin/effect"
import { eachFile } from "../../../../.config/eachFile.ts"
import { McpTools, type McpToolsOptions } from "../src/source.ts"
import type { WrittenServer, WrittenServers } from "../src/servers/Server.ts"

const program = join(import.meta.dirname, "server.ts")

/** Folder of the tests of one file. */
let folder = ""
const sources: Array<McpTools> = []
await eachFile({
  start: () => {
    folder = mkdtempSync(join(tmpdir(), "mcp-"))
  },
  end: async () => {
    await Effect.runPromise(
      Effect.forEach(sources.splice(0), ({ close }) => close, { concurrency: 10 }),
    )
    rmSync(folder, { recursive: true, force: true })
  },
})

export const testFolder = (): string => folder

let witnesses = 0
/** A server that misbehaves in a mode, and what it has seen. */
export const server = (mode: string, more: WrittenServer = {}) => {
  const witness = join(folder, `witness-${++witnesses}`)
  return {
    declared: {
      command: process.execPath,
      args: ["--no-warnings", program, mode, witness],
      ...more,
    } satisfies WrittenServer,
    seen: (): ReadonlyArray<string> => {
      try {
        return readFileSync(witness, "utf8").trim().split("\n")
      } catch {
        return []
      }
    },
  }
}

export const declaring = (servers: WrittenServers, root = folder): Declared => ({
  root,
  roots: [root],
  files: () => [],
  sections: (key) =>
    key === "mcp" ? [{ path: join(root, "planloom.yaml"), value: servers as unknown as Json }] : [],
})

let states = 0
export const newState = (): string => join(folder, `state-${++states}`)

export interface SourceOptions
  extends Pick<McpToolsOptions, "leastRefresh">, Pick<Host, "mayStart" | "mayTrust"> {
  readonly state?: string
  readonly secrets?: { readonly [name: string]: string }
}

export const sourceOf = (
  servers: WrittenServers,
  { secrets = {}, state = newState(), ...options }: SourceOptions = {},
): McpTools => {
  const declared = declaring(servers)
  const source = new McpTools({
    declared: () => declared,
    secret: (name) => secrets[name],
    state,
    ...options,
  })
  sources.push(source)
  return source
}

export const listOf = (source: McpTools): Promise<ToolList> => Effect.runPromise(source.list)

export interface CallOptions {
  readonly answer?: (question: Question) => Json
  readonly signal?: AbortSignal
  readonly workspace?: string
  readonly model?: ToolInvocation["model"]
  readonly roots?: ReadonlyArray<string>
}

export interface Called {
  readonly value?: Json
  readonly failure?: {
    readonly class: string
    readonly message: string
    readonly detail?: Json
    readonly retryAfter?: number
  }
  readonly progress: ReadonlyArray<readonly [message: string, fraction: number | undefined]>
  readonly asked: ReadonlyArray<Question>
  readonly notes: ReadonlyArray<readonly [note: string, data: Json]>
}

let workspaces = 0
/** Calls a tool of a source as the engine does. */
export const call = async (
  source: McpTools,
  tool: string,
  params: JsonObject = {},
  options: CallOptions = {},
): Promise<Called> => {
  const {
    answer,
    model,
    roots = [folder],
    signal,
    workspace = join(folder, `run-${++workspaces}`),
  } = options
  const progress: Array<readonly [string, number | undefined]> = []
  const asked: Array<Question> = []
  const notes: Array<readonly [string, Json]> = []
  const invocation = {
    tool,
    params,
    inputs: {},
    key: "run/tool",
    workspace,
    user: {},
    roots,
    variant: () => undefined,
    model,
    askNow: (question: Question) =>
      Effect.sync((): Answer => {
        asked.push(question)
        return answer === undefined
          ? { value: question.default ?? null, by: "declined", at: 0 }
          : { value: answer(question), by: "person", at: 0 }
      }),
    note: (note: string, data: Json) => Effect.sync(() => void notes.push([note, data])),
    progress: (message: string, fraction?: number) =>
      Effect.sync(() => void progress.push([message, fraction])),
  } as unknown as ToolInvocation
  return Effect.runPromise(
    Effect.match(source.call(invocation), {
      onFailure: ({ class: kind, detail, message, retryAfter }) => ({
        failure: {
          class: kind,
          message,
          ...(detail === undefined ? {} : { detail }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
        progress,
        asked,
        notes,
      }),
      onSuccess: ({ value }) => ({ value, progress, asked, notes }),
    }),
    signal === undefined ? {} : { signal },
  )
}
