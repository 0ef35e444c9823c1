/** Opens what serves the project's runs, over whatever protocol: its store, its workflows and a worker. */
import type { Json, RunRecord } from "@planloom/plugin/effect"
import { formatDuration, parseDuration } from "@planloom/plugin/duration"
import type { WorkflowInvalid } from "@planloom/embed"
import type { Ready, Worker } from "@planloom/record/worker"
import type { ApiOptions } from "@planloom/server"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { ReadingFlags } from "../commands/options.ts"
import { exitCode } from "../ExitCode.ts"
import { openWorkflow } from "../project/openWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { openRuns } from "../run/projectRuns.ts"
import { keptIn, onUnrecorded, pruneByPolicy, readDefinition } from "../run/recording.ts"
import { telemetryOf } from "../run/telemetry.ts"
import { withTrustOf } from "../trust/TrustChoice.ts"
import { onStray } from "../strayErrors.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { endedLine } from "./endedLine.ts"
import { endedText } from "./endedText.ts"
import type { KeptMetrics } from "./keptMetrics.ts"
import { servedWorkflows, type ServedWorkflows } from "./servedWorkflows.ts"
import { syncServedLibraries } from "./syncServedLibraries.ts"
import type { Versions } from "./Versions.ts"
import { watchdogLimit } from "./watchdogLimit.ts"

export interface ServingFlags extends ReadingFlags {
  readonly paths: ReadonlyArray<string>
  readonly concurrency: number
  readonly attempts: number
  readonly maxWaiting: number
  readonly every: string
  readonly drain: string
  readonly log: boolean
  readonly logJson: boolean
  readonly watchdog: string | undefined
}

export interface Serving {
  readonly served: ServedWorkflows
  readonly worker: Worker
  /** Options of the HTTP API, without its access rules. */
  readonly api: ApiOptions
  /** The worker's; closing it leaves the runs to the next worker. It closes with the scope at the latest. */
  readonly working: Scope.Closeable
}

/** The shortest time between two polls of the store that `--every` allows: shorter ones would only load the disk. */
const SHORTEST_POLL_MS = 50

/** Interval of pruning by the `keep` policy. */
const PRUNE_INTERVAL_MS = 600_000

export interface ServingOptions {
  /** Which runs of the store are resumed; all unless given. */
  readonly accepts?: (record: RunRecord, served: ServedWorkflows) => boolean
  readonly metrics?: KeptMetrics | undefined
}

export const openServing = (
  flags: ServingFlags,
  { accepts, metrics }: ServingOptions = {},
): Effect.Effect<Serving, Refused, Scope.Scope> =>
  Effect.gen(function* () {
    // Standard output contains only the address, or the messages of a protocol.
    console.log = console.info = console.debug = console.error
    const every = yield* pollInterval(flags)
    const drain = yield* drainTime(flags)
    const limit = yield* watchdogLimit({ flag: flags.watchdog, folder: "" })
    const { failRunOf, worker } = yield* Effect.promise(() => import("@planloom/record/worker"))
    const { RunParts } = yield* Effect.promise(() => import("@planloom/server"))
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
    const kept = yield* keptIn(store)
    let storeFailure: string | undefined
    const working = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const attendant = yield* Scope.provide(
      worker(store, {
        every,
        drain,
        concurrency: flags.concurrency,
        attempts: flags.attempts,
        ...(accepts === undefined ? {} : { accepts: (record) => accepts(record, served) }),
        options: ({ run }) => ({
          onUnrecorded,
          onPart: parts.of(run),
          ...kept,
        }),
        load: (definition) => {
          const version = versionOf(versions, definition)
          return metrics === undefined ? version : Effect.map(version, metrics.measured)
        },
        onEnd: (ended) => {
          parts.end(ended.run)
          const text = flags.logJson
            ? endedLine(ended, Date.now())
            : endedText(ended, stderr.style, flags.log)
          if (text !== undefined) say(text)
        },
        onStoreFailure: ({ message }) => {
          // Each poll fails alike until the cause is removed.
          if (message !== storeFailure) onProblem(message)
          storeFailure = message
        },
      }),
      working,
    )
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(pruneByPolicy(store, keep), Effect.sleep(PRUNE_INTERVAL_MS))),
    )
    yield* Effect.forkScoped(syncServedLibraries(served, onProblem))
    return {
      served,
      worker: attendant,
      working,
      api: {
        store,
        workflows,
        worker: attendant,
        parts,
        ...kept,
        maxWaiting: flags.maxWaiting,
        ...(metrics === undefined ? {} : { metrics: metrics.endpoint(store, attendant) }),
        onDefect,
      },
    }
  })

export const onDefect = (error: unknown): void => say(stderr.style.bad(String(error)))

export const onProblem = (message: string): void => say(stderr.style.warn(message))

/** An error that a run left behind after its end, or that belongs to no run. */
const strayText = (error: unknown): string =>
  `an error that nothing waited for: ${oneLine(error instanceof Error ? (error.stack ?? String(error)) : String(error))}`

const pollInterval = ({
  attempts,
  concurrency,
  every,
  maxWaiting,
}: ServingFlags): Effect.Effect<number, Refused> => {
  const ms = parseDuration(every)
  if (ms === undefined || ms < SHORTEST_POLL_MS) {
    const least = formatDuration(SHORTEST_POLL_MS)
    return Effect.fail(
      usage(`--every takes a duration of at least ${least}, not "${every}"`, "1s, 500ms"),
    )
  }
  if (concurrency < 1) return Effect.fail(usage("--concurrency must be at least 1"))
  if (attempts < 1) return Effect.fail(usage("--attempts must be at least 1"))
  return maxWaiting < 1
    ? Effect.fail(usage("--max-waiting must be at least 1"))
    : Effect.succeed(ms)
}

const drainTime = ({ drain }: ServingFlags): Effect.Effect<number, Refused> => {
  const ms = parseDuration(drain)
  return ms === undefined
    ? Effect.fail(usage(`--drain takes a duration, not "${drain}"`, "25s, 2m"))
    : Effect.succeed(ms)
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
    return yield* withTrustOf(known, ({ file, flags, texts }) =>
      Effect.gen(function* () {
        const workflow = yield* openWorkflow(file, flags, new Map(Object.entries(texts)))
        const { pipeline, secrets } = workflow
        return { pipeline, secrets, ...(yield* telemetryOf(workflow)) }
      }),
    )
  })
