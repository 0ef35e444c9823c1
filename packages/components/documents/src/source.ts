/** The tool source: syncs the libraries that a call names, and searches them. */
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type Declared,
  type ToolList,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { DocumentsFailed } from "./index/DocumentsFailed.ts"
import { Libraries } from "./Libraries.ts"
import { rerankersOf } from "./search/rerankHits.ts"
import { searchDocumentsIn } from "./search/searchDocuments.ts"
import { searchSets, type SearchParams, type SyncedSet } from "./search/searchSets.ts"
import { boundsOf } from "./sets/boundsOf.ts"
import { readSets, type DocumentSet } from "./sets/readSets.ts"
import { passageEmbedder } from "./vectors/passageEmbedder.ts"
import { queryVector } from "./vectors/queryVector.ts"

/** The longest wait of a search for a sync of another process; then it answers from the index as of before. */
const PATIENCE_MS = 5000

export class DocumentTools implements ToolSource {
  readonly id = "documents"
  readonly summary = "Searches the libraries that a workflow declares."
  readonly list: ToolSource["list"]
  private readonly declared: () => Declared
  private readonly libraries = new Libraries()

  constructor(declared: () => Declared) {
    this.declared = declared
    this.list = Effect.sync(() => listOf(declared()))
  }

  readonly call: ToolSource["call"] = ({
    embedder: embedderOf,
    params,
    reranker: rerankerOf,
    runInputs: inputs = {},
    tool,
    user,
  }) =>
    Effect.contextWith((services: Context<never>) =>
      Effect.tryPromise({
        try: async (signal): Promise<ToolResult> => {
          const sets = this.setsOf(params["library"])
          const bounds = sets.map((set) => boundsOf(set, { user, inputs }))
          const embedders = sets.map((set) => passageEmbedder(set, embedderOf, services))
          const rerankers = rerankersOf(sets, rerankerOf, { services, signal })
          const { query, wordings = [] } = params as unknown as SearchParams
          const texts = [query, ...wordings]
          const options = { signal, embedders, patience: PATIENCE_MS }
          return this.libraries.synced(sets, options, async (synced) => {
            const bound = synced.map(async (one, at): Promise<SyncedSet> => {
              const rerank = rerankers[at]
              return {
                ...(await queryVector(one, embedders[at], texts, signal)),
                bounds: bounds[at]!,
                ...(rerank !== undefined && { rerank }),
              }
            })
            return {
              value: await searchSets(await Promise.all(bound), params as unknown as SearchParams),
            }
          })
        },
        catch: (error) =>
          new ToolFailed({
            tool,
            class: error instanceof DocumentsFailed ? "invalid_request" : "tool_error",
            message: error instanceof Error ? error.message : String(error),
          }),
      }),
    )

  close(): void {
    this.libraries.close()
  }

  private setsOf(name: unknown): ReadonlyArray<DocumentSet> {
    const sets = readSets(this.declared())
    if (sets.size === 0)
      throw new DocumentsFailed("no library is declared: name a folder under `libraries`")
    if (name === undefined) return [...sets.values()]
    const set = sets.get(String(name))
    if (set === undefined)
      throw new DocumentsFailed(
        `no library has the name ${String(name)}; there are ${[...sets.keys()].join(", ")}`,
      )
    return [set]
  }
}

/** Libraries that a workflow can search. */
export const listOf = (declared: Declared): ToolList => ({
  tools: [searchDocumentsIn([...readSets(declared).values()])],
})
