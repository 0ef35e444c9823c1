/** Stage kind `generate`: writes text, or JSON of a given schema, from a task and context. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"
import type {
  Ask,
  Failure,
  Json,
  JsonObject,
  JsonSchema,
  StageContext,
} from "@planloom/plugin/effect"
import {
  attachedFiles,
  attachments,
  confidence,
  confidenceInstruction,
  confidenceReply,
  confidenceRule,
  corrections,
  readConfidence,
  DEFAULT_THRESHOLD,
  requireConfidence,
  text,
  withAttachments,
  withSummary,
} from "@planloom/stage-kit"
import type { ConfidenceRule } from "@planloom/stage-kit"
import { requireDefaults } from "../filledDefaults.ts"
import { fillShape, listFacts } from "../mechanicalText.ts"
import { valueLine } from "../summaries.ts"

interface Input {
  readonly task: string
  readonly context?: Json
  readonly attach?: ReadonlyArray<string>
  readonly schema?: JsonSchema
  readonly confidence?: ConfidenceRule
}

const SEPARATOR = "\n\n"

const shown = (context: Json): string =>
  typeof context === "string" ? context : JSON.stringify(context)

const requestOf = ({ context: known, task }: Input): string =>
  known === undefined ? task : `${task}${SEPARATOR}${shown(known)}`

const withModel = (input: Input, context: StageContext) =>
  Effect.flatMap(withAttachments(requestOf(input), input.attach, context), (content) =>
    asked(input, context, {
      messages: [{ role: "user", content }, ...corrections(context)],
    }),
  )

const asked = (input: Input, context: StageContext, ask: Ask): Effect.Effect<Json, Failure> => {
  if (input.confidence !== undefined) return judged(input, input.confidence, ask, context)
  return input.schema === undefined
    ? Effect.flatMap(
        context.model.text({ ...ask, parts: "reply" }),
        (reply): Effect.Effect<Json, StageFailed> => {
          const written = reply.text.trim()
          return written === ""
            ? Effect.fail(
                new StageFailed({ class: "invalid_output", message: "the model wrote no text" }),
              )
            : Effect.succeed({ text: written })
        },
      )
    : Effect.map(
        context.model.json({ ...ask, parts: "reply" }, { name: "value", schema: input.schema }),
        (value): Json => ({ value }),
      )
}

/** The question for the value wrapped in an object that also has the model's confidence. */
const judgedQuestion = (input: Pick<Input, "schema">, rule: ConfidenceRule) => {
  const name = input.schema === undefined ? "text" : "value"
  const schema = {
    type: "object",
    additionalProperties: false,
    required: [name],
    properties: {
      [name]: input.schema === undefined ? text : nestedSchema(input.schema, `/properties/${name}`),
      ...confidenceReply,
    },
  } as JsonSchema
  const instructions = `Reply as JSON. "${name}" is what is asked for, as well as you can. ${confidenceInstruction(rule.threshold ?? DEFAULT_THRESHOLD)}`
  return { instructions, name, schema }
}

const judged = (input: Input, rule: ConfidenceRule, ask: Ask, context: StageContext) => {
  const { instructions, name, schema } = judgedQuestion(input, rule)
  const sections = [{ id: "confidence", text: instructions, stable: true }]
  return Effect.flatMap(
    context.model.json({ ...ask, prompt: { sections } }, { name, schema }),
    (reply) => {
      const made = readConfidence(reply)
      const value = (reply as JsonObject)[name]!
      return requireConfidence(
        context,
        { [name]: typeof value === "string" ? value.trim() : value, confidence: made.confidence },
        { ...made, rule },
      )
    },
  )
}

/** The context, with the user's answers added. */
const merged = ({ context: known }: Input, { answers }: StageContext): Json => {
  if (answers.length === 0) return known ?? null
  const answered = Object.fromEntries(answers.map(({ answer, question }) => [question, answer]))
  if (known === undefined || known === null) return answered
  if (Array.isArray(known)) return [...(known as ReadonlyArray<Json>), answered]
  if (typeof known === "object") return { ...known, ...answered }
  const said = answers.map(({ answer }) => shown(answer))
  return [shown(known), ...said].join("\n")
}

/** Extracts sentences or fields of the context, with confidence 1. */
const mechanically = (input: Input, context: StageContext) =>
  Effect.suspend((): Effect.Effect<Json, StageFailed> => {
    const { confidence: rule, schema, task } = input
    const known = merged(input, context)
    const lines = schema === undefined ? listFacts(known, task) : ""
    const made: JsonObject | undefined =
      schema === undefined ? (lines === "" ? undefined : { text: lines }) : filled(schema, known)
    if (made !== undefined) {
      return rule === undefined
        ? Effect.succeed(made)
        : requireConfidence(context, { ...made, confidence: 1 }, { confidence: 1, rule })
    }
    const message =
      "without a model this can only be made from what the context holds, and that is not enough"
    const failure = Effect.fail(new StageFailed({ class: "no_model", message }))
    // The context is not enough: the author's clarifying question asks for more.
    return rule?.clarify === undefined
      ? failure
      : Effect.andThen(
          requireConfidence(context, null, { confidence: 0, rule, detail: { reason: message } }),
          failure,
        )
  })

const filled = (schema: JsonSchema, known: Json): JsonObject | undefined => {
  const value = fillShape(requireDefaults(schema), known)
  return value === undefined ? undefined : { value }
}

const summaryOf = (output: Json): string | undefined => {
  const { text: written, value } = output as { readonly text?: string; readonly value?: Json }
  return valueLine(written ?? value ?? null)
}

export const generate = stageKind<Input>({
  id: "generate",
  summary: "Writes text, or JSON of a given shape, from a task and what is known.",
  sections: ["confidence"],
  input: {
    type: "object",
    additionalProperties: false,
    required: ["task"],
    properties: {
      task: { ...text, minLength: 1, description: "what to write" },
      context: { description: "what to write it from" },
      attach: attachments,
      schema: {
        type: "object",
        format: "json-schema",
        description: "JSON Schema of the value wanted; text without it",
      },
      confidence: confidenceRule,
    },
  },
  output: ({ schema, confidence: rule }) => {
    const [name, shape] =
      schema === undefined ? ["text", text] : ["value", requireDefaults(schema as JsonSchema)]
    return {
      type: "object",
      required: rule === undefined ? [name] : [name, "confidence"],
      properties: { [name]: nestedSchema(shape as JsonSchema, `/properties/${name}`), confidence },
    } as JsonSchema
  },
  asks: ({ open, with: { confidence: rule, schema } }) => {
    if (open.includes("confidence") || open.includes("schema"))
      return { questions: [{ way: "json" }] }
    if (rule === undefined && schema === undefined) {
      return { questions: [{ way: "text", isReply: true, adds: [SEPARATOR] }] }
    }
    const shape = schema as JsonSchema | undefined
    const judgement = judgedQuestion(
      shape === undefined ? {} : { schema: shape },
      (rule ?? {}) as ConfidenceRule,
    )
    const { instructions, ...question } = judgement
    const texts = [SEPARATOR, instructions, JSON.stringify(question)]
    return { questions: [{ way: "json", isReply: rule === undefined, adds: texts }] }
  },
  refers: attachedFiles,
  // With a confidence the reply is an object that the output is read from.
  streams: ({ confidence: rule, schema }) =>
    rule !== undefined ? undefined : schema === undefined ? "text" : "value",
  model: withSummary(withModel, summaryOf),
  mechanical: withSummary(mechanically, summaryOf),
})
