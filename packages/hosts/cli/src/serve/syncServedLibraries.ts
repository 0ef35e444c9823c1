/** Syncs the libraries of served workflows at their intervals, for as long as the server runs. */
import type { DocumentSet, Libraries } from "@planloom/documents/manage"
import type { Declared } from "@planloom/plugin/effect"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { oneLine } from "../terminal/text.ts"
import type { Version } from "./Versions.ts"

/** Milliseconds between two looks for due libraries. */
const POLL_MS = 1000

export const syncServedLibraries = (
  { workflows }: { readonly workflows: ReadonlyMap<string, Pick<Version, "declared">> },
  onProblem: (message: string) => void,
): Effect.Effect<never> =>
  Effect.scoped(
    Effect.gen(function* () {
      let syncing: LibrarySync | undefined
      yield* Effect.addFinalizer(() => Effect.sync(() => syncing?.close()))
      for (;;) {
        // Versions are replaced while the server runs.
        const declared = [...workflows.values()].flatMap((one) => one.declared ?? [])
        const declaring = declared.filter(hasLibraries)
        if (declaring.length > 0) {
          syncing ??= yield* Effect.promise(() => openSync(onProblem))
          const running = syncing
          const now = yield* Clock.currentTimeMillis
          yield* Effect.promise((signal) => running.syncDue(declaring, now, signal))
        }
        yield* Effect.sleep(POLL_MS)
      }
    }),
  )

const WAITS =
  "has many passages without a vector: planloom documents sync states what embedding them costs, and asks"

/** Without loading what reads them. */
const hasLibraries = ({ files, sections }: Declared): boolean =>
  files("Documents").length > 0 || sections("libraries").length > 0

interface LibrarySync {
  /** `now` is in epoch milliseconds. */
  readonly syncDue: (
    declared: ReadonlyArray<Declared>,
    now: number,
    signal: AbortSignal,
  ) => Promise<void>
  readonly close: () => void
}

const openSync = async (onProblem: (message: string) => void): Promise<LibrarySync> => {
  const {
    DocumentsFailed,
    Libraries: Opened,
    readSets,
  } = await import("@planloom/documents/manage")
  const libraries: Libraries = new Opened()
  const known = new WeakMap<Declared, ReadonlyArray<DocumentSet>>()
  /** The time at which each index is due, by its path. */
  const due = new Map<string, number>()
  const problems = new Map<string, string>()
  const setsOf = (declared: Declared): ReadonlyArray<DocumentSet> => {
    const sets = known.get(declared) ?? [...readSets(declared).values()]
    known.set(declared, sets)
    return sets
  }
  /** Each sync fails alike until the cause is removed. */
  const report = (set: DocumentSet, problem: string | undefined) => {
    if (problem === undefined) problems.delete(set.index)
    else if (problems.get(set.index) !== problem) {
      onProblem(oneLine(`the library ${set.name} ${problem}`))
      problems.set(set.index, problem)
    }
  }
  const sync = async (set: DocumentSet, signal: AbortSignal) => {
    try {
      // Of several servers one syncs: the others do not wait for it.
      await libraries.synced([set], { signal, patience: 0, asksPages: true }, ([one]) => {
        const { index, report: made } = one!
        if (made.changed.length + made.removed.length > 0) index.purge()
        // Nothing is embedded here: the next search does that, within the budgets of its run.
        const waits = set.embedder !== undefined && !index.isAgreed()
        report(set, waits ? WAITS : undefined)
      })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof DocumentsFailed)) throw error
      report(set, `cannot be synced: ${error.message}`)
    }
  }
  return {
    syncDue: async (declared, now, signal) => {
      for (const set of declared.flatMap(setsOf)) {
        if (set.every === undefined || (due.get(set.index) ?? now) > now) continue
        due.set(set.index, now + set.every)
        await sync(set, signal)
      }
    },
    close: () => libraries.close(),
  }
}
