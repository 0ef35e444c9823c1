/** Stage kind `approve`: asks a person and waits for the answer. */
import { durationPattern } from "@planloom/plugin/duration"
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, JsonSchema, StageContext } from "@planloom/plugin/effect"
import { text } from "@planloom/stage-kit"

interface Input {
  readonly message: string
  readonly show?: Json
  readonly schema?: JsonSchema
  readonly expires?: string
  readonly default?: Json
}

/** A yes or a no, and why. */
const yesOrNo = {
  type: "object",
  properties: { approved: { type: "boolean" }, comment: { type: "string" } },
  required: ["approved"],
  additionalProperties: false,
} as const

const askApproval = (
  { default: otherwise, expires, message, schema, show }: Input,
  context: StageContext,
) =>
  Effect.map(
    context.ask({
      kind: "approval",
      message,
      schema: schema ?? yesOrNo,
      ...(show === undefined ? {} : { show }),
      ...(expires === undefined ? {} : { expires }),
      ...(otherwise === undefined
        ? {}
        : {
            default:
              schema === undefined && typeof otherwise === "boolean"
                ? { approved: otherwise }
                : otherwise,
          }),
    }),
    ({ by, value }): Json => {
      if (schema !== undefined) return value
      const { approved, comment } = value as JsonObject
      return { approved: approved === true, comment: comment ?? "", by }
    },
  )

export const approve = stageKind<Input>({
  id: "approve",
  summary: "Asks a person, and waits as long as it takes.",
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["message"],
    properties: {
      message: { ...text, minLength: 1, description: "the question" },
      show: { description: "what the person reviews" },
      schema: {
        type: "object",
        format: "json-schema",
        description: "JSON Schema of the answer; a yes or a no with a comment without it",
      },
      expires: {
        type: "string",
        pattern: durationPattern,
        description: "how long an answer is taken: 3d",
      },
      default: {
        description: "the answer once it has expired; without it the stage fails with timeout",
      },
    },
  },
  output: ({ schema }) =>
    schema === undefined
      ? {
          type: "object",
          additionalProperties: false,
          required: ["approved", "comment", "by"],
          properties: { approved: { type: "boolean" }, comment: text, by: text },
        }
      : (schema as { readonly [keyword: string]: Json }),
  asks: () => ({}),
  run: askApproval,
})
