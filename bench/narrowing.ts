/**
 * Tool narrowing beside other embedded search libraries: how much of what a request needs is among the
 * first tools found, how long a search and a build take and what they hold, at three sizes of catalog, and
 * what example requests add.
 *
 *   node bench/narrowing.ts <folder> [set …] [--half seen|unseen]
 *
 * The folder holds `<set>.tools.jsonl` (`{id, name, description, group, params: [{name, description}]}`) and
 * `<set>.queries.jsonl` (`{id, query, relevant: [tool id]}`).
 */
import { parseArgs } from "node:util"
import { contenders } from "./narrowing/contenders.ts"
import { alternate, alternateCombinations, exemplify } from "./narrowing/exemplify.ts"
import { measure } from "./narrowing/measure.ts"
import { resize } from "./narrowing/resize.ts"
import { readSets } from "./narrowing/ToolSet.ts"

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { half: { type: "string" } },
})
const [folder, ...chosen] = positionals
if (folder === undefined)
  throw new Error("usage: node bench/narrowing.ts <folder> [set …] [--half seen|unseen]")

if (flags.half !== undefined && flags.half !== "seen" && flags.half !== "unseen")
  throw new Error("--half is seen or unseen")
const sets = readSets(folder, chosen, flags.half)
if (sets.length === 0) throw new Error(`no set of tools in ${folder}`)

const row = (contender: string, label: string, values: ReadonlyArray<number>, digits = 1) =>
  console.log(
    `${contender.padEnd(20)} ${label.padEnd(24)}${values.map((value) => value.toFixed(digits).padStart(8)).join("")}`,
  )

console.log(
  "Quality                                          R@5    R@12    C@12  nDCG10  p50 ms  p95 ms",
)
for (const contender of contenders) {
  const results = sets.map((set) => {
    const result = measure(contender, set)
    const { recall5, recall12, complete12, ndcg10, p50, p95 } = result
    const label = `${set.name} (${set.documents.length})`
    row(contender.name, label, [recall5, recall12, complete12, ndcg10, p50, p95])
    return result
  })
  const mean = results.reduce((sum, { recall12 }) => sum + recall12, 0) / results.length
  row(contender.name, "mean R@12", [mean])
}

const union = {
  name: "union",
  documents: sets.flatMap(({ documents }) => documents),
  queries: sets.flatMap(({ queries }) => queries).filter((_, at) => at % 6 === 0),
}
const all = union.documents.length
console.log(`
Size: the union of the sets has ${all} tools; fewer are an even sample of it, more are copies under other ids.
A copy counts as its original, so of 12 places at 10,000 tools only three or four hold different tools.
Every sixth query (${union.queries.length}). R@12 and C@12 where every tool a query needs is in the catalog.
                                              p50 ms  p95 ms  build ms heap MB  R@12    C@12`)
for (const size of [100, 1000, all, 10_000])
  for (const contender of contenders) {
    const set = { ...union, documents: resize(union.documents, size) }
    const { p50, p95, built, heap, recall12, complete12 } = measure(contender, set)
    const quality = size < all ? [] : [recall12, complete12]
    row(contender.name, `${size} tools`, [p50, p95, built, heap, ...quality], 2)
  }

const EXAMPLES = 10
console.log(`
Examples: at most ${EXAMPLES} a tool, from half of the queries; the other half is asked, without them and with them.
Tools that no query needs have none. By combination: no combination of tools asked for is among the examples.
                                                R@12    C@12    R@12    C@12`)
for (const set of sets.filter(({ name }) => name.startsWith("metatool")))
  for (const [label, given] of [
    ["every other query", () => alternate],
    ["by combination", alternateCombinations],
  ] as const)
    for (const contender of contenders) {
      const split = exemplify(set, EXAMPLES, given())
      const without = measure(contender, { ...split, documents: set.documents })
      const result = measure(contender, split)
      const { recall12, complete12 } = result
      row(contender.name, label, [without.recall12, without.complete12, recall12, complete12])
    }
