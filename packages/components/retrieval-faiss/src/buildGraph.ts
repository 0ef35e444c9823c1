/** Builds a graph of vectors in a process of its own. */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { CheckedIndex } from "./CheckedIndex.ts"
import type { GraphOrder } from "./graphProcess.ts"
import type { Faiss } from "./loadFaiss.ts"

/** Vectors of one length, at least one. Undefined if the process ends without a graph. */
export const buildGraph = async (
  faiss: Faiss,
  vectors: ReadonlyArray<Float32Array>,
): Promise<CheckedIndex | undefined> => {
  const dimensions = vectors[0]!.length
  const numbers = new Float32Array(vectors.length * dimensions)
  for (const [at, vector] of vectors.entries()) numbers.set(vector, at * dimensions)
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js"
  const program = fileURLToPath(new URL(`./graphProcess${extension}`, import.meta.url))
  const child = fork(program, { serialization: "advanced", execArgv: [] })
  // A process that has nothing else to do does not wait for a graph.
  child.unref()
  child.channel?.unref()
  const bytes = await new Promise<Uint8Array | undefined>((resolve) => {
    child.once("message", (graph) => resolve(graph as Uint8Array))
    child.once("error", () => resolve(undefined))
    child.once("exit", () => resolve(undefined))
    child.send({ dimensions, numbers } satisfies GraphOrder)
  })
  return bytes && CheckedIndex.of(faiss, bytes, dimensions)
}
