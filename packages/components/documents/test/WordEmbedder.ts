/** An embedder of tests: the vector of a text is the sum of directions that its words have. */
import { hash } from "node:crypto"
import type { PassageEmbedder } from "../src/vectors/embedPassages.ts"

const DIMENSIONS = 64

/** Words of one list have one direction: they mean the same. */
export const wordEmbedder = (
  same: ReadonlyArray<ReadonlyArray<string>> = [],
  change: (vectors: ReadonlyArray<Float32Array>) => ReadonlyArray<Float32Array> | undefined = (
    all,
  ) => all,
): PassageEmbedder & { readonly sent: Array<string> } => {
  const sent: Array<string> = []
  return {
    sent,
    model: "test/words",
    dimensions: DIMENSIONS,
    embed: async (texts) => {
      sent.push(...texts)
      return change(texts.map((text) => wordVector(text, same)))
    },
  }
}

export const wordVector = (
  text: string,
  same: ReadonlyArray<ReadonlyArray<string>> = [],
): Float32Array => {
  const sum = new Float32Array(DIMENSIONS)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const name = same.find((words) => words.includes(word))?.[0] ?? word
    const bytes = hash("sha512", name, "buffer")
    for (let at = 0; at < DIMENSIONS; at++) sum[at]! += bytes[at]! / 127.5 - 1
  }
  return sum
}
