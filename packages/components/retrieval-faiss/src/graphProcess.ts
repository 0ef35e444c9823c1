/** The process that builds a graph, while searches are answered without it. The binding of FAISS works in one thread of a process only. */
import { CheckedIndex } from "./CheckedIndex.ts"
import { loadFaiss } from "./loadFaiss.ts"

export interface GraphOrder {
  readonly dimensions: number
  /** All vectors one behind the other. */
  readonly numbers: Float32Array
}

process.once("message", ({ dimensions, numbers }: GraphOrder) => {
  const faiss = loadFaiss()
  if (typeof faiss === "string") throw new Error(faiss)
  const index = CheckedIndex.empty(faiss, "hnsw", dimensions)
  const vectors = Array.from({ length: numbers.length / dimensions }, (_, at) =>
    numbers.subarray(at * dimensions, (at + 1) * dimensions),
  )
  index.add(vectors)
  process.send!(Uint8Array.from(index.toBytes()), undefined, {}, () => process.disconnect())
})
