/** A contestant's turn, in a process of its own: `node turn.ts who work chunks` prints the CPU µs per run of each chunk. */
import type { Once, Runs, Who, Work } from "./contestants.ts"

const WARM_UP_MS = 1500
const CHUNK_MS = 50
/** Runs between two readings of the clock. */
const RUNS_AT_ONCE = 100

const [, , who, work, chunks] = process.argv as [string, string, Who, Work, string]
const { runs } = (await import(`./${who}.ts`)) as { readonly runs: Runs }
const once: Once = await runs[work]!()

/** CPU µs per run over at least `ms` of CPU time, so that other processes only take wall time. */
const timed = async (ms: number): Promise<number> => {
  const before = process.cpuUsage()
  for (let count = RUNS_AT_ONCE; ; count += RUNS_AT_ONCE) {
    for (let index = 0; index < RUNS_AT_ONCE; index++) await once()
    const { system, user } = process.cpuUsage(before)
    if (system + user >= ms * 1000) return (system + user) / count
  }
}

await timed(WARM_UP_MS)
const figures: Array<number> = []
for (let chunk = 0; chunk < Number(chunks); chunk++) figures.push(await timed(CHUNK_MS))
console.log(JSON.stringify(figures))
process.exit(0)
