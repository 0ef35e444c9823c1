/** How long `check` takes for 1,000 lines, beside only reading the YAML. Run: node bench/check.ts */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { checkText } from "../packages/core/test/checkText.ts"

/** The same library that core reads with. */
const { parse } = createRequire(new URL("../packages/core/package.json", import.meta.url))(
  "yaml",
) as { readonly parse: (text: string) => unknown }

const lines = (text: string): number => text.split("\n").length

/** A workflow of about a thousand lines: the stages of a real one, again and again under other names. */
const thousandLines = (): string => {
  const path = new URL("../packages/core/test/golden/ok/plan_and_execute.yaml", import.meta.url)
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

const median = (work: () => void): number => {
  const times = Array.from({ length: 21 }, () => {
    const before = process.cpuUsage()
    work()
    const { system, user } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return times.toSorted((a, b) => a - b)[10]!
}

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
