/** Compiles the rerankers of a workflow that tool sources name, each made with its first use. */
import * as Effect from "effect/Effect"
import { loadedOnce } from "@planloom/plugin/late"
import type { TextReranker } from "@planloom/plugin/effect"
import type { Reranking } from "../Reranking.ts"
import type { Bindings } from "./compileKind.ts"

const rerankingModule = loadedOnce(() => import("../Reranking.ts"))

export const compileRerankers = ({
  resources: { components },
}: Bindings): ((id: string) => TextReranker | undefined) => {
  const made = new Map<string, Reranking>()
  return (id) => {
    const reranker = components.rerankers.get(id)
    if (reranker === undefined) return undefined
    return {
      model: reranker.model,
      rerank: (query, texts) =>
        Effect.flatMap(rerankingModule(), (loaded) => {
          const reranking = made.get(id) ?? new loaded.Reranking(reranker)
          made.set(id, reranking)
          return reranking.rerank(query, texts)
        }),
    }
  }
}
