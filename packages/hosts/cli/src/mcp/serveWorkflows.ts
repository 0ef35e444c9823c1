/** Implements `planloom mcp serve`: serves the workflows of the project to one client over standard input and output. */
import { Writable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Handler } from "../deferred.ts"
import { version } from "../version.ts"
import { problem, type Refused } from "../Refused.ts"
import { onDefect, openServing, type ServingFlags } from "../serve/openServing.ts"
import { standardOutput } from "../terminal/Output.ts"
import { say, stderr } from "../terminal/Screen.ts"

/** Time for a client to read its last messages. */
const LAST_MESSAGES_MS = 500

export type McpServeFlags = Pick<
  ServingFlags,
  "concurrency" | "drain" | "env" | "flag" | "log" | "logJson" | "paths" | "set"
> & { readonly project: string | undefined }

/** Ends with the client: when the input ends or the output takes no more. */
export const serveWorkflows: Handler<McpServeFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* enter(flags.project)
      const output = yield* Effect.acquireRelease(Effect.sync(claimOutput), ({ release }) =>
        Effect.promise(release),
      )
      const { api, served, working } = yield* openServing(
        { ...flags, attempts: 5, every: "1s", maxWaiting: 20_000, watchdog: undefined },
        // The environment of this process is that of the client: other runs may need another one.
        { accepts: ({ workflow }, { workflows }) => workflows.has(workflow) },
      )
      const { replyTo } = yield* Effect.promise(() => import("@planloom/server"))
      const { serveStdio } = yield* Effect.promise(() => import("@planloom/mcp-server"))
      const stopping = new AbortController()
      const connection = yield* Effect.acquireRelease(
        Effect.sync(() =>
          serveStdio(replyTo(api, { actor: "mcp" }), {
            version: version(),
            stopping: stopping.signal,
            input: process.stdin,
            output: output.stream,
            onDefect,
            onError: (error) => say(stderr.style.warn(error.message)),
          }),
        ),
        ({ close, settled }) =>
          Effect.promise(async () => {
            stopping.abort()
            await settled()
            await close()
          }),
      )
      // Before the connection: what ends within the time to drain is answered.
      yield* Effect.addFinalizer((exit) => Scope.close(working, exit))
      say(stderr.style.dim(`workflows: ${[...served.workflows.keys()].join(", ") || "none"}`))
      yield* Effect.promise(() => connection.ended)
      return "ok" as const
    }),
  )

const enter = (folder: string | undefined): Effect.Effect<void, Refused> =>
  folder === undefined
    ? Effect.void
    : Effect.try({
        try: () => process.chdir(folder),
        catch: () => problem(`${folder} is not a folder that can be entered`),
      })

/** Standard output for the protocol alone: what else is written to it, such as by a plugin, goes to standard error. */
const claimOutput = () => {
  const { stdout } = process
  const own = stdout.write
  const write = own.bind(stdout) as (
    chunk: Uint8Array,
    done: (error?: Error | null) => void,
  ) => boolean
  stdout.write = process.stderr.write.bind(process.stderr) as typeof stdout.write
  const stream = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      write(chunk, done)
    },
  })
  // Reported by the output of the command.
  stream.on("error", () => undefined)
  // Each message that waits has listeners of its own.
  stream.setMaxListeners(0)
  const release = async () => {
    const isRead = await Promise.race([
      new Promise<true>((resolve) => stream.end(() => resolve(true))),
      setTimeout(LAST_MESSAGES_MS, false, { ref: false }),
    ])
    stdout.write = own
    if (!isRead) standardOutput.abandon()
  }
  return { stream, release }
}
