/** Writes text, or JSON of a given shape, from a task and what is known. */
import * as Effect from "effect/Effect"
import { stageKind, StageFailed } from "@planloom/plugin"
import type { Json, JsonSchema, StageContext } from "@planloom/plugin"
import { corrections } from "../corrections.ts"
import { fillShape, listFacts } from "../mechanicalText.ts"
import { text } from "../schemas.ts"
import { valueLine } from "../summaries.ts"
import { withSummary } from "../withSummary.ts"

interface Input {
  readonly task: string
  readonly context?: Json
  readonly schema?: JsonSchema
}

const shown = (context: Json): string =>
  typeof context === "string" ? context : JSON.stringify(context)

const messages = (input: Input) => [
  {
    role: "user" as const,
    content: input.context === undefined ? input.task : `${input.task}\n\n${shown(input.context)}`,
  },
]

const withModel = (input: Input, context: StageContext) => {
  const ask = { messages: [...messages(input), ...corrections(context)] }
  return input.schema === undefined
    ? Effect.map(context.model.text(ask), (reply): Json => ({ text: reply.text.trim() }))
    : Effect.map(
        context.model.json(ask, { name: "value", schema: input.schema }),
        (value): Json => ({ value }),
      )
}

/** Says what is known, and nothing else: the context's own sentences or fields. */
const mechanically = (input: Input) =>
  Effect.suspend(() => {
    if (input.schema === undefined) {
      const lines = listFacts(input.context ?? null, input.task)
      if (lines !== "") return Effect.succeed<Json>({ text: lines })
    } else {
      const filled = fillShape(input.schema, input.context ?? null)
      if (filled !== undefined) return Effect.succeed<Json>({ value: filled })
    }
    return Effect.fail(
      new StageFailed({
        class: "no_model",
        message:
          "without a model this can only be made from what the context holds, and that is not enough",
      }),
    )
  })

const said = (output: Json): string | undefined => {
  const { text: written, value } = output as { readonly text?: string; readonly value?: Json }
  return valueLine(written ?? value ?? null)
}

export const generate = stageKind<Input>({
  id: "generate",
  summary: "Writes text, or JSON of a given shape, from a task and what is known.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["task"],
    properties: {
      task: { ...text, minLength: 1, description: "what to write" },
      context: { description: "what to write it from" },
      schema: {
        type: "object",
        description: "JSON Schema of the value wanted; text without it",
      },
    },
  },
  output: ({ schema }) =>
    schema === undefined
      ? { type: "object", required: ["text"], properties: { text } }
      : {
          type: "object",
          required: ["value"],
          properties: { value: schema as { readonly [keyword: string]: Json } },
        },
  model: withSummary(withModel, said),
  mechanical: withSummary(mechanically, said),
})
