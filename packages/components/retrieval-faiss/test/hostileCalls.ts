/** A process that calls FAISS with generated arguments, good and hostile ones; it ends with 0 if none of them ended it. */
import * as fc from "fast-check"
import { CheckedIndex, FaissRefused, type FaissKind } from "../src/CheckedIndex.ts"
import { FaissRanking } from "../src/FaissRanking.ts"
import { loadFaiss } from "../src/loadFaiss.ts"

const faiss = loadFaiss()
if (typeof faiss === "string") throw new Error(faiss)
const [runs, seed] = process.argv.slice(2).map(Number)

const number = fc.oneof(fc.float(), fc.constantFrom(0, -0, 1, NaN, Infinity, -Infinity, 3e38))
const vector = fc.oneof(
  fc.array(number, { maxLength: 5 }).map((all) => Float32Array.from(all)),
  fc
    .array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 })
    .map((all) => Float32Array.from(all)),
)
const anything = fc.oneof(vector, fc.anything() as fc.Arbitrary<never>)
const count = fc.oneof(
  fc.integer({ min: -3, max: 40 }),
  fc.constantFrom(NaN, 1.5, Infinity, 2 ** 40),
)
const dimensions = fc.oneof(fc.constant(3), fc.constantFrom(0, -1, 1.5, NaN, 65_537, 2 ** 31))
const kind = fc.constantFrom<FaissKind>("flat", "hnsw")
const step = fc.oneof(
  fc.tuple(fc.constant("add" as const), fc.array(anything, { maxLength: 4 })),
  fc.tuple(fc.constant("search" as const), anything, count),
)

const refused = (call: () => unknown) => {
  try {
    call()
  } catch (error) {
    // What is no call of a checked index at all may fail as JavaScript does.
    if (!(error instanceof FaissRefused || error instanceof TypeError)) throw error
  }
}

fc.assert(
  fc.property(kind, dimensions, fc.array(step, { maxLength: 8 }), (some, size, steps) => {
    refused(() => {
      const index = CheckedIndex.empty(faiss, some, size)
      for (const [what, one, most] of steps) {
        const before = index.size
        refused(() =>
          what === "add"
            ? index.add(one as ReadonlyArray<Float32Array>)
            : index.search(one as Float32Array, most!),
        )
        if (what === "search" && index.size !== before) throw new Error("a search added vectors")
      }
    })
  }),
  { numRuns: runs!, seed: seed! },
)

const change = fc.tuple(
  fc.constantFrom("a", "b", "c", "d"),
  fc.option(fc.array(vector, { maxLength: 3 })),
)
fc.assert(
  fc.property(fc.array(fc.tuple(change, vector), { maxLength: 12 }), (changes) => {
    const ranking = new FaissRanking(faiss, "flat")
    for (const [[id, vectors], query] of changes) {
      if (vectors === null) ranking.remove(id)
      else ranking.put(id, vectors)
      const hits = ranking.nearest(query, undefined, 3)
      if (new Set(hits.map((hit) => hit.id)).size !== hits.length) throw new Error("a hit twice")
    }
  }),
  { numRuns: runs!, seed: seed! },
)
process.stdout.write("alive")
