/** Scores of documents, best first, in the shapes of `/rerank`: how many words of the query each has. */
import type { JsonObject } from "@planloom/plugin/effect"

export const rerankScores = (body: JsonObject): JsonObject => {
  const documents = body["documents"] as ReadonlyArray<string>
  const words = wordsOf(String(body["query"]))
  const results = documents
    .map((document, index) => {
      const there = wordsOf(document)
      return { index, relevance_score: words.filter((word) => there.includes(word)).length }
    })
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
  const most = body["top_k"] ?? body["top_n"] ?? documents.length
  // Voyage's has `top_k`, and `data`.
  return {
    model: body["model"] as string,
    [body["top_k"] === undefined ? "results" : "data"]: results.slice(0, Number(most)),
    usage: { prompt_tokens: documents.length, total_tokens: documents.length },
  }
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
