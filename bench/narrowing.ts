/**
 * Tool narrowing beside other embedded search libraries: how much of what a request needs is among the
 * first tools found, and how long one search takes.
 *
 *   node bench/narrowing.ts <folder> [set …]
 *
 * The folder holds `<set>.tools.jsonl` (`{id, name, description, group, params: [{name, description}]}`) and
 * `<set>.queries.jsonl` (`{id, query, relevant: [tool id]}`).
 */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { parseArgs } from "node:util"
import type { IndexDocument } from "@planloom/plugin"
import { contenders } from "./narrowing/contenders.ts"
import { Score } from "./narrowing/Score.ts"

interface Tool {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly group?: string
  readonly params: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}

interface Query {
  readonly query: string
  readonly relevant: ReadonlyArray<string>
}

const { positionals } = parseArgs({ allowPositionals: true })
const [folder, ...chosen] = positionals
if (folder === undefined) throw new Error("usage: node bench/narrowing.ts <folder> [set …]")

const read = <A>(file: string): ReadonlyArray<A> =>
  readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as A)

const documentOf = (tool: Tool): IndexDocument => ({
  id: tool.id,
  fields: {
    name: tool.name,
    group: tool.group ?? "",
    summary: tool.description,
    params: tool.params.map(({ name }) => name).join(" "),
    param_texts: tool.params.map(({ description }) => description ?? "").join(" "),
  },
})

const sets = readdirSync(folder)
  .filter((file) => file.endsWith(".tools.jsonl"))
  .map((file) => file.slice(0, -".tools.jsonl".length))
  .filter((set) => chosen.length === 0 || chosen.includes(set))

const cell = (value: number) => value.toFixed(1).padStart(7)

console.log(`${"".padEnd(40)}    R@5   R@12   C@12 nDCG10 p50 ms p95 ms  build`)
for (const contender of contenders) {
  const means: Array<number> = []
  for (const set of sets) {
    const documents = read<Tool>(`${set}.tools.jsonl`).map(documentOf)
    const queries = read<Query>(`${set}.queries.jsonl`)
    const started = performance.now()
    const search = contender.build(documents)
    const built = performance.now() - started
    const score = new Score()
    for (const { query, relevant } of queries) {
      const from = performance.now()
      const found = search(query, 12)
      score.add(found, relevant, performance.now() - from)
    }
    const { recall5, recall12, complete12, ndcg10, p50, p95 } = score.summary()
    means.push(recall12)
    const label = `${contender.name.padEnd(20)} ${set} (${documents.length})`.padEnd(40)
    const latency = `${p50.toFixed(2).padStart(7)}${p95.toFixed(2).padStart(7)}`
    const quality = [recall5, recall12, complete12, ndcg10].map(cell).join("")
    console.log(`${label}${quality}${latency}${built.toFixed(0).padStart(7)}`)
  }
  const macro = means.reduce((sum, mean) => sum + mean, 0) / means.length
  console.log(`${`${contender.name.padEnd(20)} mean`.padEnd(40)}${" ".repeat(7)}${cell(macro)}`)
}
