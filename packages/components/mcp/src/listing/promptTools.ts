/** The prompts of a server as tools that give their texts: only authors name them. */
import type { JsonObject } from "@planloom/plugin/effect"
import { isObject, type Json } from "@planloom/schema"
import type { Connection, RawResult } from "../connection/Connection.ts"
import { McpFailed } from "../McpFailed.ts"
import { cleanTool, type ListedTool } from "./cleanTool.ts"

/** Before the names of prompts. */
export const PROMPTS = "prompts."

/** A prompt as a server lists it → a tool, or the reason why it is left out. */
export const promptTool = (
  given: Json,
  hide: (text: string) => string,
): ReturnType<typeof cleanTool> => {
  if (!isObject(given)) return { name: PROMPTS, why: "it is no object" }
  const { arguments: args = [], description, name, title } = given
  if (typeof name !== "string" || name === "") return { name: PROMPTS, why: "it has no name" }
  const inputSchema = schemaOf(args)
  if (inputSchema === undefined) {
    return { name: `${PROMPTS}${name}`, why: "its arguments are no list of names" }
  }
  const made = cleanTool(
    {
      name: `${PROMPTS}${name}`,
      inputSchema,
      ...(description === undefined ? {} : { description }),
      ...(title === undefined ? {} : { title }),
    },
    hide,
    false,
  )
  return "tool" in made ? { tool: { ...made.tool, prompt: name } } : made
}

/** Arguments of prompts are texts. */
const schemaOf = (args: Json): JsonObject | undefined => {
  if (!Array.isArray(args)) return undefined
  const properties: { [name: string]: Json } = {}
  const required: Array<string> = []
  for (const arg of args as ReadonlyArray<Json>) {
    const name = isObject(arg) ? arg["name"] : undefined
    if (!isObject(arg) || typeof name !== "string" || name === "") return undefined
    const { description } = arg
    properties[name] = {
      type: "string",
      ...(typeof description === "string" ? { description } : {}),
    }
    if (arg["required"] === true) required.push(name)
  }
  return { type: "object", properties, required, additionalProperties: false }
}

/** The messages of a prompt, as if they were the result of a tool. Rejects with a `McpFailed`. */
export const readPrompt = async (
  { name, prompt }: ListedTool,
  connection: Connection,
  params: JsonObject,
  signal: AbortSignal,
): Promise<RawResult> => {
  const { messages } = await connection.request(
    "prompts/get",
    { name: prompt!, arguments: params },
    signal,
  )
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    throw new McpFailed("tool_error", `"${name}" gave no list of messages`)
  }
  const all = messages as ReadonlyArray<Message>
  const isAlone = all.every(({ role }) => role === all[0]!.role)
  const texts = all.flatMap(({ content, role }) =>
    content["type"] === "text" && typeof content["text"] === "string"
      ? [isAlone ? content["text"] : `${role}:\n${content["text"]}`]
      : [],
  )
  return {
    content: [
      { type: "text", text: texts.join("\n\n") },
      ...all.flatMap(({ content }) => (content["type"] === "text" ? [] : [content])),
    ],
  }
}

interface Message {
  readonly role: "assistant" | "user"
  readonly content: JsonObject
}

const isMessage = (given: Json): boolean =>
  isObject(given) &&
  (given["role"] === "user" || given["role"] === "assistant") &&
  isObject(given["content"])
