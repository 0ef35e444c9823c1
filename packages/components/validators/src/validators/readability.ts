/** The validator `readability`: how easy a text is to read, by published formulas. */
import { validator } from "@planloom/plugin/effect"
import { passed } from "@planloom/review-kit"
import { syllable } from "syllable"

interface Options {
  readonly language?: "en" | "es"
  readonly min_ease?: number
  readonly max_grade?: number
  readonly min_words?: number
  readonly action?: "flag" | "block"
}

/** Words below which the formulas say little. */
const MIN_WORDS = 30

const WORD = /\p{L}[\p{L}\p{M}'’]*/gu

export const readability = validator<Options>({
  id: "readability",
  summary: "Compares how easy a text is to read with what is asked of it.",
  class: "quality",
  can: ["pass", "flag", "block"],
  input: {
    type: "object",
    properties: {
      language: { enum: ["en", "es"], description: "Language of the text; `en` unless written." },
      min_ease: {
        type: "number",
        description:
          "Least reading ease: 0 is hard, 60 plain, 100 very easy. Flesch (1948) for `en`, Fernández Huerta (1959) for `es`; 50 unless `max_grade` is written.",
      },
      max_grade: {
        type: "number",
        description: "Highest US school grade (Kincaid and others, 1975); for `en` only.",
      },
      min_words: {
        type: "integer",
        minimum: 1,
        description: `Words that a text must have to be compared; ${MIN_WORDS} unless written.`,
      },
      action: {
        enum: ["flag", "block"],
        description: "What becomes of a text that is harder; `flag` unless written.",
      },
    },
    additionalProperties: false,
  },
  check: ({ language = "en", max_grade }) =>
    max_grade === undefined || language === "en"
      ? []
      : [
          {
            code: "READABILITY001",
            message: `no formula gives a US school grade for "${language}"`,
            at: ["max_grade"],
            fix: "use `min_ease`",
          },
        ],
  rules: ["min_ease", "max_grade"],
  validate: (text, options) => {
    const { action = "flag", language = "en", max_grade, min_words = MIN_WORDS } = options
    const words = text.match(WORD) ?? []
    if (words.length < min_words) return passed("the text is too short to be compared")
    const { ease, grade } = measured(text, words, language)
    const least = options.min_ease ?? (max_grade === undefined ? 50 : -Infinity)
    const issues = [
      ...(ease < least ? [`a reading ease of ${ease.toFixed(0)}, at least ${least}`] : []),
      ...(max_grade !== undefined && grade > max_grade
        ? [`a school grade of ${grade.toFixed(1)}, at most ${max_grade}`]
        : []),
    ]
    if (issues.length === 0) return passed(`the text has a reading ease of ${ease.toFixed(0)}`)
    const rules = [
      ...(ease < least ? ["min_ease"] : []),
      ...(max_grade !== undefined && grade > max_grade ? ["max_grade"] : []),
    ]
    const reason = `the text has ${issues.join("; ")}`
    return { verdict: action, confidence: 1, reason, issues, rules }
  },
})

const measured = (
  text: string,
  words: ReadonlyArray<string>,
  language: "en" | "es",
): { readonly ease: number; readonly grade: number } => {
  const sentences = Math.max(1, (text.match(/[^.!?\n]*\p{L}[^.!?\n]*/gu) ?? []).length)
  const count = language === "en" ? syllable : spanishSyllables
  const syllables = words.reduce((sum, word) => sum + Math.max(1, count(word)), 0)
  const perSentence = words.length / sentences
  const perWord = syllables / words.length
  return {
    ease:
      language === "en"
        ? 206.835 - 1.015 * perSentence - 84.6 * perWord
        : 206.84 - 1.02 * perSentence - 60 * perWord,
    grade: 0.39 * perSentence + 11.8 * perWord - 15.59,
  }
}

/** Groups of vowels; two strong ones, and a weak one with an accent beside a strong one, are apart. */
const spanishSyllables = (word: string): number =>
  (
    word
      .toLowerCase()
      .replaceAll(/([gq])u(?=[eéií])/g, "$1")
      .replaceAll(/([aeoáéó])(?=[aeoáéóíú])|([íú])(?=[aeoáéó])/g, "$1$2-")
      .match(/[aeiouáéíóúü]+|(?<=\p{L})y$/gu) ?? []
  ).length
