/** One contender on one set: what it finds, how long it takes, and what its index holds in memory. */
import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Contender } from "./contenders.ts"
import { original } from "./resize.ts"
import { Score } from "./Score.ts"
import type { ToolSet } from "./ToolSet.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** Bytes that are reachable, those of typed arrays among them. */
const reachable = () => {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Searches before the clock counts, so that a small set is not measured uncompiled. */
const WARM = 50

/** `built` in milliseconds, `heap` in MB after the last search, without the documents given. */
export const measure = ({ build }: Contender, { documents, queries }: ToolSet) => {
  const before = reachable()
  const started = performance.now()
  const search = build(documents)
  const built = performance.now() - started
  for (const { query } of queries.slice(0, WARM)) search(query, 12)
  const score = new Score()
  for (const { query, relevant } of queries) {
    const from = performance.now()
    const found = search(query, 12)
    const took = performance.now() - from
    score.add([...new Set(found.map(original))], relevant, took)
  }
  const heap = (reachable() - before) / 1e6
  // After the heap is read the index must still be in use, or it would have been collected.
  search("", 1)
  return { ...score.summary(), built, heap }
}
