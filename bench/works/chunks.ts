/** The CPU time of a run, in chunks: the least of them is what the run takes without disturbance. */
import type { Once } from "./Work.ts"

const WARM_UP_MS = 1500
const CHUNK_MS = 50
/** Between two readings of the clock: under some kernels one costs as much as ten runs. */
const READING_MS = 16

/** CPU µs per run of each chunk, after a warm-up. CPU time, so that other processes only take wall time. */
export const chunksOf = async (once: Once, chunks: number): Promise<ReadonlyArray<number>> => {
  let runsAtOnce = 10
  const timed = async (ms: number): Promise<number> => {
    const before = process.cpuUsage()
    for (let count = runsAtOnce; ; count += runsAtOnce) {
      for (let index = 0; index < runsAtOnce; index++) await once()
      const { system, user } = process.cpuUsage(before)
      if (system + user >= ms * 1000) return (system + user) / count
    }
  }
  for (let third = 0; third < 3; third++) {
    const took = await timed(WARM_UP_MS / 3)
    runsAtOnce = Math.max(1, Math.round((READING_MS * 1000) / took))
  }
  const figures: Array<number> = []
  for (let chunk = 0; chunk < chunks; chunk++) figures.push(await timed(CHUNK_MS))
  return figures
}
