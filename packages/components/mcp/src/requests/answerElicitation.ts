/** A question of a server to the person who is there now: a form, or an address to open. Without an answer it is declined. */
import { isObject, type Json } from "@planloom/schema"
import type { Answer, JsonObject, JsonSchema, Question } from "@planloom/plugin/effect"
import { cleanLine, cleanText } from "@planloom/plugin/clean"

type Ask = (question: Question) => Promise<Answer>

const MAX_MESSAGE_CHARS = 1000

/** `server` is its name, which stands before its words: what a server asks is not what the workflow asks. */
export const answerElicitation = async (
  params: JsonObject,
  server: string,
  ask: Ask,
): Promise<JsonObject> => {
  const { message, mode = "form", requestedSchema, url } = params
  const said = `${server}: ${cleanText(String(message ?? ""), MAX_MESSAGE_CHARS)}`
  if (mode === "url") return visited(said, url, ask)
  const fields = formFields(requestedSchema)
  if (mode !== "form" || fields === undefined) return declined
  const schema = formSchema(fields, requestedSchema)
  const { value } = await ask({ kind: "signal", message: said, schema, default: null })
  return isObject(value)
    ? { action: "accept", content: { ...defaultsOf(fields), ...value } }
    : declined
}

const declined = { action: "decline" } as const

const visited = async (said: string, url: Json | undefined, ask: Ask): Promise<JsonObject> => {
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined
  if (address?.protocol !== "https:" && address?.protocol !== "http:") return declined
  const { value } = await ask({
    kind: "approval",
    message: `${said} (opens ${cleanLine(address.href, MAX_MESSAGE_CHARS)})`,
    show: { url: address.href, host: address.host },
    default: null,
  })
  return isObject(value) && value["approved"] === true ? { action: "accept" } : declined
}

const fieldTypes = new Set(["string", "number", "integer", "boolean", "array"])

type Fields = { readonly [name: string]: JsonObject }

/** Undefined unless the schema is a form: an object of single values. */
const formFields = (given: Json | undefined): Fields | undefined => {
  if (!isObject(given) || given["type"] !== "object" || !isObject(given["properties"])) {
    return undefined
  }
  const fields: { [name: string]: JsonObject } = {}
  for (const [name, field] of Object.entries(given["properties"])) {
    if (!isObject(field) || !fieldTypes.has(String(field["type"]))) return undefined
    const texts = ["title", "description"].flatMap((key) => {
      const text = field[key]
      return typeof text === "string" ? [[key, cleanText(text, MAX_MESSAGE_CHARS)] as const] : []
    })
    fields[name] = { ...field, ...Object.fromEntries(texts) }
  }
  return fields
}

/** Of the answer: null declines. */
const formSchema = (properties: Fields, given: Json | undefined): JsonSchema => {
  const { required } = given as { readonly required?: Json }
  return {
    anyOf: [
      {
        type: "object",
        properties,
        ...(Array.isArray(required) ? { required: required as ReadonlyArray<string> } : {}),
        additionalProperties: false,
      },
      { type: "null" },
    ],
  }
}

/** The server's suggested values, for fields that a person leaves open. */
const defaultsOf = (fields: Fields): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
