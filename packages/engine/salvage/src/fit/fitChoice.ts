/** Fits a value to the choices of `enum` or `const`. */
import { isContainer, type Node, toValue } from "../read/Node.ts"
import type { Json } from "../Salvage.ts"
import { changed, COST, type Fit, fits, mismatch } from "./Fit.ts"
import type { FitContext } from "./FitContext.ts"
import { fitBoolean, fitNumber } from "./fitScalar.ts"
import { foldName, foldText } from "./fold.ts"
import type { ObjectSchema } from "./Schema.ts"

export const fitChoice = (
  fitter: FitContext,
  node: Node,
  schema: ObjectSchema,
  choices: ReadonlyArray<Json>,
): Fit => {
  const listed = `must be ${choices.length === 1 ? "" : "one of "}${choices.map((choice) => JSON.stringify(choice)).join(", ")}`
  if (isContainer(node)) {
    const text = JSON.stringify(toValue(node))
    const same = choices.find((choice) => JSON.stringify(choice) === text)
    return same === undefined ? mismatch(node, listed) : fits(same)
  }
  const texts = choices.filter((choice) => typeof choice === "string")
  const aliases = schema["x-alias"]
  const words = namesOf(texts, schema)
  if (
    choices.includes(node.value as Json) &&
    !(typeof aliases === "object" && Object.hasOwn(aliases, String(node.value)))
  ) {
    return fits(node.value!)
  }
  for (const choice of choices) {
    if (typeof choice === "number" || typeof choice === "boolean") {
      const fit =
        typeof choice === "number"
          ? fitNumber(node, "number")
          : node.kind === "string"
            ? fitBoolean(node)
            : undefined
      if (fit?.value === choice) return fit
    }
  }
  const text = node.kind === "string" ? (node.value as string) : fitter.sourceOf(node)
  const found = exactly(words, text) ?? inSentence(node, words, text)
  return found === undefined
    ? mismatch(node, listed)
    : changed("to_enum", node, found.choice, found.cost, text.slice(0, 80))
}

interface Named {
  readonly choice: string
  readonly names: ReadonlyArray<string>
}

const namesOf = (choices: ReadonlyArray<string>, schema: ObjectSchema): ReadonlyArray<Named> => {
  const aliases = schema["x-alias"]
  const more = schema["x-aliases"]
  return choices.map((choice) => {
    const alias =
      typeof aliases === "object" && Object.hasOwn(aliases, choice) ? aliases[choice]! : choice
    const others =
      more !== undefined && !Array.isArray(more) && Object.hasOwn(more, choice)
        ? (more as { [value: string]: ReadonlyArray<string> })[choice]!
        : []
    return { choice, names: [alias, ...others] }
  })
}

interface Found {
  readonly choice: string
  readonly cost: number
}

const one = (found: ReadonlyArray<Named>, cost: number): Found | undefined =>
  found.length === 1 ? { choice: found[0]!.choice, cost } : undefined

/** Matches a choice, ignoring case, accents, and marks between and around words. */
const exactly = (words: ReadonlyArray<Named>, text: string): Found | undefined => {
  const plain = text.trim().replace(/^[*_"'`([{]+|[*_"'`)\]}.,;:!?@#]+$/g, "")
  for (const fold of [(name: string) => name, foldText, foldName]) {
    const wanted = new Set([fold(text), fold(plain)])
    const found = one(
      words.filter(({ names }) => names.some((name) => wanted.has(fold(name)))),
      COST.scalar,
    )
    if (found !== undefined) return found
  }
  return undefined
}

/** Longest text of a member or an item to search for a choice, in UTF-16 units. */
const MAX_PHRASE_UNITS = 40
/** Directly before a name: a negation. */
const DENIED = /(?:\b(?:not|no|never|nor|neither|without|except)|n't)\W+(?:\w+\W+){0,2}$/

/**
 * Matches a sentence that mentions one choice, or one more often than any other. Inside a document only a short phrase
 * qualifies, with one choice and no negation.
 */
const inSentence = (node: Node, words: ReadonlyArray<Named>, text: string): Found | undefined => {
  const found = mentions(words, text)
  if (node.parent !== undefined && (text.length > MAX_PHRASE_UNITS || found.length > 1))
    return undefined
  const [first, second] = found
  if (first === undefined || first.denied) return undefined
  if (second !== undefined && second.count === first.count) return undefined
  return { choice: first.choice, cost: COST.loose }
}

interface Mention {
  readonly choice: string
  readonly count: number
  readonly denied: boolean
}

/** Counts the mentions of each choice, most frequent first. A longer name hides a shorter one inside it. */
const mentions = (words: ReadonlyArray<Named>, text: string): ReadonlyArray<Mention> => {
  const names = words.flatMap(({ choice, names: all }) =>
    all.map((name) => ({ choice, name: foldText(name) })),
  )
  names.sort((a, b) => b.name.length - a.name.length)
  let rest = foldText(text)
  const counts = new Map<string, number>()
  const denied = new Set<string>()
  for (const { choice, name } of names) {
    if (name === "") continue
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}])${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
      "gu",
    )
    let count = 0
    rest = rest.replace(pattern, (_name, at: number, whole: string) => {
      count++
      if (DENIED.test(whole.slice(Math.max(0, at - 40), at))) denied.add(choice)
      return "\u0000"
    })
    if (count > 0) counts.set(choice, (counts.get(choice) ?? 0) + count)
  }
  return [...counts]
    .map(([choice, count]) => ({ choice, count, denied: denied.has(choice) }))
    .toSorted((a, b) => b.count - a.count)
}
