/** Implements `planloom runs list`: prints recorded runs, newest first. */
import type {
  FailureClass,
  RunRecord,
  RunStatus,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { duration } from "../terminal/quantity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { timeFlag } from "./timeFlags.ts"
import { withReadableRuns } from "./withRuns.ts"

export interface ListRunsFlags {
  readonly status: RunStatus | undefined
  readonly workflow: string | undefined
  readonly since: string | undefined
  readonly before: string | undefined
  readonly failedWith: FailureClass | undefined
  readonly session: string | undefined
  readonly limit: number
  readonly json: boolean
}

export const listRuns: Handler<ListRunsFlags> = (flags) =>
  Effect.gen(function* () {
    const { failedWith, json, limit, session, status, workflow } = flags
    if (limit < 1) return yield* usage("--limit must be at least 1")
    const since = yield* timeFlag("--since", flags.since, Date.now())
    const before = yield* timeFlag("--before", flags.before, Date.now())
    const { found, settled } = yield* withReadableRuns((store) =>
      Effect.gen(function* () {
        const listed = yield* store.list({
          limit,
          ...(status === undefined ? {} : { status }),
          ...(workflow === undefined ? {} : { workflow }),
          ...(since === undefined ? {} : { since }),
          ...(before === undefined ? {} : { before }),
          ...(failedWith === undefined ? {} : { failedWith }),
          ...(session === undefined ? {} : { session }),
        })
        return { found: listed, settled: yield* settledQuestions(store, listed) }
      }),
    )
    if (json) {
      const runs = found.map((record) => {
        const question = settled.get(record.run)
        return question === undefined ? record : { ...record, question }
      })
      print(JSON.stringify(runs, null, 2))
    } else if (found.length === 0) say(stderr.style.dim("no runs found"))
    else print(runsText(found, settled))
    return "ok" as ExitName
  })

/** Why a run that waited for an answer can be resumed now. */
type Settled = "answered" | "expired"

const isSuspended = ({ finishedAt, status }: RunRecord): boolean =>
  (status === "suspended" || status === "clarification") && finishedAt === undefined

/** The suspended runs without an open question, by their id. */
const settledQuestions = (
  store: RunStore,
  found: ReadonlyArray<RunRecord>,
): Effect.Effect<ReadonlyMap<string, Settled>, StoreFailed> =>
  Effect.gen(function* () {
    const settled = new Map<string, Settled>()
    const suspended = found.filter(isSuspended)
    if (suspended.length === 0) return settled
    const open = new Set((yield* store.waits()).map(({ run }) => run))
    for (const { run } of suspended) {
      if (open.has(run)) continue
      const { waits } = yield* store.read(run)
      const isExpired = waits.some(({ answer }) => answer === undefined)
      settled.set(run, isExpired ? "expired" : "answered")
    }
    return settled
  })

const runsText = (
  found: ReadonlyArray<RunRecord>,
  settled: ReadonlyMap<string, Settled>,
): string => {
  const { style } = stdout
  return table(
    [
      { head: "run", align: "left", paint: style.name },
      { head: "workflow", align: "left" },
      { head: "state", align: "left" },
      { head: "started", align: "left" },
      { head: "took", align: "right" },
    ],
    found.map((record) => [
      stdout.live ? shortId(record.run) : oneLine(record.run),
      oneLine(record.workflow),
      settled.has(record.run) ? `${settled.get(record.run)}, resumable` : stateOf(record),
      timeText(record.startedAt),
      record.finishedAt === undefined ? "" : duration(record.finishedAt - record.startedAt),
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}

/** Shortens a random id to its first eight characters; a chosen id stays whole. */
export const shortId = (run: string): string =>
  /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(run) ? run.slice(0, 8) : oneLine(run)

/** Describes a run's state; a running run without an owner was killed. */
export const stateOf = (record: RunRecord): string => {
  const { active, failedWith, status } = record
  if (status === "running" && !active) return "killed, resumable"
  if (isSuspended(record)) return "waits for an answer"
  return failedWith === undefined || status !== "failed" ? status : `failed: ${failedWith}`
}

/** Formats `2026-03-01 14:05:09` in local time. */
export const timeText = (at: number): string => {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 19).replace("T", " ")
}
