/** Opens the indexes of libraries, and syncs them one after the other. */
import { DocumentIndex } from "./index/DocumentIndex.ts"
import type { SyncOptions } from "./index/syncFolder.ts"
import type { SyncedSet } from "./search/searchSets.ts"
import type { DocumentSet } from "./sets/readSets.ts"

type Synced = Omit<SyncedSet, "bounds">

export class Libraries {
  private readonly opened = new Map<string, DocumentIndex>()
  private last: Promise<unknown> = Promise.resolve()

  open(set: DocumentSet): DocumentIndex {
    const known = this.opened.get(set.index)
    const index = known ?? new DocumentIndex(set.index, set.folder)
    this.opened.set(set.index, index)
    return index
  }

  /** A folder is read once for all calls that wait. `use` gets the sets before the next call changes them. */
  synced<A>(
    sets: ReadonlyArray<DocumentSet>,
    options: SyncOptions,
    use: (synced: ReadonlyArray<Synced>) => A,
  ): Promise<A> {
    const turn = this.last.then(async () => {
      const synced: Array<Synced> = []
      for (const set of sets) {
        const index = this.open(set)
        synced.push({ name: set.name, index, report: await index.sync(options) })
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
