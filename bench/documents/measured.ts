/** The process that measures one contender at one size: `node measured.ts NAME PASSAGES FOLDER`. Prints a line of JSON. */
import { contenders } from "./contenders.ts"

const QUERIES = 200

/** Milliseconds of the clock after which no further query is asked. */
const PATIENCE = 120_000
const UPDATES = 10

const [name, size, folder = ""] = process.argv.slice(2)
const contender = contenders.find((one) => one.name === name)!
// Nothing else keeps the process alive while another one builds a graph.
const alive = setInterval(() => undefined, 1000)
const before = process.cpuUsage()
const { note, search, update } = await contender.build(Number(size), folder)
const { system, user } = process.cpuUsage(before)

/** Milliseconds of CPU, and of the clock, which say how busy the machine is, too; shortest first. */
const timed = async (work: (at: number) => unknown, times: number) => {
  const cpu: Array<number> = []
  const wall: Array<number> = []
  const began = performance.now()
  for (let at = 0; at < times && performance.now() - began < PATIENCE; at++) {
    const start = process.cpuUsage()
    const startedAt = performance.now()
    await work(at)
    wall.push(performance.now() - startedAt)
    const { system: kernel, user: own } = process.cpuUsage(start)
    cpu.push((kernel + own) / 1000)
  }
  const sorted = (took: ReadonlyArray<number>) => took.toSorted((a, b) => a - b)
  return { cpu: sorted(cpu), wall: sorted(wall) }
}

const searches = await timed(search, QUERIES)
const updates = await timed(update, UPDATES)
const share = (sorted: ReadonlyArray<number>, part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
process.stdout.write(
  JSON.stringify({
    build: (system + user) / 1e6,
    p50: share(searches.cpu, 0.5),
    p99: share(searches.cpu, 0.99),
    update: share(updates.cpu, 0.5),
    // The shortest: others wait for the machine.
    updateWall: updates.wall[0],
    rss: process.resourceUsage().maxRSS / 1024,
    note: searches.cpu.length < QUERIES ? `${searches.cpu.length} queries` : note,
  }),
)
clearInterval(alive)
