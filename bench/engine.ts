/**
 * Engine overhead beside plain JavaScript and bare Effect: `node bench/engine.ts [rounds] [work]`.
 * Work is a no-op, so all that is measured is the engine, with a listener of its events. Each turn of a contestant with a
 * work is a process of its own, as a host runs one workflow or few: works that share a process also share what the compiler
 * knows of each function, and their heap. Contestants take turns. CPU µs per run, minima and medians of chunks of CPU time.
 * `work` is how the name of the only work to measure begins.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { titles, whos, works, type Who, type Work } from "./engine/contestants.ts"

const CHUNKS = 12

const rounds = Number(process.argv[2] ?? 3)
const only = process.argv[3] ?? ""

interface Contestant {
  readonly work: Work
  readonly who: Who
  readonly figures: Array<number>
}

const contestants = works
  .filter((work) => titles[work].startsWith(only))
  .flatMap((work) => whos.map((who): Contestant => ({ work, who, figures: [] })))
  // Bare Effect has no policies.
  .filter(({ who, work }) => who !== "effect" || work !== "policies")

for (let round = 0; round < rounds; round++) {
  for (const { figures, who, work } of contestants) {
    const turn = [join(import.meta.dirname, "engine/turn.ts"), who, work, String(CHUNKS)]
    figures.push(...(JSON.parse(execFileSync(process.execPath, turn, { encoding: "utf8" })) as []))
  }
}

const sorted = ({ figures }: Contestant) => figures.toSorted((a, b) => a - b)

console.log(
  `CPU µs per run in ${rounds} processes per work and contestant, ${CHUNKS} chunks of 50 ms CPU each; ratios are of minima\n`,
)
console.log("| work | who | minimum | median | × plain | × effect |\n|---|---|---:|---:|---:|---:|")
for (const one of contestants) {
  const own = sorted(one)
  const times = (who: Who) => {
    const other = contestants.find((each) => each.work === one.work && each.who === who)
    return other === undefined ? "–" : (own[0]! / sorted(other)[0]!).toFixed(1)
  }
  console.log(
    `| ${titles[one.work]} | ${one.who} | ${own[0]!.toFixed(2)} | ${own[own.length >> 1]!.toFixed(2)} | ${times("plain")} | ${times("effect")} |`,
  )
}
