/** Implements `planloom mcp call`: calls a tool of a server and prints its value as JSON. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Answer, JsonObject, ToolInvocation } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem, Refused, usage } from "../Refused.ts"
import { doing } from "../terminal/activity.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { named, withServers } from "./withServers.ts"

export interface CallFlags {
  readonly tool: string
  readonly params: string | undefined
  readonly from: string | undefined
}

export const callServerTool: Handler<CallFlags> = ({ from, params: given, tool }) =>
  Effect.gen(function* () {
    const dot = tool.indexOf(".")
    if (dot < 1) return yield* usage(`"${tool}" is not the name of a tool such as files.read_file`)
    const params = yield* paramsOf(given)
    return yield* withServers(from, (servers) =>
      Effect.gen(function* () {
        const [one, ...more] = yield* named(servers, [tool.slice(0, dot)])
        if (more.length > 0) {
          return yield* problem(
            `several servers have the prefix ${tool.slice(0, dot)}`,
            "name the workflow or the file of servers with --from",
          )
        }
        const { root, source, tools } = one!
        // A tool that the list does not have may be new.
        doing(`asking ${tools.server.name}`)
        yield* Effect.promise(() => tools.current().catch(() => undefined))
        return yield* Effect.scoped(
          Effect.gen(function* () {
            const workspace = yield* workspaceOf
            const result = yield* Effect.mapError(
              source.call(invocation({ tool, params, root, workspace })),
              ({ message }) => new Refused({ exit: "failed", message }),
            )
            print(JSON.stringify(result.value, null, 2))
            return "ok" as ExitName
          }),
        )
      }),
    )
  })

const paramsOf = (given = "{}"): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const text = given.startsWith("@")
      ? yield* Effect.tryPromise({
          try: () => readFile(given.slice(1), "utf8"),
          catch: (error) =>
            problem(`${given.slice(1)} cannot be read: ${(error as Error).message}`),
        })
      : given
    const value = yield* Effect.try({
      try: () => JSON.parse(text) as unknown,
      catch: (error) => usage(`--params is not JSON: ${(error as Error).message}`),
    })
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : yield* usage("--params is not a JSON object")
  })

/** A folder for files of the result, which stays if there are any. */
const workspaceOf = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-call-"))),
  (folder) =>
    Effect.promise(async () => {
      if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true })
      else say(`files of the result: ${folder}`)
    }),
)

/** As the engine makes it, without a run: no model is there, and what the server asks is declined. */
const invocation = (given: {
  readonly tool: string
  readonly params: JsonObject
  readonly root: string
  readonly workspace: string
}): ToolInvocation =>
  ({
    ...given,
    inputs: {},
    key: `call/${given.tool}`,
    user: {},
    roots: [given.root],
    variant: () => undefined,
    askNow: ({ default: value }: { readonly default?: Answer["value"] }) =>
      Effect.succeed({ value: value ?? null, by: "declined", at: 0 }),
    progress: (message: string) => Effect.sync(() => say(stderr.style.dim(oneLine(message)))),
    note: (_name: string, _data: unknown, text?: string) =>
      Effect.sync(() => say(stderr.style.dim(oneLine(text ?? "")))),
  }) as unknown as ToolInvocation
