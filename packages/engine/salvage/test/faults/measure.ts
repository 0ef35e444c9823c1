/** How often a document comes back through faults. */
import { isDeepStrictEqual } from "node:util"
import { cases, seedOf } from "../../../../../.config/cases.ts"
import { type Described, randomOf, describedOf } from "./described.ts"
import type { Fault, Faults } from "./Fault.ts"
import { surroundings } from "./surroundings.ts"
import { textFaults } from "./textFaults.ts"
import { textOf, tokensOf } from "./Token.ts"
import { tokenFaults } from "./tokenFaults.ts"
import { valueFaults } from "./valueFaults.ts"
import { parse } from "../../src/parse.ts"
import type { Json, Result } from "../../src/Salvage.ts"

export const faults: Faults = { ...valueFaults, ...tokenFaults, ...textFaults, ...surroundings }

/** The same documents for each fault, so that each schema is compiled once. */
export const documents: ReadonlyArray<Described> = Array.from({ length: cases(120) }, (_, at) =>
  describedOf(randomOf(seedOf(at + 1))),
)

const ORDER: ReadonlyArray<Fault["layer"]> = ["value", "shape", "tokens", "text", "around"]

/** The document with the faults, by its place; `undefined` when one of them cannot happen to it. */
export const broken = (
  { value, schema }: Described,
  names: ReadonlyArray<string>,
  at: number,
): string | undefined => {
  const random = randomOf(seedOf(at))
  const chosen = names
    .map((name) => faults[name]!)
    .toSorted((a, b) => ORDER.indexOf(a.layer) - ORDER.indexOf(b.layer))
  let said: Json = value
  for (const fault of chosen) {
    if (fault.layer !== "value" && fault.layer !== "shape") continue
    const next = fault.apply(said as Described["value"], schema, random)
    if (next === undefined) return undefined
    said = next
  }
  const tokens = tokensOf(said, at % 3 > 0)
  for (const fault of chosen)
    if (fault.layer === "tokens" && !fault.apply(tokens, random)) return undefined
  let text: string | undefined = textOf(tokens)
  for (const fault of chosen) {
    if (fault.layer === "text" && text !== undefined) text = fault.apply(text, random)
    if (fault.layer === "around" && text !== undefined) text = fault.apply(text, random, value)
  }
  return text
}

export interface Recovery {
  readonly tried: number
  readonly right: number
  /** Another value came back. */
  readonly wrong: number
  /** Of those, values without a repair that states a loss. */
  readonly silent: number
  readonly refused: number
  readonly misses: ReadonlyArray<{ readonly text: string; readonly result: Result; value: Json }>
}

/** `chosen`: the documents it is tried on, by their place. */
export const recovery = (
  names: ReadonlyArray<string>,
  chosen: ReadonlyArray<number> = documents.map((_, at) => at),
  withSchema = true,
): Recovery => {
  let tried = 0
  let right = 0
  let refused = 0
  const misses: Array<Recovery["misses"][number]> = []
  for (const at of chosen) {
    const document = documents[at]!
    const text = broken(document, names, at)
    if (text === undefined) continue
    tried++
    const result = withSchema ? parse(text, document.schema) : parse(text)
    if (result.ok && isDeepStrictEqual(result.value, document.value)) right++
    else {
      if (!result.ok) refused++
      misses.push({ text, result, value: document.value })
    }
  }
  const silent = misses.filter(
    ({ result }) => result.ok && !result.repairs.some(({ loss }) => loss === true),
  ).length
  return { tried, right, refused, wrong: tried - right - refused, silent, misses }
}
