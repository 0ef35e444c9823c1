/** The shape of `session:`: what a conversation keeps from one run to the next. */
import { isObject } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { containsExpression } from "@planloom/expression"
import type { SessionDefinition, SessionState } from "../Definition.ts"
import { wrongType } from "../Shape.ts"
import type { DecodeContext, Shape } from "../Shape.ts"
import { record } from "./collections.ts"
import { checkSchema } from "./jsonSchema.ts"
import { defaulted, object, required } from "./object.ts"
import { number, text } from "./scalars.ts"

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
    checkSchema(value, context, ["value"])
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

const fields = {
  window: defaulted(
    number({ integer: true, minimum: 0, maximum: 1000 }),
    6,
    "How many turns are kept; older ones are dropped.",
  ),
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

const written: Shape<SessionDefinition> = object(fields, {
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
    return read
  },
}
