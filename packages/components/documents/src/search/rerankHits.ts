/** Puts what is found into the order of a reranker. It changes no more than the order: what counts as found comes first. */
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import type { ToolInvocation } from "@planloom/plugin/effect"
import { DocumentsFailed } from "../index/DocumentsFailed.ts"
import { isFound, type Hit } from "../index/Hit.ts"
import type { DocumentSet } from "../sets/readSets.ts"

/** Hits of a library that a reranker may order. */
export const RERANKED = 50

/** Scores of texts, in their order; undefined when there are none now. */
export type Rerank = (
  query: string,
  texts: ReadonlyArray<string>,
) => Promise<ReadonlyArray<number> | undefined>

/** Hits in their new order; undefined when the reranker gives no scores now. */
export const rerankHits = async (
  hits: ReadonlyArray<Hit>,
  {
    query,
    rerank,
    threshold,
  }: {
    readonly query: string
    readonly rerank: Rerank
    readonly threshold: number | undefined
  },
): Promise<ReadonlyArray<Hit> | undefined> => {
  const found = hits.filter((hit) => isFound(hit, threshold))
  const others = hits.filter((hit) => !isFound(hit, threshold))
  if (found.length < 2) return [...found, ...others]
  const scores = await rerank(query, found.map(textOf))
  if (scores === undefined) return undefined
  const ordered = found
    .map((hit, at) => ({ hit, score: scores[at]! }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ hit }) => hit)
  return [...ordered, ...others]
}

const textOf = ({ headings, text }: Hit): string =>
  headings.length === 0 ? text : `${headings.join(" › ")}\n${text}`

/** The rerankers that sets name, as promises. Fails with `DocumentsFailed` where the workflow has no such one. */
export const rerankersOf = (
  sets: ReadonlyArray<DocumentSet>,
  rerankerOf: ToolInvocation["reranker"],
  { services, signal }: { readonly services: Context<never>; readonly signal: AbortSignal },
): ReadonlyArray<Rerank | undefined> =>
  sets.map(({ name, rerank: id }) => {
    if (id === undefined) return undefined
    const found = rerankerOf?.(id)
    if (found === undefined)
      throw new DocumentsFailed(`the library ${name} needs the reranker ${id}: no plugin has it`)
    return (query, texts) => Effect.runPromiseWith(services)(found.rerank(query, texts), { signal })
  })
