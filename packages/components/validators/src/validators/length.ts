/** The validator `length`: the least and the most that a text may have. */
import { validator } from "@planloom/plugin/effect"
import { passed } from "@planloom/review-kit"

const units = {
  characters: "characters",
  words: "words",
  sentences: "sentences",
} as const
type Unit = keyof typeof units

interface Options {
  readonly min?: { readonly [unit in Unit]?: number }
  readonly max?: { readonly [unit in Unit]?: number }
  readonly action?: "flag" | "block"
}

const bounds = (what: string) => ({
  type: "object",
  properties: Object.fromEntries(
    Object.keys(units).map((unit) => [
      unit,
      { type: "integer", minimum: 0, description: `${what} ${unit} that a text may have.` },
    ]),
  ),
  additionalProperties: false,
})

export const length = validator<Options>({
  id: "length",
  summary: "Compares the length of a text with the least and the most that it may have.",
  class: "quality",
  can: ["pass", "flag", "block"],
  input: {
    type: "object",
    properties: {
      min: bounds("The least"),
      max: bounds("The most"),
      action: {
        enum: ["flag", "block"],
        description: "What becomes of a text of another length; `flag` unless written.",
      },
    },
    additionalProperties: false,
  },
  check: ({ max = {}, min = {} }) => {
    if (Object.keys({ ...min, ...max }).length === 0) {
      const fix = "add `min` or `max`, such as max: { words: 120 }"
      return [{ code: "LENGTH001", message: "any length passes: there is no limit", at: [], fix }]
    }
    return (Object.keys(units) as ReadonlyArray<Unit>)
      .filter((unit) => (min[unit] ?? 0) > (max[unit] ?? Infinity))
      .map((unit) => ({
        code: "LENGTH002",
        message: `no text has at least ${min[unit]} and at most ${max[unit]} ${unit}`,
        at: ["min", unit],
        fix: "exchange the numbers of `min` and `max`",
      }))
  },
  rules: Object.keys(units).flatMap((unit) => [`min_${unit}`, `max_${unit}`]),
  validate: (text, { action = "flag", max = {}, min = {} }) => {
    const counts: { readonly [unit in Unit]: number } = {
      characters: text.length,
      words: countOf(text, /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu),
      sentences: countOf(text, /[^.!?\n]*[\p{L}\p{N}][^.!?\n]*/gu),
    }
    const broken = (Object.keys(units) as ReadonlyArray<Unit>).flatMap((unit) => {
      const [least = 0, most = Infinity] = [min[unit], max[unit]]
      const count = counts[unit]
      if (count < least)
        return [{ rule: `min_${unit}`, issue: `${count} ${unit}, at least ${least}` }]
      return count > most
        ? [{ rule: `max_${unit}`, issue: `${count} ${unit}, at most ${most}` }]
        : []
    })
    if (broken.length === 0) return passed("the text has a length that it may have")
    const issues = broken.map(({ issue }) => issue)
    const rules = broken.map(({ rule }) => rule)
    const reason = `the text has ${issues.join("; ")}`
    return { verdict: action, confidence: 1, reason, issues, rules }
  },
})

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
