/** Decides for how long the event loop of the server may stand still. */
import { formatDuration, parseDuration } from "@planloom/plugin/duration"
import * as Effect from "effect/Effect"
import { usage, type Refused } from "../Refused.ts"

const DEFAULT_LIMIT_MS = 10_000

export interface WatchdogRequest {
  /** `--watchdog`. */
  readonly flag: string | undefined
  /** In the project whose `planloom.yaml` may set `serve.watchdog`. */
  readonly folder: string
}

/** The flag, else `serve.watchdog` of the project, else 10 seconds; undefined if it is off. */
export const watchdogLimit = ({
  flag,
  folder,
}: WatchdogRequest): Effect.Effect<number | undefined, Refused> =>
  Effect.gen(function* () {
    const { readProject, stallTimes } = yield* Effect.promise(() => import("@planloom/language"))
    if (flag === undefined) {
      const project = yield* readProject(folder)
      const limit = project?.serve?.watchdog ?? DEFAULT_LIMIT_MS
      return limit === "off" ? undefined : limit
    }
    if (flag === "off") return undefined
    const ms = parseDuration(flag)
    if (ms !== undefined && ms >= stallTimes.least && ms <= stallTimes.most) return ms
    return yield* usage(
      `--watchdog takes a duration from ${formatDuration(stallTimes.least)} to ${formatDuration(stallTimes.most)}, or off, not "${flag}"`,
      "10s, 1m, off",
    )
  })
