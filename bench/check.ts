/** How long `check` takes: for 1,000 lines, beside only reading the YAML, and for graphs of many stages. Run: node bench/check.ts */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { checkText } from "../packages/engine/language/test/checkText.ts"

/** The same library that language reads with. */
const { parse } = createRequire(
  new URL("../packages/engine/language/package.json", import.meta.url),
)("yaml") as { readonly parse: (text: string) => unknown }

const lines = (text: string): number => text.split("\n").length

/** A workflow of about a thousand lines: the stages of a real one, again and again under other names. */
const thousandLines = (): string => {
  const path = new URL(
    "../packages/engine/language/test/golden/ok/plan_and_execute.yaml",
    import.meta.url,
  )
  const text = readFileSync(path, "utf8")
  const [before, rest] = text.split("\nstages:\n") as [string, string]
  const [stages, after] = rest.split("\noutputs:\n") as [string, string]
  const ids = [...stages.matchAll(/id: (\w+)/g)].map((match) => match[1]!)
  const copies = [stages]
  for (let copy = 2; lines(before) + copies.length * lines(stages) < 1000; copy++) {
    let next = stages
    for (const id of ids) {
      next = next
        .replaceAll(`id: ${id}\n`, `id: ${id}_${copy}\n`)
        .replaceAll(`stages.${id}.`, `stages.${id}_${copy}.`)
        .replaceAll(`rerun: ${id},`, `rerun: ${id}_${copy},`)
    }
    copies.push(next)
  }
  return `${before}\nstages:\n${copies.join("\n")}\noutputs:\n${after}`
}

/** Stages that each need the `width` before them and read the first of these. */
const graph = (stages: number, width: number): string => {
  const all = Array.from({ length: stages }, (_, at) => {
    const needs = Array.from({ length: Math.min(at, width) }, (_none, back) => `s${at - 1 - back}`)
    const text = at === 0 ? "inputs.text" : `stages.s${at - 1}.output.note`
    return `  - { id: s${at}, uses: extract, needs: [${needs.join(", ")}], with: { text: "\${{ ${text} }}" } }`
  })
  const last = `outputs: { note: { type: string, value: "\${{ stages.s${stages - 1}.output.note }}" } }`
  return `apiVersion: planloom/v1\nkind: Workflow\nname: graph\ninputs: { text: { type: string } }\nstages:\n${all.join("\n")}\n${last}\n`
}

/** CPU milliseconds of each round, the lowest first. */
const cpuOf = (rounds: number, work: () => void): ReadonlyArray<number> => {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    work()
    const { system, user } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return times.toSorted((a, b) => a - b)
}

const median = (work: () => void): number => cpuOf(21, work)[10]!

const text = thousandLines()
const { diagnostics } = checkText("bench.yaml", text)
const per1000 = 1000 / lines(text)
const rows = [
  { work: "yaml.parse", ms: median(() => parse(text)) * per1000 },
  { work: "check", ms: median(() => checkText("bench.yaml", text)) * per1000 },
]
const expressions = text.match(/\$\{\{|until:|that:|if:/g)!.length
process.stdout.write(
  `${lines(text)} lines, ${expressions} expressions, ${diagnostics.length} diagnostics; CPU ms per 1,000 lines, median of 21\n`,
)
for (const { ms, work } of rows) process.stdout.write(`${work.padEnd(20)} ${ms.toFixed(1)}\n`)

process.stdout.write("\nchecking stages with needs; CPU ms, lowest and median of 3\n")
for (const [stages, width] of [
  [500, 1],
  [1_000, 1],
  [2_000, 1],
  [3_000, 1],
  [600, 60],
] as const) {
  const [lowest, middle] = cpuOf(3, () => {
    checkText("graph.yaml", graph(stages, width))
  })
  process.stdout.write(
    `${`${stages} stages × ${width}`.padEnd(20)} ${lowest!.toFixed(0)} ${middle!.toFixed(0)}\n`,
  )
}
