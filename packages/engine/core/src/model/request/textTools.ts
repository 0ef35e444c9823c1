/** Tools for models without native function calling: described in the prompt, called by JSON in the reply's text. */
import * as Effect from "effect/Effect"
import type {
  Json,
  JsonObject,
  JsonSchema,
  Message,
  ModelReply,
  ModelRequest,
  ToolCall,
} from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import { nestedSchema, formatIssues } from "@planloom/schema"
import { readReply } from "../../reply/readReply.ts"

type Tools = NonNullable<ModelRequest["tools"]>

/** Calls in one reply; more would rarely be meant. */
const MAX_CALLS = 8

/** Whether the tools have to be described in text. A model that is not known is taken to call them natively. */
export const needsTextTools = (request: ModelRequest, facts: ModelFacts): boolean =>
  request.tools !== undefined && !facts.capabilities.includes("tools")

/** The request without native tools. Earlier calls and results become text, too. */
export const toTextTools = (request: ModelRequest, facts: ModelFacts): ModelRequest => {
  const { messages, tools = [], ...rest } = request
  const form = facts.capabilities.includes("json_schema") ? facts.structured : "text"
  const output = { name: "next", schema: requestedSchema(tools), described: true }
  return {
    ...rest,
    system: [...request.system, { text: description(tools) }],
    messages: merged(messages.map(asText)),
    output: form === undefined ? output : { ...output, form },
  }
}

/** A reply to tools in text. */
export interface TextReply extends ModelReply {
  /** Why its text cannot be read although it is JSON of the described kind. */
  readonly unread?: string
}

/** JSON that was meant as calls or as an answer. */
const meantAsJson = /^\s*(?:```\w*\s*)?\{\s*"(?:calls|answer)"/

/** A reply with the calls that its text contains; text that is not JSON of the described kind is the answer. */
export const fromTextTools = (
  reply: ModelReply,
  { messages }: Pick<ModelRequest, "messages">,
): Effect.Effect<TextReply> =>
  Effect.mapEager(readReply(reply, readSchema), (read) => {
    if (!read.ok) {
      return meantAsJson.test(reply.text)
        ? { ...reply, unread: formatIssues(read.issues, "it") }
        : reply
    }
    const { answer, calls } = read.value as {
      readonly answer?: string
      readonly calls?: ReadonlyArray<{ readonly tool: string; readonly params: JsonObject }>
    }
    const toolCalls = (calls ?? []).map(({ params, tool }, index): ToolCall => ({
      // Unique in the conversation: another model may read it natively.
      id: `call_${messages.length}_${index + 1}`,
      name: tool,
      arguments: params,
    }))
    return {
      ...reply,
      text: answer ?? "",
      toolCalls,
      finish: toolCalls.length > 0 ? "tool_calls" : reply.finish,
    }
  })

const description = (tools: Tools): string =>
  [
    "You can call tools. Reply with JSON and nothing else, in one of two forms:",
    '{"calls": [{"tool": "name", "params": {…}}]} to call tools; you then get their results.',
    '{"answer": "text"} to answer, once you need no more results.',
    "Tools:",
    ...tools.map(
      ({ description: does, name, parameters }) =>
        `- ${name}: ${does} Params: ${JSON.stringify(parameters)}`,
    ),
  ].join("\n")

/** Whether tools and params are right is for the loop to say, which can report it to the model. */
const readSchema: JsonSchema = {
  anyOf: [
    {
      type: "object",
      required: ["calls"],
      properties: {
        calls: {
          type: "array",
          minItems: 1,
          maxItems: MAX_CALLS,
          items: {
            type: "object",
            required: ["tool", "params"],
            properties: { tool: { type: "string" }, params: { type: "object" } },
          },
        },
      },
    },
    { type: "object", required: ["answer"], properties: { answer: { type: "string" } } },
  ],
}

const requestedSchema = (tools: Tools): JsonSchema => ({
  anyOf: [
    {
      type: "object",
      required: ["calls"],
      additionalProperties: false,
      properties: {
        calls: {
          type: "array",
          minItems: 1,
          maxItems: MAX_CALLS,
          items: {
            anyOf: tools.map(({ name, parameters }, index) => ({
              type: "object",
              required: ["tool", "params"],
              additionalProperties: false,
              properties: {
                tool: { type: "string", enum: [name] },
                params: nestedSchema(
                  parameters,
                  `/anyOf/0/properties/calls/items/anyOf/${index}/properties/params`,
                ),
              },
            })),
          },
        },
      },
    },
    {
      type: "object",
      required: ["answer"],
      additionalProperties: false,
      properties: { answer: { type: "string" } },
    },
  ],
})

const asText = (message: Message): Message => {
  if (message.role === "tool") {
    const content = `Result of ${message.name}: ${textOf(message.content)}`
    return { role: "user", content }
  }
  if (message.role === "user" || message.toolCalls === undefined) return message
  const calls = message.toolCalls.map(({ arguments: params, name }) => ({ tool: name, params }))
  return { role: "assistant", content: JSON.stringify({ calls }) }
}

const textOf = (content: Json): string =>
  typeof content === "string" ? content : JSON.stringify(content)

/** Templates of local models insist on alternating roles, so the results of one turn are one message. */
const merged = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const whole: Array<Message> = []
  for (const message of messages) {
    const last = whole.at(-1)
    if (
      last?.role === "user" &&
      message.role === "user" &&
      typeof last.content === "string" &&
      typeof message.content === "string"
    ) {
      whole[whole.length - 1] = { role: "user", content: `${last.content}\n${message.content}` }
    } else whole.push(message)
  }
  return whole
}
