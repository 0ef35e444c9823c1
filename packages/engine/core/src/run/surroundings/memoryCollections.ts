/** Collections in the memory of the process, for runs without a store. */
import * as Effect from "effect/Effect"
import {
  DEFAULT_ENTRIES,
  putEntry,
  type Collection,
  type Entry,
  type PutResult,
} from "@planloom/plugin/effect"

interface Kept {
  readonly entry: Entry
  /** Position among all writes: `claim` takes the oldest. */
  readonly order: number
  readonly claimedUntil?: number
}

/** Collections by name, each made on first use. */
export const memoryCollections = (): ((name: string) => Collection) => {
  const known = new Map<string, Collection>()
  return (name) => {
    let collection = known.get(name)
    if (collection === undefined) {
      collection = memoryCollection()
      known.set(name, collection)
    }
    return collection
  }
}

const memoryCollection = (): Collection => {
  const kept = new Map<string, Kept>()
  let writes = 0
  const at = <A>(use: (now: number) => A) =>
    Effect.clockWith((clock) => Effect.sync(() => use(clock.currentTimeMillisUnsafe())))
  const find = (key: string, now: number): Kept | undefined => {
    const one = kept.get(key)
    if (one?.entry.expiresAt === undefined || one.entry.expiresAt > now) return one
    kept.delete(key)
    return undefined
  }
  const live = (now: number): ReadonlyArray<Kept> =>
    [...kept.keys()].flatMap((key) => find(key, now) ?? [])
  return {
    get: (key) => at((now) => find(key, now)?.entry),
    put: (key, value, options = {}) =>
      at((now): PutResult => {
        const put = putEntry(find(key, now)?.entry, key, value, options, now)
        if (put.ok) kept.set(key, { entry: put.entry, order: ++writes })
        return put
      }),
    remove: (key) => at(() => void kept.delete(key)),
    list: ({ after, limit = DEFAULT_ENTRIES, prefix = "", state } = {}) =>
      at((now) =>
        live(now)
          .map(({ entry }) => entry)
          .filter(
            (entry) =>
              entry.key.startsWith(prefix) &&
              (state === undefined || entry.state === state) &&
              (after === undefined || entry.key > after),
          )
          .toSorted((one, other) => (one.key < other.key ? -1 : 1))
          .slice(0, limit),
      ),
    claim: (state, _by, ms) =>
      at((now) => {
        const [first] = live(now)
          .filter(({ claimedUntil = 0, entry }) => entry.state === state && claimedUntil <= now)
          .toSorted((one, other) => one.order - other.order)
        if (first === undefined) return undefined
        kept.set(first.entry.key, { ...first, claimedUntil: now + ms })
        return first.entry
      }),
  }
}
