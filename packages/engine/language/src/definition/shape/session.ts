/** The shape of `session:`: what a conversation keeps from one run to the next. */
import { isObject } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { containsExpression } from "@planloom/expression"
import type { Compaction, SessionDefinition, SessionState } from "../Definition.ts"
import { wrongType } from "../Shape.ts"
import type { DecodeContext, Shape } from "../Shape.ts"
import { record } from "./collections.ts"
import { checkSchema } from "./jsonSchema.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { number, oneOf, text } from "./scalars.ts"

const missing = (context: DecodeContext, key: string, help: string): void =>
  context.problem({ code: "PL0102", message: `the key "${key}" is missing`, help, spot: "key" })

/** JSON Schema words, `default` and `value` in one mapping. */
const state: Shape<SessionState> = {
  kind: "sessionState",
  expected: "a value to keep such as { type: integer, default: 0, value: … }",
  decode: (value, context) => {
    if (!isObject(value)) {
      wrongType(context, state.expected, value)
      return { schema: true, default: null, value: null }
    }
    const has = (key: string) => Object.hasOwn(value, key)
    if (!has("value")) {
      missing(context, "value", 'value: what it becomes at the end of a turn, such as "${{ … }}"')
    }
    if (!has("default")) missing(context, "default", "default: what it is in the first turn")
    else if (containsExpression(value["default"]!)) {
      context.at("default").problem({
        code: "PL0103",
        message: "a default is a plain value, without ${{ }}",
        help: "write the expression under value",
      })
    }
    checkSchema(value, context, ["value", "default"])
    const { default: first = null, value: next = null, ...words } = value
    return { schema: words as JsonSchema, default: first, value: next as Json }
  },
  schema: () => ({
    type: "object",
    required: ["default", "value"],
    properties: {
      type: { description: "A type of JSON Schema; its other words may stand here too." },
      default: { description: "What it is in the first turn." },
      value: { description: "What it becomes at the end of a turn." },
      description: { type: "string", description: "For people." },
    },
  }),
}

const compactFields = {
  after: optional(
    number({ integer: true, minimum: 1, maximum: 1000 }),
    "Turns above which the older ones are summarized; the window unless given.",
  ),
  by: optional(
    oneOf("model", "mechanical"),
    "Who summarizes: `model` where `model` is given, else `mechanical`.",
  ),
  model: optional(
    text("the name of a model"),
    "The model that summarizes; the default model unless given.",
  ),
  max_tokens: defaulted(
    number({ integer: true, minimum: 50, maximum: 100_000 }),
    400,
    "The greatest length of the summary.",
  ),
}

const compact = object(compactFields, {
  expected: "a compaction such as { after: 12, by: mechanical }",
  aliases: { tokens: "max_tokens", using: "by" },
})

const fields = {
  window: defaulted(
    number({ integer: true, minimum: 0, maximum: 1000 }),
    6,
    "How many turns are kept; older ones are dropped, or summarized.",
  ),
  compact: optional(compact, "Summarizes older turns instead of dropping them."),
  request: required(text(), "What a turn keeps of the user's request, as text."),
  assistant: required(text(), "What a turn keeps of the answer, as text."),
  entities: defaulted(
    number({ integer: true, minimum: 0, maximum: 1000 }),
    0,
    "How many entities of tool results are kept, last seen first.",
  ),
  state: defaulted(record(state), {}, "Values carried from turn to turn, by name."),
}

/** Keys of a session in the order of `fmt`. */
export const sessionKeys: ReadonlyArray<string> = Object.keys(fields)

const written = object(fields, {
  expected: "a session such as { request: …, assistant: … }",
  aliases: {
    turns: "window",
    history: "window",
    max_turns: "window",
    message: "request",
    user: "request",
    human: "request",
    reply: "assistant",
    answer: "assistant",
    response: "assistant",
    variables: "state",
    values: "state",
  },
})

/** Without turns it may still carry values or entities; with none of them, every turn would be the first one. */
export const session: Shape<SessionDefinition> = {
  ...written,
  decode: (value, context) => {
    const read = written.decode(value, context)
    if (read.window === 0 && read.entities === 0 && Object.keys(read.state).length === 0) {
      context.at("window").problem({
        code: "PL0106",
        message: "a session that keeps no turns and has no state keeps nothing",
        help: "name how many turns are kept (6 unless given), or a value to keep under state",
      })
    }
    return { ...read, compact: read.compact && compaction(read.compact, read.window, context) }
  },
}

type Written = typeof compact extends Shape<infer A> ? A : never

const compaction = (
  { after: given, by: who, max_tokens, model }: Written,
  window: number,
  context: DecodeContext,
): Compaction => {
  const by = who ?? (model === undefined ? "mechanical" : "model")
  const after = given ?? window
  const reject = (key: string, message: string, help: string) =>
    context.at("compact").at(key).problem({ code: "PL0106", message, help })
  if (window === 0) {
    context.at("compact").problem({
      code: "PL0106",
      message: "a session that keeps no turns has none to summarize",
      help: "name under window how many turns are kept (6 unless given)",
    })
  } else if (after < window) {
    reject(
      "after",
      `turns are summarized above ${after}, but ${window} are kept`,
      `write ${window} or more`,
    )
  }
  if (by === "mechanical" && model !== undefined) {
    reject("model", "a mechanical summary asks no model", "write by: model, or leave the model out")
  }
  return { after, by, model, max_tokens }
}
