/** The file kind `Regulation`: what answers must and must not say, by rule. */
import * as Effect from "effect/Effect"
import { fileKind, type Problem } from "@planloom/plugin/effect"
import {
  hasPhrase,
  phrasesSchema,
  textsSchema,
  type PhrasesByLanguage,
  type Texts,
} from "./translated.ts"

export interface RegulationRule {
  readonly id: string
  readonly summary: string
  readonly applies?: {
    readonly mentions?: PhrasesByLanguage
    readonly tools?: ReadonlyArray<string>
  }
  readonly must_contain?: PhrasesByLanguage
  readonly append?: Texts
  readonly must_not_contain?: PhrasesByLanguage
  readonly question?: string
  readonly verdict?: "flag" | "block"
}

export interface Regulation {
  readonly name: string
  readonly title?: string
  readonly source?: string
  readonly rules: ReadonlyArray<RegulationRule>
}

export const regulationKind = fileKind<Regulation>({
  kind: "Regulation",
  summary: "Rules of one regulation, for the subagent `compliance_checker`.",
  schema: {
    type: "object",
    properties: {
      name: {
        type: "string",
        format: "name",
        description: "The name that `rules` of the subagent uses.",
      },
      title: {
        type: "string",
        minLength: 1,
        description: "The name of the regulation for people.",
      },
      source: { type: "string", minLength: 1, description: "Where its text is published." },
      rules: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            id: { type: "string", format: "name", description: "Name of the rule in findings." },
            summary: {
              type: "string",
              minLength: 1,
              description: "What the rule requires, for people.",
            },
            applies: {
              type: "object",
              description: "The rule applies if one of these holds; always, unless written.",
              properties: {
                mentions: phrasesSchema("The request or the text has one of these phrases."),
                tools: {
                  type: "array",
                  items: { type: "string", minLength: 1 },
                  minItems: 1,
                  description: "A call of one of these tools succeeded in the run.",
                },
              },
              additionalProperties: false,
              minProperties: 1,
            },
            must_contain: phrasesSchema(
              "The text must have one of these phrases, in any language.",
            ),
            append: textsSchema(
              "What is appended to a text that lacks every phrase of `must_contain`, by language; without it, the verdict counts.",
            ),
            must_not_contain: phrasesSchema("The text must have none of these phrases."),
            question: {
              type: "string",
              minLength: 1,
              description: "A question on the text for the model; yes means that the rule is kept.",
            },
            verdict: {
              enum: ["flag", "block"],
              description: "The verdict on a text that breaks the rule; `block` unless written.",
            },
          },
          required: ["id", "summary"],
          anyOf: [
            { required: ["must_contain"] },
            { required: ["must_not_contain"] },
            { required: ["question"] },
          ],
          additionalProperties: false,
        },
        description: "Each with phrases, a question, or both.",
      },
    },
    required: ["name", "rules"],
    additionalProperties: false,
  },
  check: ({ rules }) =>
    Effect.succeed([
      ...rules.flatMap(({ id }, index): ReadonlyArray<Problem> =>
        rules.findIndex((one) => one.id === id) === index
          ? []
          : [
              {
                code: "REGULATION1",
                message: `two rules have the id "${id}"`,
                at: ["rules", index, "id"],
                fix: "Give each rule an id of its own.",
              },
            ],
      ),
      ...rules.flatMap(appendProblems),
    ]),
})

/** A text to append that would leave its rule broken. */
const appendProblems = (
  { append = {}, must_contain, must_not_contain }: RegulationRule,
  index: number,
): ReadonlyArray<Problem> =>
  Object.entries(append).flatMap(([language, text]): ReadonlyArray<Problem> => {
    const at = ["rules", index, "append", language]
    if (!hasPhrase(text, must_contain)) {
      const message = "the text has none of the phrases of `must_contain`"
      return [{ code: "REGULATION2", message, at, fix: "Write one of the phrases into it." }]
    }
    return hasPhrase(text, must_not_contain)
      ? [
          {
            code: "REGULATION2",
            message: "the text has a phrase of `must_not_contain`",
            at,
            fix: "Remove the phrase.",
          },
        ]
      : []
  })
