/** Stage kind `emit`: emits a named event with data, for the user or the operator of the run. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { text } from "@planloom/stage-kit"

interface Input {
  readonly name: string
  readonly data: Json
  readonly schema?: JsonSchema
  readonly audience: "user" | "operator"
  readonly message?: string
}

/** Notes of the engine and of built-in stage kinds, which commands and metrics read. */
const reserved = ["confidence", "coverage", "cut_reply", "plan", "shortened_prompt", "summary"]

export const emit = stageKind<Input>({
  id: "emit",
  summary: "Emits a named event with data, for the user or the operator of the run.",
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name: {
        type: "string",
        pattern: "^[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)?$",
        not: { enum: reserved },
        description: "the name of the event",
      },
      data: { default: null, description: "its data: any value" },
      schema: { type: "object", format: "json-schema", description: "JSON Schema of the data" },
      audience: {
        enum: ["user", "operator"],
        default: "user",
        description: "user: shown to those who watch the run; operator: in the record alone",
      },
      message: { ...text, description: "one line for people" },
    },
  },
  output: (_, known) => known.given("data") ?? true,
  asks: () => ({}),
  run: ({ audience, data, message, name, schema }, context) => {
    const issues = schema === undefined ? [] : validatorOf(schema)(data)
    if (issues.length > 0) {
      return Effect.fail(
        new StageFailed({
          class: "invalid_request",
          message: `the data of the event "${name}" does not fit: ${formatIssues(issues)}`,
        }),
      )
    }
    const shown = message ?? (data === null ? name : `${name}: ${JSON.stringify(data)}`)
    return Effect.as(
      context.note(name, data, {
        audience,
        text: shown,
        ...(schema === undefined ? {} : { schema }),
      }),
      data,
    )
  },
})
