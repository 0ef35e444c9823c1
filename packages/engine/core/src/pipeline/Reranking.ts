/** Scores of texts by a reranker of the workflow; a search that gets none keeps its order. */
import * as Effect from "effect/Effect"
import { ModelFailed, type Reranker, type TextReranker } from "@planloom/plugin/effect"
import { SearchCalls } from "./SearchCalls.ts"

export class Reranking {
  private readonly reranker: Reranker
  private readonly calls: SearchCalls

  constructor(reranker: Reranker) {
    this.reranker = reranker
    this.calls = new SearchCalls(reranker.model, "scores")
  }

  readonly rerank: TextReranker["rerank"] = (query, texts) =>
    Effect.suspend(() => {
      if (texts.length === 0) return Effect.succeed([])
      const { id, model, rerank } = this.reranker
      const scored = Effect.suspend(() => rerank(query, texts))
      const call = Effect.flatMap(scored, (given) =>
        given.scores.length === texts.length && given.scores.every(Number.isFinite)
          ? Effect.succeed(given)
          : Effect.fail(
              new ModelFailed({
                class: "invalid_output",
                model,
                message: `the reranker "${id}" returned ${given.scores.length} scores for ${texts.length} texts, or scores that are not numbers`,
              }),
            ),
      )
      // A reranker reads the query with each text.
      const read = texts.map((text) => `${query}\n${text}`)
      return Effect.map(this.calls.make(read, call), (given) => given?.scores)
    })
}
