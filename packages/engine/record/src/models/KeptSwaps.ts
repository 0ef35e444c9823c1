/** Swaps of models in a run store: each adds an entry to a history, and those in force replace what the file names. */
import * as Effect from "effect/Effect"
import type {
  Collection,
  Entry,
  JsonObject,
  ModelSwaps,
  RunStore,
  StoreFailed,
  SwappedModels,
} from "@planloom/plugin/effect"
import { SwapRefused } from "@planloom/core"
import { Audit } from "../audit/Audit.ts"
import type { ProposedSwap, SwapReason } from "@planloom/core/internal"

/** An alias or a stage of a workflow. */
export type KeptTarget = { readonly alias: string } | { readonly stage: string }

/** One entry of the history. */
export interface KeptSwap extends ProposedSwap, SwapReason {
  /** 1 for the first swap of a workflow. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  /** Number of the swap that this one undoes. */
  readonly undoes?: number
}

/** The swaps in force, with the newest entry of the history, so that one write changes both or neither. */
interface Head extends SwappedModels {
  readonly last: KeptSwap
  /** Swaps that can be undone, the newest last. */
  readonly undoable: ReadonlyArray<Undoable>
}

interface Undoable {
  readonly number: number
  readonly target: KeptTarget
  /** The models that were kept for the target before; null for none. */
  readonly kept: ReadonlyArray<string> | null
}

type State = Omit<Head, "last" | "revision">

interface Change {
  readonly state: State
  readonly swap: Omit<KeptSwap, "at" | "number">
}

/** Swaps that can be undone; older ones stay in the history. */
const MAX_UNDO = 50

/** Attempts to change models while others change models of the same workflow. */
const MAX_ATTEMPTS = 20

/** Digits of a swap's number in its key, so that keys are in order. */
const DIGITS = 8

const unchanged: State = { aliases: {}, stages: {}, undoable: [] }

export class KeptSwaps implements ModelSwaps {
  private readonly entries: Collection
  private readonly audit: Audit | undefined

  constructor(entries: Collection, audit?: Audit) {
    this.entries = entries
    this.audit = audit
  }

  /** Undefined for a store without collections. */
  static readonly of = (store: RunStore): KeptSwaps | undefined =>
    store.collection === undefined
      ? undefined
      : new KeptSwaps(store.collection("planloom/models"), Audit.of(store))

  /** One read of a small entry. */
  readonly current = (workflow: string): Effect.Effect<SwappedModels | undefined, StoreFailed> =>
    Effect.map(this.entries.get(headOf(workflow)), headIn)

  /** Oldest first, also what was undone. */
  history(workflow: string): Effect.Effect<ReadonlyArray<KeptSwap>, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const head = headIn(yield* this.entries.get(headOf(workflow)))
      if (head === undefined) return []
      const found: Array<KeptSwap> = []
      for (let number = 1; number < head.revision; number++) {
        const entry = yield* this.entries.get(keyOf(workflow, number))
        if (entry !== undefined) found.push(entry.value as unknown as KeptSwap)
      }
      return [...found, head.last]
    })
  }

  /** Puts a swap in force that fits the workflow. */
  put(
    workflow: string,
    swap: ProposedSwap & SwapReason,
  ): Effect.Effect<KeptSwap, StoreFailed | SwapRefused> {
    const target = targetOf(swap)
    const made = this.change(workflow, (state, number) => ({
      state: {
        ...withModels(state, target, swap.after),
        undoable: [
          ...state.undoable.slice(1 - MAX_UNDO),
          { number, target, kept: keptIn(state, target) },
        ],
      },
      swap,
    }))
    return made as Effect.Effect<KeptSwap, StoreFailed | SwapRefused>
  }

  /** Undoes the last swap in force; undefined without one. `written` gives the models of a target by the file. */
  undo(
    workflow: string,
    reason: SwapReason,
    written: (target: KeptTarget) => ReadonlyArray<string>,
  ): Effect.Effect<KeptSwap | undefined, StoreFailed | SwapRefused> {
    return this.change(workflow, (state) => {
      const last = state.undoable.at(-1)
      if (last === undefined) return undefined
      const { kept, number, target } = last
      return {
        state: { ...withModels(state, target, kept), undoable: state.undoable.slice(0, -1) },
        swap: {
          ...target,
          before: keptIn(state, target) ?? [],
          after: kept ?? written(target),
          ...reason,
          undoes: number,
        },
      }
    })
  }

  private audited(
    workflow: string,
    { after, alias, by, stage, undoes, via }: KeptSwap,
  ): Effect.Effect<void, StoreFailed> {
    const target = alias === undefined ? { stage: stage! } : { alias }
    const action = undoes === undefined ? "models_swapped" : "swap_undone"
    const about = { workflow, ...target, models: after }
    return this.audit?.record({ action, via, by, about }) ?? Effect.void
  }

  private change(
    workflow: string,
    decide: (state: State, number: number) => Change | undefined,
  ): Effect.Effect<KeptSwap | undefined, StoreFailed | SwapRefused> {
    const key = headOf(workflow)
    return Effect.gen({ self: this }, function* () {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const entry = yield* this.entries.get(key)
        const head = headIn(entry)
        const number = (head?.revision ?? 0) + 1
        const change = decide(head ?? unchanged, number)
        if (change === undefined) return undefined
        // Into the history before it leaves the head: it may be there already, by a change that another one overtook.
        if (head !== undefined) {
          const kept = head.last as unknown as JsonObject
          yield* this.entries.put(keyOf(workflow, number - 1), kept, { version: "new" })
        }
        const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const last: KeptSwap = { ...change.swap, number, at }
        const next = { ...change.state, revision: number, last } as unknown as JsonObject
        const { ok } = yield* this.entries.put(key, next, { version: entry?.version ?? "new" })
        if (ok) {
          yield* this.audited(workflow, last)
          return last
        }
      }
      return yield* new SwapRefused({
        message: `the models of ${workflow} are being changed by others`,
      })
    })
  }
}

const headOf = (workflow: string): string => `active:${workflow}`

const keyOf = (workflow: string, number: number): string =>
  `swap:${workflow}/${String(number).padStart(DIGITS, "0")}`

const headIn = (entry: Entry | undefined): Head | undefined =>
  entry?.value as unknown as Head | undefined

const targetOf = ({ alias, stage }: ProposedSwap): KeptTarget =>
  alias === undefined ? { stage: stage! } : { alias }

const keptIn = ({ aliases, stages }: State, target: KeptTarget): ReadonlyArray<string> | null => {
  const [models, name] =
    "alias" in target ? [aliases, target.alias] : ([stages, target.stage] as const)
  return Object.hasOwn(models, name) ? models[name]! : null
}

/** `models`: null leaves the target as the file says. */
const withModels = (
  { aliases, stages }: State,
  target: KeptTarget,
  models: ReadonlyArray<string> | null,
): Omit<State, "undoable"> =>
  "alias" in target
    ? { aliases: withEntry(aliases, target.alias, models), stages }
    : { aliases, stages: withEntry(stages, target.stage, models) }

const withEntry = (
  entries: { readonly [name: string]: ReadonlyArray<string> },
  name: string,
  models: ReadonlyArray<string> | null,
) =>
  Object.fromEntries([
    ...Object.entries(entries).filter(([other]) => other !== name),
    ...(models === null ? [] : [[name, models] as const]),
  ])
