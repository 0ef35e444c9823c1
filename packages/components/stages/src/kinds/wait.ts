/** Stage kind `wait`: waits for a time, or for a signal with data from outside. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, JsonSchema, StageContext } from "@planloom/plugin/effect"
import { durationPattern, parseDuration } from "@planloom/plugin/duration"
import { text } from "@planloom/stage-kit"

interface Input {
  readonly for?: string
  readonly until?: string
  readonly signal?: string
  readonly message?: string
  readonly schema?: JsonSchema
  readonly expires?: string
  readonly default?: Json
}

const refused = (message: string) =>
  Effect.fail(new StageFailed({ class: "invalid_request", message }))

const waitForTime = ({ for: duration, until }: Input, context: StageContext) =>
  Effect.gen(function* () {
    const end =
      until === undefined
        ? (yield* context.now) + parseDuration(duration!)!
        : /T.*(Z|[+-]\d\d:\d\d)$/i.test(until)
          ? Date.parse(until)
          : Number.NaN
    if (Number.isNaN(end)) {
      return yield* refused(
        `\`until\` is a time with its zone, such as 2026-03-01T09:00:00Z, not ${JSON.stringify(until)}`,
      )
    }
    yield* context.sleepUntil(end)
    return new Date(end).toISOString() as Json
  })

const waitForSignal = (
  { default: otherwise, expires, message, schema, signal }: Input,
  context: StageContext,
) =>
  Effect.map(
    context.ask({
      key: signal!,
      kind: "signal",
      message: message ?? `waits for the signal "${signal}"`,
      ...(schema === undefined ? {} : { schema }),
      ...(expires === undefined ? {} : { expires }),
      ...(otherwise === undefined ? {} : { default: otherwise }),
    }),
    ({ value }) => value,
  )

const keys = ["for", "until", "signal"] as const

const outputOf = (
  given: JsonObject,
  isDefault: JsonSchema | undefined,
): { readonly [keyword: string]: Json } | true => {
  if (given["signal"] === undefined) return { type: "string" }
  const schema = given["schema"]
  if (schema === undefined || schema === true) return true
  const answer = schema as { readonly [keyword: string]: Json }
  return isDefault === undefined ? answer : { anyOf: [answer, isDefault as Json] }
}

export const wait = stageKind<Input>({
  id: "wait",
  summary: "Waits for a time, or for a signal with data from outside.",
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      for: { type: "string", pattern: durationPattern, description: "how long: 30s, 3d" },
      until: { ...text, description: "a time with its zone: 2026-03-01T09:00:00Z" },
      signal: {
        type: "string",
        pattern: "^[a-z][a-z0-9_]*$",
        description: "the name of the signal; its data is the output",
      },
      message: { ...text, description: "of a signal: what it is for, for those who send it" },
      schema: {
        type: "object",
        format: "json-schema",
        description: "of a signal: JSON Schema of its data",
      },
      expires: {
        type: "string",
        pattern: durationPattern,
        description: "of a signal: how long it is taken: 3d",
      },
      default: {
        description:
          "of a signal: the output once it has expired; without it the stage fails with timeout",
      },
    },
  },
  output: (given, known) => outputOf(given, known.given("default")),
  asks: () => ({}),
  run: (input, context) => {
    const written = keys.filter((key) => input[key] !== undefined)
    if (written.length !== 1) {
      return refused(
        `\`with\` needs one of for, until and signal, it has ${written.join(" and ") || "none"}`,
      )
    }
    return input.signal === undefined ? waitForTime(input, context) : waitForSignal(input, context)
  },
})
