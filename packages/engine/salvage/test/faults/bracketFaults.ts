/** Documents with one bracket added, taken out or changed, and what becomes of their data. */
import { isDeepStrictEqual } from "node:util"
import { randomOf } from "./described.ts"
import { textOf, tokensOf } from "./Token.ts"
import type { Json, Result } from "../../src/Salvage.ts"

export const BRACKET_FAULTS = ["added", "taken out", "changed"] as const
type BracketFault = (typeof BRACKET_FAULTS)[number]

export interface BrokenDocument {
  readonly fault: BracketFault
  readonly text: string
  readonly truth: Json
}

const BRACKETS = ["{", "}", "[", "]"]

/** Texts around a document, most often none. */
const SURROUNDINGS: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => `Here it is:\n\n\`\`\`json\n${text}\n\`\`\`\nIt has [all] steps.`,
  (text) => `The plan is ${text} as you asked.`,
  (text) => `<think>{"a": 1} or {"b": [2]}?</think>\n${text}\n`,
]

/** The same ones for the same documents and the same first number. */
export const brokenDocuments = (
  documents: ReadonlyArray<Json>,
  count: number,
  first = 1,
): ReadonlyArray<BrokenDocument> =>
  Array.from({ length: count }, (_, index) => {
    const random = randomOf(first + index)
    const around = random.one(SURROUNDINGS)
    const truth = random.one(documents)
    const fault = random.one(BRACKET_FAULTS)
    const tokens = tokensOf(truth, random.chance(0.3)).filter(({ text }) => text !== "")
    if (fault === "added") {
      const { length } = tokens
      const at = random.below(length + 1)
      const bracket = random.one(BRACKETS)
      const text = textOf(tokens.slice(0, at)) + bracket + textOf(tokens.slice(at))
      return { fault, text: around(text), truth }
    }
    const token = random.one(tokens.filter(({ kind }) => kind === "open" || kind === "close"))
    token.text =
      fault === "changed" ? random.one(BRACKETS.filter((each) => each !== token.text)) : ""
    return { fault, text: around(textOf(tokens)), truth }
  })

/**
 * `noted`: another value, marked by `loss` or as cut. `lost`: a scalar or an object of the document is missing without a mark.
 * `moved`: everything is there, some of it elsewhere.
 */
export const BRACKET_OUTCOMES = ["right", "refused", "noted", "moved", "lost"] as const
export type BracketOutcome = (typeof BRACKET_OUTCOMES)[number]

export const bracketOutcomeOf = ({ truth }: BrokenDocument, result: Result): BracketOutcome => {
  if (!result.ok) return "refused"
  if (isDeepStrictEqual(result.value, truth)) return "right"
  if (!result.complete || result.repairs.some(({ loss }) => loss === true)) return "noted"
  return holdsAll(result.value, truth) ? "moved" : "lost"
}

/** Whether a value has each scalar of another one under its name, and as many objects. */
const holdsAll = (value: Json, truth: Json): boolean => {
  const found = partsOf(value)
  return [...partsOf(truth)].every(([part, count]) => (found.get(part) ?? 0) >= count)
}

const partsOf = (value: Json): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const count = (part: string) => counts.set(part, (counts.get(part) ?? 0) + 1)
  const walk = (part: Json, name: string): void => {
    if (typeof part !== "object" || part === null)
      return void count(`${name}=${JSON.stringify(part)}`)
    if (Array.isArray(part)) return part.forEach((item) => walk(item, name))
    const members = Object.entries(part)
    if (members.length > 0) count("{}")
    for (const [key, item] of members) walk(item, key)
  }
  walk(value, "")
  return counts
}
