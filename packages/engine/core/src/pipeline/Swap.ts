/** Swaps of models: their targets, their history and their refusal. */
import * as Data from "effect/Data"

/** The target of a swap: an alias or a stage, by name; said out where a stage and an alias have the same name. */
export type SwapTarget = string | { readonly alias: string } | { readonly stage: string }

export interface SwapReason {
  /** Who does it. */
  readonly by: string
  readonly why: string
  /** The API key or program that it came through, as a server or the command knows it. */
  readonly via?: string
}

/** One entry of the history; plain data. */
export interface Swap extends SwapReason {
  /** Epoch milliseconds. */
  readonly at: number
  readonly alias?: string
  readonly stage?: string
  /** `provider/model`, first choice first. */
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  /** Index of the entry that this one undoes. */
  readonly undoes?: number
}

/** A swap of models that fits a workflow; plain data. */
export interface ProposedSwap {
  readonly alias?: string
  readonly stage?: string
  /** `provider/model`, first choice first. */
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
}

/** A kept swap that a workflow does not take, because it has changed since. */
export interface UnfitSwap {
  readonly alias?: string
  readonly stage?: string
  readonly models: ReadonlyArray<string>
  readonly reason: string
}

/** The swap cannot be done; nothing has changed. */
export class SwapRefused extends Data.TaggedError("SwapRefused")<{ readonly message: string }> {}
