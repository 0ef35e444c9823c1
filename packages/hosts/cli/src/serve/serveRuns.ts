/** Implements `planloom serve`: runs a worker and an HTTP server over the project's runs until it is interrupted. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { ProtocolEndpoint } from "@planloom/server"
import type { Handler } from "../deferred.ts"
import { findKey, hasKeyFile } from "../keys/KeyFile.ts"
import { chosenStore } from "../run/projectRuns.ts"
import { version } from "../version.ts"
import { usage, type Refused } from "../Refused.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { keptMetrics } from "./keptMetrics.ts"
import { listen } from "./listen.ts"
import { onDefect, onProblem, openServing, type ServingFlags } from "./openServing.ts"
import { requestRate } from "./requestRate.ts"
import { servedErasure } from "./servedErasure.ts"
import { servedReviews } from "./servedReviews.ts"
import { triggerLines } from "./triggerLines.ts"
import { watchWorkflows } from "./watchWorkflows.ts"

export interface ServeFlags extends ServingFlags {
  readonly port: number
  readonly host: string
  readonly watch: boolean
  readonly metrics: boolean
  /** Requests per minute and client. */
  readonly rate: number | undefined
}

/** Shorter tokens could be guessed. */
const MIN_TOKEN_CHARS = 16

export const serveRuns: Handler<ServeFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { host, port: wanted } = flags
      if (wanted < 0 || wanted > 65_535) return yield* usage("--port must be from 0 to 65535")
      const isPublic = !isLoopback(host)
      const rate = yield* requestRate({ flag: flags.rate, folder: "", isPublic })
      const token = yield* tokenFor(host)
      const metrics = yield* keptMetrics({ flag: flags.metrics, folder: "" })
      const { api, served, worker, working } = yield* openServing(flags, { metrics })
      const { workflows } = served
      const reviews = servedReviews(api.store)
      const { root } = yield* chosenStore("")
      const stopping = new AbortController()
      const { handler, runSchedules } = yield* Effect.promise(() => import("@planloom/server"))
      yield* Effect.forkScoped(runSchedules({ store: api.store, workflows, worker, onProblem }))
      const port = yield* listen({
        host,
        port: wanted,
        handle: handler({
          ...api,
          ...(token === undefined ? {} : { token }),
          ...(reviews === undefined ? {} : { reviews }),
          eraseUser: servedErasure(api.store, root),
          mcp: mcpEndpoint(stopping.signal, onDefect),
          keys: { find: findKey, isRequired: () => isPublic || hasKeyFile() },
          ...(rate === undefined ? {} : { requestsPerMinute: rate }),
          ...(isPublic ? {} : { hosts: [host, "localhost", "127.0.0.1", "[::1]"] }),
        }),
      })
      // Calls that wait for a run are answered once the runs have been left.
      yield* Effect.addFinalizer(() => Effect.sync(() => stopping.abort()))
      // While the runs end, the port stays open: /health replies 503.
      yield* Effect.addFinalizer((exit) => Scope.close(working, exit))
      print(`http://${host.includes(":") ? `[${host}]` : host}:${port}`)
      say(stderr.style.dim(`workflows: ${[...workflows.keys()].join(", ") || "none"}`))
      say(stderr.style.dim(`at most ${flags.concurrency} runs at once (--concurrency)`))
      for (const line of triggerLines(workflows, Date.now())) say(line)
      return yield* flags.watch ? watchWorkflows(served) : Effect.never
    }),
  )

/** Loaded with the first request. */
const mcpEndpoint = (stopping: AbortSignal, report: (error: unknown) => void): ProtocolEndpoint => {
  let endpoint: Promise<ProtocolEndpoint> | undefined
  const load = async () => {
    const { httpEndpoint } = await import("@planloom/mcp-server")
    return httpEndpoint({ version: version(), stopping, onDefect: report })
  }
  return async (request, caller) => (await (endpoint ??= load()))(request, caller)
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host)

const tokenFor = (host: string): Effect.Effect<string | undefined, Refused> => {
  const token = process.env["PLANLOOM_TOKEN"]
  if (token === undefined || token === "") {
    return isLoopback(host) || hasKeyFile()
      ? Effect.undefined
      : Effect.fail(
          usage(
            `other machines can reach ${host}: the server needs a token or an API key`,
            "planloom keys create <name>, or set PLANLOOM_TOKEN to a long random text; clients send it as a bearer token",
          ),
        )
  }
  return token.length < MIN_TOKEN_CHARS || /\s/.test(token)
    ? Effect.fail(
        usage(`PLANLOOM_TOKEN must have at least ${MIN_TOKEN_CHARS} characters, without spaces`),
      )
    : Effect.succeed(token)
}
