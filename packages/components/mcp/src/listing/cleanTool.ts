/** A tool as a server lists it → the tool as planners and models read it, or the reason why it is left out. */
import { hash } from "node:crypto"
import type { JsonSchema } from "@planloom/plugin/effect"
import { canonicalJson, isObject, rejectionOf, type Json } from "@planloom/schema"
import { cleanLine, cleanText, isClean } from "@planloom/plugin/clean"
import { headerProblem } from "./headerProblem.ts"

/** A tool of a server, without what the declaration of the server adds. */
export interface ListedTool {
  /** Its name at the server. */
  readonly raw: string
  /** The same, or a shorter one. */
  readonly name: string
  readonly title?: string
  readonly summary: string
  readonly when_to_use?: string
  readonly params: JsonSchema
  readonly result?: JsonSchema
  /** The server's own hints about it. */
  readonly readOnly?: true
  readonly idempotent?: true
  /** It stands for the resources of the server, which are only read. */
  readonly isResource?: true
  /** It stands for the prompt of this name at the server, whose text is read. */
  readonly prompt?: string
  /** Of all that a model or a person reads of it: a tool that changed has another. */
  readonly digest: string
}

export const MAX_NAME_CHARS = 64
const HASH_CHARS = 8
const MAX_SUMMARY_CHARS = 300
const MAX_DESCRIPTION_CHARS = 4000
const MAX_TITLE_CHARS = 100
const MAX_SCHEMA_CHARS = 200_000
const MAX_SCHEMA_DEPTH = 40
const MAX_SCHEMA_TEXT_CHARS = 1000

const usableName = /^[A-Za-z0-9_][A-Za-z0-9_.\-/]*$/

/** `hide` removes secrets: a server may repeat what it was given. */
export const cleanTool = (
  given: Json,
  hide: (text: string) => string,
  isHttp: boolean,
): { readonly tool: ListedTool } | { readonly name: string; readonly why: string } => {
  if (!isObject(given)) return { name: "", why: "it is no object" }
  const { annotations, description, execution, inputSchema, name, outputSchema, title } = given
  const shown = typeof name === "string" ? cleanLine(name, MAX_NAME_CHARS) : ""
  const out = (why: string) => ({ name: shown, why })
  if (typeof name !== "string" || name === "") return out("it has no name")
  if (!usableName.test(name) || name.includes("..")) {
    return out("its name has other characters than letters, digits, `_`, `-`, `.` and `/`")
  }
  if (isObject(execution) && execution["taskSupport"] === "required") {
    return out("it runs only as a task, which is not supported")
  }
  if (!isObject(inputSchema) || (inputSchema["type"] ?? "object") !== "object") {
    return out("its input schema is not one of an object")
  }
  const params = cleanSchema({ ...inputSchema, type: "object" }, hide)
  if (typeof params === "string") return out(`its input schema ${params}`)
  const result = outputSchema === undefined ? undefined : cleanSchema(outputSchema, hide)
  if (typeof result === "string") return out(`its output schema ${result}`)
  const badHeader = isHttp ? headerProblem(params) : undefined
  if (badHeader !== undefined) return out(badHeader)
  const hints = isObject(annotations) ? annotations : {}
  const label = [title, hints["title"]].find((one) => typeof one === "string" && one !== "")
  const whole =
    typeof description === "string"
      ? hide(cleanText(description, MAX_DESCRIPTION_CHARS)).trim()
      : ""
  const { rest, summary } = splitDescription(whole)
  const tool = {
    raw: name,
    name: shortName(name),
    ...(typeof label === "string" ? { title: hide(cleanLine(label, MAX_TITLE_CHARS)) } : {}),
    summary: summary === "" ? name.replaceAll(/[_.\-/]+/g, " ") : summary,
    ...(rest === "" ? {} : { when_to_use: rest }),
    params,
    ...(result === undefined ? {} : { result }),
    ...(hints["readOnlyHint"] === true ? { readOnly: true as const } : {}),
    ...(hints["idempotentHint"] === true ? { idempotent: true as const } : {}),
  }
  return { tool: { ...tool, digest: digestOf(tool) } }
}

/** Long names differ in their ends, which a cut would remove. */
export const shortName = (name: string): string =>
  name.length <= MAX_NAME_CHARS
    ? name
    : `${name.slice(0, MAX_NAME_CHARS - HASH_CHARS - 1)}_${hash("sha256", name).slice(0, HASH_CHARS)}`

const digestOf = (tool: Omit<ListedTool, "digest">): string =>
  hash("sha256", canonicalJson(tool as unknown as Json)).slice(0, 32)

/** The first sentence or line, and what follows. */
const splitDescription = (text: string): { readonly summary: string; readonly rest: string } => {
  const [, first = "", rest = ""] = /^(.+?(?:[.!?](?=\s)|(?=\n)|$))([^]*)$/.exec(text) ?? []
  return first.length <= MAX_SUMMARY_CHARS
    ? { summary: first.trim(), rest: rest.trim() }
    : { summary: cleanLine(first, MAX_SUMMARY_CHARS), rest: text }
}

/** The schema with clean texts for people, or what is wrong with it. */
const cleanSchema = (given: Json, hide: (text: string) => string): JsonSchema | string => {
  if (typeof given === "boolean") return given
  if (!isObject(given)) return "is no schema"
  const clean = (value: Json, key: string, depth: number): Json => {
    if (depth > MAX_SCHEMA_DEPTH) throw new Refused("is nested too deeply")
    if (typeof value === "string") {
      return texts.has(key) ? hide(cleanText(value, MAX_SCHEMA_TEXT_CHARS)) : value
    }
    if (Array.isArray(value)) return value.map((one: Json) => clean(one, "", depth + 1))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        if (!isClean(name)) throw new Refused("has names with invisible characters")
        return [name, clean(one, name, depth + 1)]
      }),
    )
  }
  try {
    // First, because a text of what is nested without end cannot be made.
    const schema = clean(given, "", 0) as JsonSchema
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return "is too large"
    const rejection = rejectionOf(schema)
    return rejection === undefined ? schema : `cannot be used: ${cleanLine(rejection.message, 300)}`
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

class Refused extends Error {}

/** Keywords of schemas whose texts are for readers. */
const texts = new Set(["description", "title", "$comment"])
