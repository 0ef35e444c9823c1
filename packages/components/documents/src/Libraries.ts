/** Opens the indexes of libraries, and syncs them one after the other. */
import { DocumentIndex } from "./index/DocumentIndex.ts"
import type { SyncOptions } from "./index/syncSources.ts"
import type { SyncedSet } from "./search/searchSets.ts"
import type { DocumentSet } from "./sets/readSets.ts"
import type { EmbeddingReport, PassageEmbedder } from "./vectors/embedPassages.ts"

type Synced = Omit<SyncedSet, "bounds" | "vector">

export interface LibrariesOptions extends SyncOptions {
  /** Of the libraries, in their order; passages without a vector get one. */
  readonly embedders?: ReadonlyArray<PassageEmbedder | undefined>
}

const UNAGREED = "planloom documents sync states what embedding it costs, and asks"

/** Much is embedded only after a person has seen what it costs. */
const embed = async (
  index: DocumentIndex,
  embedder: PassageEmbedder,
  { patience, signal }: SyncOptions,
): Promise<EmbeddingReport> => {
  if (index.isAgreed(embedder.model)) return index.embed(embedder, signal, patience)
  await embedder.without?.(UNAGREED)
  return { ...index.embedded(embedder.model), sent: 0, problem: UNAGREED }
}

export class Libraries {
  private readonly opened = new Map<string, DocumentIndex>()
  private last: Promise<unknown> = Promise.resolve()

  open(set: DocumentSet): DocumentIndex {
    const known = this.opened.get(set.index)
    const index = known ?? new DocumentIndex(set.index, set.sources)
    this.opened.set(set.index, index)
    return index
  }

  /** A folder is read once for all calls that wait. `use` gets the sets before the next call changes them. */
  synced<A>(
    sets: ReadonlyArray<DocumentSet>,
    { embedders = [], ...options }: LibrariesOptions,
    use: (synced: ReadonlyArray<Synced>) => A | Promise<A>,
  ): Promise<A> {
    const turn = this.last.then(async () => {
      const synced: Array<Synced> = []
      for (const [at, set] of sets.entries()) {
        const index = this.open(set)
        const one = { name: set.name, index, report: await index.sync(options) }
        const embedder = embedders[at]
        synced.push(
          embedder === undefined
            ? one
            : { ...one, embedding: await embed(index, embedder, options) },
        )
      }
      return use(synced)
    })
    this.last = turn.catch(() => undefined)
    return turn
  }

  close(): void {
    for (const index of this.opened.values()) index.close()
    this.opened.clear()
  }
}
