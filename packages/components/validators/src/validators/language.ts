/** The subagent `language`: whether a text is in an expected language. It asks no model. */
import * as Effect from "effect/Effect"
import { subagent, type Finding } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { passed } from "@planloom/review-kit"
import type { eld as small } from "eld/small"

interface Options {
  readonly expected: string | ReadonlyArray<string>
  readonly min_letters?: number
  readonly action?: "flag" | "block"
}

/** Letters of a text that is too short to be sure. */
const MIN_LETTERS = 20

/** Characters that are enough to be sure. */
const MAX_READ = 2000

/** Languages that the tables distinguish. */
export const LANGUAGES =
  "am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh".split(
    " ",
  )

const code = { enum: LANGUAGES }

/** Its tables take half a second to load: no validator, which cannot wait, but a subagent. */
const detector = loadedOnce(async () => (await import("eld/small")).eld)

export const language = subagent<Options>({
  id: "language",
  summary: "Compares the language of a text with the expected ones.",
  class: "quality",
  can: ["pass", "flag", "block"],
  at: "whole",
  scope: "last",
  input: {
    type: "object",
    properties: {
      expected: {
        anyOf: [code, { type: "array", items: code, minItems: 1 }],
        description: "Languages that the text may have, one or a list: `en`, `[en, es]`.",
      },
      min_letters: {
        type: "integer",
        minimum: 1,
        description: `Letters that a text must have to be compared; ${MIN_LETTERS} unless written.`,
      },
      action: {
        enum: ["flag", "block"],
        description: "What becomes of a text in another language; `flag` unless written.",
      },
    },
    required: ["expected"],
    additionalProperties: false,
  },
  rules: LANGUAGES,
  review: ({ text }, { with: options }) => {
    const words = wordsOf(text)
    return words.replaceAll(/[^\p{L}]/gu, "").length < (options.min_letters ?? MIN_LETTERS)
      ? Effect.succeed(passed("the text is too short to know its language"))
      : Effect.map(detector(), (eld) => compared(eld, words, options))
  },
})

/** Links, code and numbers have no language. */
const wordsOf = (text: string): string =>
  text.slice(0, MAX_READ).replaceAll(/`[^`]*`|\S*(?:\/\/|@|\d)\S*/g, " ")

const compared = (
  eld: typeof small,
  words: string,
  { action = "flag", expected }: Options,
): Finding => {
  const found = eld.detect(words)
  const wanted = typeof expected === "string" ? [expected] : expected
  if (found.language === "" || wanted.includes(found.language)) {
    return passed(`the text is in ${found.language || "a language that was not recognized"}`)
  }
  const reason = `the text is in ${found.language} instead of ${wanted.join(" or ")}`
  const confidence = found.isReliable() ? 0.95 : 0.5
  return { verdict: action, confidence, reason, rules: [found.language] }
}
