/** The file kind `Guard`: a question whose answer decides whether a request, a result or a reply passes. */
import { fileKind } from "@planloom/plugin/effect"
import { phrasesSchema, textsSchema, type PhrasesByLanguage, type Texts } from "./translated.ts"

/** The text that a guard is about. */
export type GuardPlace = "input" | "tool_result" | "whole"

export interface Guard {
  readonly name: string
  readonly at: GuardPlace
  readonly question: string | Texts
  readonly passes?: "yes" | "no"
  readonly verdict?: "flag" | "block"
  readonly phrases?: PhrasesByLanguage
}

export const guardKind = fileKind<Guard>({
  kind: "Guard",
  summary: "A question to a model, for the subagents `ask` and `ask_input`.",
  schema: {
    type: "object",
    properties: {
      name: {
        type: "string",
        format: "name",
        description: "The name that `guards` of the subagents uses, and of the rule in findings.",
      },
      at: {
        enum: ["input", "tool_result", "whole"],
        description:
          "What the question is about: the request, what the calls of the run brought back, or the complete text.",
      },
      question: {
        anyOf: [
          { type: "string", minLength: 1 },
          textsSchema("By language: that of the user, else the first."),
        ],
        description: "A question with the answer yes or no, for the model.",
      },
      passes: {
        enum: ["yes", "no"],
        description: "The answer that passes; `yes` unless written.",
      },
      verdict: {
        enum: ["flag", "block"],
        description: "The verdict on the other answer; `block` unless written.",
      },
      phrases: phrasesSchema(
        "What has one of these phrases gets the verdict without a question, in any language.",
      ),
    },
    required: ["name", "at", "question"],
    additionalProperties: false,
  },
})
