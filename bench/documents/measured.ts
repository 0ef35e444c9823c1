/** The process that measures one contender at one size: `node measured.ts NAME PASSAGES`. Prints a line of JSON. */
import { contenders } from "./contenders.ts"

const QUERIES = 200
const UPDATES = 10

const [name, size] = process.argv.slice(2)
const contender = contenders.find((one) => one.name === name)!
const folder = contender.prepare?.(Number(size)) ?? ""
// Nothing else keeps the process alive while another one builds a graph.
const alive = setInterval(() => undefined, 1000)
const before = process.cpuUsage()
const { note, search, update } = await contender.build(Number(size), folder)
const { system, user } = process.cpuUsage(before)

const timed = async (work: (at: number) => unknown, times: number) => {
  const took: Array<number> = []
  for (let at = 0; at < times; at++) {
    // CPU time: that of the clock says how busy the machine is.
    const start = process.cpuUsage()
    await work(at)
    const { system: kernel, user: own } = process.cpuUsage(start)
    took.push((kernel + own) / 1000)
  }
  return took.toSorted((a, b) => a - b)
}

const searches = await timed(search, QUERIES)
const updates = update === undefined ? [] : await timed(update, UPDATES)
const share = (sorted: ReadonlyArray<number>, part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
process.stdout.write(
  JSON.stringify({
    build: (system + user) / 1e6,
    p50: share(searches, 0.5),
    p99: share(searches, 0.99),
    update: share(updates, 0.5),
    rss: process.resourceUsage().maxRSS / 1024,
    note,
  }),
)
clearInterval(alive)
