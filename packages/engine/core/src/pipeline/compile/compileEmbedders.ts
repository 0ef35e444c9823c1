/** Compiles the embedders of a workflow that tool sources name, each made with its first use. */
import * as Effect from "effect/Effect"
import { loadedOnce } from "@planloom/plugin/late"
import type { TextEmbedder } from "@planloom/plugin/effect"
import { EmbeddingObserver } from "../EmbeddingObserver.ts"
import type { Embeddings } from "../Embeddings.ts"
import type { Bindings } from "./compileKind.ts"

const embeddingsModule = loadedOnce(() => import("../Embeddings.ts"))

/** Vectors kept in memory: a source keeps its own. */
const KEPT = 0

export const compileEmbedders = ({
  resources: { components },
}: Bindings): ((id: string) => TextEmbedder | undefined) => {
  const made = new Map<string, Embeddings>()
  return (id) => {
    const embedder = components.embedders.get(id)
    if (embedder === undefined) return undefined
    const { dimensions, model } = embedder
    return {
      model,
      dimensions,
      embed: (texts) =>
        Effect.flatMap(embeddingsModule(), (loaded) => {
          const embeddings = made.get(id) ?? new loaded.Embeddings(embedder, KEPT)
          made.set(id, embeddings)
          return embeddings.embed(texts)
        }),
      without: (message) =>
        Effect.map(EmbeddingObserver, (observer) =>
          observer.degraded({ class: "budget", model, message }),
        ),
    }
  }
}
