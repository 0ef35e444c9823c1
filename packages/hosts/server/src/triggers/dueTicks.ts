/** The times at which a schedule has to start runs. */
import * as Cron from "effect/Cron"

/** The times of a schedule. */
export interface Times {
  readonly cron: string
  readonly zone: string
  readonly missed: "once" | "skip" | "all"
}

/** A time this long ago or less was not missed: the process may have been busy. */
const GRACE_MS = 60_000

/** Times of which each gets its run in one pass; the next pass starts with the rest. */
const MAX_TICKS = 100

const cronOf = ({ cron, zone }: Times): Cron.Cron => Cron.parseUnsafe(cron, zone)

/** Epoch milliseconds. */
export const nextTick = (schedule: Times, after: number): number =>
  Cron.next(cronOf(schedule), new Date(after)).getTime()

/** The due times after `last`, oldest first, without those that the schedule skips; epoch milliseconds. */
export const dueTicks = (schedule: Times, last: number, now: number): ReadonlyArray<number> => {
  const { missed } = schedule
  const cron = cronOf(schedule)
  const ticks: Array<number> = []
  const from = missed === "skip" ? Math.max(last, now - GRACE_MS - 1) : last
  if (missed === "once") {
    const latest = latestTick(cron, now)
    return latest > last ? [latest] : []
  }
  for (let at = from; ticks.length < MAX_TICKS;) {
    at = Cron.next(cron, new Date(at)).getTime()
    if (at > now) break
    ticks.push(at)
  }
  return ticks
}

/** The last time until now. */
const latestTick = (cron: Cron.Cron, now: number): number =>
  Cron.match(cron, new Date(now)) ? now - (now % 1000) : Cron.prev(cron, new Date(now)).getTime()
