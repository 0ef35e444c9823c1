/** Implements `planloom serve`: runs a worker and an HTTP server over the project's runs until it is interrupted. */
import type { Json } from "@planloom/plugin/effect"
import { formatDuration, parseDuration } from "@planloom/plugin/duration"
import type { WorkflowInvalid } from "@planloom/embed"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Ready } from "@planloom/record/worker"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import { exitCode } from "../ExitCode.ts"
import { findKey, hasKeyFile } from "../keys/KeyFile.ts"
import { openWorkflow } from "../project/openWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { openRuns } from "../run/projectRuns.ts"
import { onUnrecorded, promptsOf, pruneByPolicy, readDefinition } from "../run/recording.ts"
import { telemetryOf } from "../run/telemetry.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { endedText } from "./endedText.ts"
import { listen } from "./listen.ts"
import { requestRate } from "./requestRate.ts"
import { servedWorkflows } from "./servedWorkflows.ts"
import type { Versions } from "./Versions.ts"
import { oneLine } from "../terminal/text.ts"
import { onStray } from "../strayErrors.ts"
import { triggerLines } from "./triggerLines.ts"
import { watchdogLimit } from "./watchdogLimit.ts"
import { watchWorkflows } from "./watchWorkflows.ts"

export interface ServeFlags extends ReadingFlags {
  readonly paths: ReadonlyArray<string>
  readonly port: number
  readonly host: string
  readonly concurrency: number
  readonly attempts: number
  readonly maxWaiting: number
  readonly every: string
  readonly drain: string
  readonly log: boolean
  readonly watch: boolean
  readonly watchdog: string | undefined
  /** Requests per minute and client. */
  readonly rate: number | undefined
}

/** The shortest time between two polls of the store that `--every` allows: shorter ones would only load the disk. */
const SHORTEST_POLL_MS = 50

/** Interval of pruning by the `keep` policy. */
const PRUNE_INTERVAL_MS = 600_000

/** Shorter tokens could be guessed. */
const MIN_TOKEN_CHARS = 16

export const serveRuns: Handler<ServeFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      // Standard output contains only the address.
      console.log = console.info = console.debug = console.error
      const { host } = flags
      const every = yield* pollInterval(flags)
      const drain = yield* drainTime(flags)
      const isPublic = !isLoopback(host)
      const rate = yield* requestRate({ flag: flags.rate, folder: "", isPublic })
      const token = yield* tokenFor(host)
      const limit = yield* watchdogLimit({ flag: flags.watchdog, folder: "" })
      const { failRunOf, worker } = yield* Effect.promise(() => import("@planloom/record/worker"))
      const { handler, runSchedules, RunParts } = yield* Effect.promise(
        () => import("@planloom/server"),
      )
      const store = yield* Effect.catchTag(openRuns(), "StoreFailed", ({ message }) =>
        Effect.fail(problem(message)),
      )
      const served = yield* servedWorkflows(flags.paths, flags)
      const { keep, versions, workflows } = served
      // Finalizers run in reverse order: the exit code is set after the worker has released its runs.
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          process.exitCode = exitCode("ok")
        }),
      )
      const onProblem = (message: string) => say(stderr.style.warn(message))
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          onStray((error) => {
            if (!failRunOf(error)) onProblem(strayText(error))
          }),
        ),
        (leave) => Effect.sync(leave),
      )
      if (limit !== undefined) {
        const { watchdog } = yield* Effect.promise(() => import("@planloom/record/watchdog"))
        yield* watchdog({ store, limit, exitCode: exitCode("stalled"), onProblem })
      }
      const parts = new RunParts()
      const prompts = yield* promptsOf(store)
      let storeFailure: string | undefined
      const working = yield* Effect.acquireRelease(Scope.make(), Scope.close)
      const attendant = yield* Scope.provide(
        worker(store, {
          every,
          drain,
          concurrency: flags.concurrency,
          attempts: flags.attempts,
          options: ({ run }) => ({
            onUnrecorded,
            onPart: parts.of(run),
            ...(prompts === undefined ? {} : { prompts }),
          }),
          load: (definition) => versionOf(versions, definition),
          onEnd: (ended) => {
            parts.end(ended.run)
            const text = endedText(ended, stderr.style, flags.log)
            if (text !== undefined) say(text)
          },
          onStoreFailure: ({ message }) => {
            // Each poll fails alike until the cause is removed.
            if (message !== storeFailure) say(stderr.style.warn(message))
            storeFailure = message
          },
        }),
        working,
      )
      yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(pruneByPolicy(store, keep), Effect.sleep(PRUNE_INTERVAL_MS))),
      )
      yield* Effect.forkScoped(runSchedules({ store, workflows, worker: attendant, onProblem }))
      const port = yield* listen({
        host,
        port: flags.port,
        handle: handler({
          store,
          workflows,
          worker: attendant,
          parts,
          ...(prompts === undefined ? {} : { prompts }),
          maxWaiting: flags.maxWaiting,
          ...(token === undefined ? {} : { token }),
          keys: { find: findKey, isRequired: () => isPublic || hasKeyFile() },
          ...(rate === undefined ? {} : { requestsPerMinute: rate }),
          ...(isPublic ? {} : { hosts: [host, "localhost", "127.0.0.1", "[::1]"] }),
          onDefect: (error) => say(stderr.style.bad(String(error))),
        }),
      })
      // While the runs end, the port stays open: /health replies 503.
      yield* Effect.addFinalizer((exit) => Scope.close(working, exit))
      print(`http://${host.includes(":") ? `[${host}]` : host}:${port}`)
      say(stderr.style.dim(`workflows: ${[...workflows.keys()].join(", ") || "none"}`))
      for (const line of triggerLines(workflows, Date.now())) say(line)
      return yield* flags.watch ? watchWorkflows(served) : Effect.never
    }),
  )

/** An error that a run left behind after its end, or that belongs to no run. */
const strayText = (error: unknown): string =>
  `an error that nothing waited for: ${oneLine(error instanceof Error ? (error.stack ?? String(error)) : String(error))}`

const pollInterval = ({
  attempts,
  concurrency,
  every,
  maxWaiting,
  port,
}: ServeFlags): Effect.Effect<number, Refused> => {
  const ms = parseDuration(every)
  if (ms === undefined || ms < SHORTEST_POLL_MS) {
    const least = formatDuration(SHORTEST_POLL_MS)
    return Effect.fail(
      usage(`--every takes a duration of at least ${least}, not "${every}"`, "1s, 500ms"),
    )
  }
  if (concurrency < 1) return Effect.fail(usage("--concurrency must be at least 1"))
  if (attempts < 1) return Effect.fail(usage("--attempts must be at least 1"))
  if (maxWaiting < 1) return Effect.fail(usage("--max-waiting must be at least 1"))
  return port < 0 || port > 65_535
    ? Effect.fail(usage("--port must be from 0 to 65535"))
    : Effect.succeed(ms)
}

const drainTime = ({ drain }: ServeFlags): Effect.Effect<number, Refused> => {
  const ms = parseDuration(drain)
  return ms === undefined
    ? Effect.fail(usage(`--drain takes a duration, not "${drain}"`, "25s, 2m"))
    : Effect.succeed(ms)
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

/** Loads the workflow that a run started with from the recorded texts, unless that version is in use. */
const versionOf = (
  versions: Versions,
  definition: Json | undefined,
): Effect.Effect<Ready, Refused | WorkflowInvalid, Scope.Scope> =>
  Effect.gen(function* () {
    const served = yield* versions.use(definition)
    if (served !== undefined) return served
    const known = readDefinition(definition)
    if (known === undefined) return yield* problem("the run was recorded without its workflow")
    const texts = new Map(Object.entries(known.texts))
    const workflow = yield* openWorkflow(known.file, known.flags, texts)
    return {
      pipeline: workflow.pipeline,
      secrets: workflow.secrets,
      ...(yield* telemetryOf(workflow)),
    }
  })
