/** Scores of documents, best first, in the shape of `/rerank`: how many words of the query each has. */
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
  return {
    model: body["model"] as string,
    results: results.slice(0, Number(body["top_n"] ?? documents.length)),
    usage: { prompt_tokens: documents.length, total_tokens: documents.length },
  }
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
