/** The file kind `Opportunities`: what an answer may add when a condition holds. */
import * as Effect from "effect/Effect"
import { compileExpression, compileValue, ExpressionFailed } from "@planloom/expression"
import { fileKind, type Problem, type ValuePath } from "@planloom/plugin/effect"
import { phrasesSchema, textsSchema, type PhrasesByLanguage, type Texts } from "./translated.ts"

export interface Opportunity {
  readonly id: string
  readonly when: string
  readonly text: Texts
  readonly unless?: PhrasesByLanguage
  readonly wording?: boolean
  readonly repeats?: boolean
}

export interface Opportunities {
  readonly name: string
  readonly opportunities: ReadonlyArray<Opportunity>
}

/** What conditions and texts read. */
export const OPPORTUNITY_VARIABLES = ["request", "text", "data", "calls", "tools", "user", "turns"]

export const opportunitiesKind = fileKind<Opportunities>({
  kind: "Opportunities",
  summary: "Additions to answers, for the subagent `context_enricher`.",
  schema: {
    type: "object",
    properties: {
      name: {
        type: "string",
        format: "name",
        description: "The name that `from` of the subagent uses.",
      },
      opportunities: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            id: {
              type: "string",
              format: "name",
              description: "Name of the opportunity in findings.",
            },
            when: {
              type: "string",
              description:
                "CEL over `request`, `text`, `data`, `calls`, `tools` (their names), `user` and `turns`: the addition is made if it is true.",
            },
            text: textsSchema(
              "The addition by language, that of the user or else the first; with `${{ }}` over the same names.",
            ),
            unless: phrasesSchema("No addition to a text that has one of these phrases."),
            wording: {
              type: "boolean",
              description:
                "A model fits the words to the answer; its numbers must be those of `text`.",
            },
            repeats: {
              type: "boolean",
              description: "The addition is made in every turn of a session, not once.",
            },
          },
          required: ["id", "when", "text"],
          additionalProperties: false,
        },
        description: "In order: the first whose condition holds is used.",
      },
    },
    required: ["name", "opportunities"],
    additionalProperties: false,
  },
  check: ({ opportunities }) =>
    Effect.succeed(
      opportunities.flatMap(({ text, when }, index) => {
        const at = ["opportunities", index] as const
        return [
          ...problemsOf(() => compileExpression(when), [...at, "when"]),
          ...Object.entries(text).flatMap(([language, one]) =>
            problemsOf(() => compileValue(one), [...at, "text", language]),
          ),
        ]
      }),
    ),
})

const problemsOf = (
  compile: () => { readonly references: ReadonlyArray<ReadonlyArray<string>> },
  at: ValuePath,
): ReadonlyArray<Problem> => {
  try {
    const unknown = compile().references.find(([root]) => !OPPORTUNITY_VARIABLES.includes(root!))
    return unknown === undefined
      ? []
      : [
          {
            code: "OPPORTUNITY1",
            message: `"${unknown[0]}" is not known here`,
            at,
            fix: `Use one of ${OPPORTUNITY_VARIABLES.join(", ")}.`,
          },
        ]
  } catch (error) {
    if (!(error instanceof ExpressionFailed)) throw error
    return [{ code: "OPPORTUNITY2", message: error.message, at }]
  }
}
