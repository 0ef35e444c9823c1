/** The models that an alias or a stage asks: by its file, and by the swaps in place of that. */
import type { ModelChoice, ResolvedModel } from "./resolveModel.ts"

export interface Cell {
  /** By the file. */
  readonly written: ResolvedModel | undefined
  /** In place of what is written: by the swaps that a host keeps. */
  kept: ResolvedModel | undefined
  /** In place of both: by a swap in this process. */
  swapped: ResolvedModel | undefined
}

export interface AliasCell extends Cell {
  /** The list of its file, if it names other aliases. */
  readonly names?: ReadonlyArray<string>
}

export interface StageCell extends Cell {
  readonly alias: string | undefined
}

export const writtenCell = (written: ResolvedModel | undefined): Cell => ({
  written,
  kept: undefined,
  swapped: undefined,
})

/** An alias that names others has their models at present, so that it follows their swaps. One that two of them have is tried once. */
export const followingCell = (
  written: ResolvedModel,
  names: ReadonlyArray<string>,
  choicesOf: (name: string) => ReadonlyArray<ModelChoice>,
): AliasCell => ({
  get written() {
    const choices = names.flatMap(choicesOf)
    return { ...written, choices: [...new Map(choices.map((one) => [one.name, one])).values()] }
  },
  names,
  kept: undefined,
  swapped: undefined,
})

export const currentOf = ({ kept, swapped, written }: Cell): ResolvedModel | undefined =>
  swapped ?? kept ?? written

export const isSwapped = ({ kept, swapped }: Cell): boolean => (swapped ?? kept) !== undefined
