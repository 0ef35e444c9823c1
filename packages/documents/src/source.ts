/** The tool source: syncs the libraries that a call names, and searches them. */
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type Declared,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { DocumentIndex } from "./index/DocumentIndex.ts"
import { DocumentsFailed } from "./index/DocumentsFailed.ts"
import { searchDocuments } from "./search/searchDocuments.ts"
import { searchSets, type SearchParams, type SyncedSet } from "./search/searchSets.ts"
import { boundsOf } from "./sets/boundsOf.ts"
import { readSets, type DocumentSet } from "./sets/readSets.ts"

export class DocumentTools implements ToolSource {
  readonly id = "documents"
  readonly summary = "Searches the libraries that a workflow declares."
  readonly list = Effect.succeed({ tools: [searchDocuments] })
  private readonly declared: () => Declared
  private readonly opened = new Map<string, DocumentIndex>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(declared: () => Declared) {
    this.declared = declared
  }

  readonly call: ToolSource["call"] = ({ params, runInputs: inputs = {}, tool, user }) =>
    Effect.tryPromise({
      try: async (signal): Promise<ToolResult> => {
        const sets = this.setsOf(params["library"])
        const bounds = sets.map((set) => boundsOf(set, { user, inputs }))
        return this.inTurn(async () => {
          const synced: Array<SyncedSet> = []
          for (const [at, set] of sets.entries())
            synced.push({ ...(await this.synced(set, signal)), bounds: bounds[at]! })
          return { value: searchSets(synced, params as unknown as SearchParams) }
        })
      },
      catch: (error) =>
        new ToolFailed({
          tool,
          class: error instanceof DocumentsFailed ? "invalid_request" : "tool_error",
          message: error instanceof Error ? error.message : String(error),
        }),
    })

  close(): void {
    for (const index of this.opened.values()) index.close()
    this.opened.clear()
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

  private async synced(set: DocumentSet, signal: AbortSignal): Promise<Omit<SyncedSet, "bounds">> {
    const known = this.opened.get(set.index)
    const index = known ?? new DocumentIndex(set.index, set.folder)
    this.opened.set(set.index, index)
    return { name: set.name, index, report: await index.sync({ signal }) }
  }

  /** One after the other: a folder is read once for all calls that wait. */
  private inTurn<A>(work: () => Promise<A>): Promise<A> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}
