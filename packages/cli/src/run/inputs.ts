/** Parses `--input` and `--inputs` to a workflow's inputs by their JSON Schemas. */
import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import { suggestion } from "../project/nearest.ts"
import { usage, type Refused } from "../Refused.ts"
import { definitions } from "../terminal/table.ts"
import { describeType, typesIn } from "./schemaText.ts"

export interface Declared {
  readonly [name: string]: JsonSchema
}

/** Merges the file and the flags. Refuses unknown, missing and invalid inputs. */
export const readInputs = (
  workflow: string,
  declared: Declared,
  flags: Pick<InputFlags, "input" | "inputs">,
): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const given: { [name: string]: Json } = {
      ...(flags.inputs === undefined ? {} : yield* fromFile(flags.inputs)),
    }
    const listed = new Set<string>()
    for (const text of flags.input) {
      const { name, value } = yield* parse(text, declared)
      const earlier = Object.hasOwn(given, name) ? given[name] : undefined
      // Repeated flags append to a list.
      const grows = listed.has(name) && Array.isArray(earlier) && Array.isArray(value)
      if (listed.has(name) && !grows) {
        return yield* usage(`the input "${name}" is given twice`, "leave one of the two out")
      }
      given[name] = grows
        ? [...(earlier as ReadonlyArray<Json>), ...(value as ReadonlyArray<Json>)]
        : value
      listed.add(name)
    }
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(declared, name))
    if (unknown !== undefined) return yield* unknownInput(unknown, declared)
    const missing = Object.keys(declared).filter(
      (name) => !Object.hasOwn(given, name) && !hasDefault(declared[name]!),
    )
    if (missing.length > 0) return yield* missingInputs(workflow, missing, declared)
    return given
  })

const hasDefault = (schema: JsonSchema): boolean =>
  typeof schema === "object" && "default" in schema

const parse = Effect.fnUntraced(function* (text: string, declared: Declared) {
  const equals = text.indexOf("=")
  if (equals < 1) {
    return yield* usage(
      `--input expects name=value, not "${text}"`,
      `${Object.keys(declared)[0] ?? "name"}=value`,
    )
  }
  const name = text.slice(0, equals)
  const schema = Object.hasOwn(declared, name) ? declared[name] : undefined
  if (schema === undefined) return yield* unknownInput(name, declared)
  const raw = text.slice(equals + 1)
  if (raw.startsWith("@@")) {
    return { name, value: yield* convert(name, { text: raw.slice(1) }, schema) }
  }
  if (!raw.startsWith("@")) return { name, value: yield* convert(name, { text: raw }, schema) }
  const file = raw.slice(1)
  if (typeof schema === "object" && schema["format"] === "path") {
    return yield* usage(`the input "${name}" is a path, and @ reads the file`, `${name}=${file}`)
  }
  const content = yield* textOf(file, `--input ${name}`)
  return { name, value: yield* convert(name, { text: content, file }, schema) }
})

/** Whether no text but JSON can be an item. */
const holdsObjects = (items: JsonSchema | undefined): boolean =>
  items !== undefined && [...typesIn(items)].join() === "object"

interface Given {
  readonly text: string
  /** The file that holds the text; its content is never shown. */
  readonly file?: string
}

/** Converts text by the input's schema: `--input n=3` is a number for a number input, text for a text input. */
const convert = (name: string, given: Given, schema: JsonSchema): Effect.Effect<Json, Refused> => {
  const { text } = given
  const types = typesIn(schema)
  const trimmed = text.trim()
  if (types.has("null") && trimmed === "null") return Effect.succeed(null)
  if (types.has("boolean") && /^(true|false)$/.test(trimmed))
    return Effect.succeed(trimmed === "true")
  if (
    (types.has("number") || types.has("integer")) &&
    trimmed !== "" &&
    Number.isFinite(Number(trimmed))
  ) {
    return Effect.succeed(Number(trimmed))
  }
  if (types.has("array") || types.has("object")) {
    const json = parseJson(trimmed)
    if (Array.isArray(json) ? types.has("array") : typeof json === "object" && json !== null) {
      return Effect.succeed(json as Json)
    }
  }
  if (types.has("string")) return Effect.succeed(text)
  const items = typeof schema === "object" ? (schema["items"] as JsonSchema | undefined) : undefined
  const isItem = given.file === undefined && !holdsObjects(items)
  if (types.has("array") && items !== undefined && isItem && !/^[[{]/.test(trimmed)) {
    return Effect.map(convert(name, given, items), (item) => [item])
  }
  if (types.size === 0) return Effect.succeed(parseJson(trimmed) ?? text)
  return Effect.fail(mismatch(name, given, schema))
}

/** A line of typed text is shown; the content of a file may be personal, and is not. */
const mismatch = (name: string, { file, text }: Given, schema: JsonSchema): Refused => {
  const types = typesIn(schema)
  const expected = `the input "${name}" expects ${describeType(schema)}`
  if (file !== undefined) {
    return usage(`${expected}, and ${file} does not hold it as JSON`, example(name, schema))
  }
  const isFile =
    /^[^\s[{"]+\.[A-Za-z0-9]{1,8}$/.test(text) && (types.has("object") || types.has("array"))
  return usage(
    `${expected}, not ${JSON.stringify(text)}`,
    isFile ? `--input ${name}=@${text} reads a file of JSON` : example(name, schema),
  )
}

const example = (name: string, schema: JsonSchema): string | undefined => {
  const types = typesIn(schema)
  const items = typeof schema === "object" ? (schema["items"] as JsonSchema | undefined) : undefined
  if (types.has("array") && holdsObjects(items))
    return `--input '${name}=[{ "key": "value" }]', or --input ${name}=@file.json`
  if (types.has("boolean")) return `--input ${name}=true`
  if (types.has("array"))
    return `--input '${name}=["a", "b"]', or one --input ${name}=… for each item`
  if (types.has("object")) return `--input '${name}={"key": "value"}', or ${name}=@file.json`
  return undefined
}

const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const fromFile = Effect.fnUntraced(function* (path: string) {
  const text = yield* textOf(path, "--inputs")
  const refused = (why: string) =>
    usage(
      `${path === "-" ? "standard input" : path} does not contain a JSON object${why}`,
      '{ "name": "value" }',
    )
  const json = yield* Effect.try({
    try: () => JSON.parse(text) as Json,
    catch: (error) => refused(`: ${(error as Error).message}`),
  })
  if (typeof json !== "object" || json === null || Array.isArray(json)) return yield* refused("")
  return json as JsonObject
})

/** Reads a file, or standard input for `-`, and rejects invalid UTF-8, which would lose characters. */
const textOf = (path: string, flag: string): Effect.Effect<string, Refused> =>
  Effect.tryPromise({
    try: async () => utf8.decode(await (path === "-" ? buffer(process.stdin) : readFile(path))),
    catch: (error) => {
      const { code } = error as NodeJS.ErrnoException
      const why =
        code === "ENOENT"
          ? "file not found"
          : code === "EISDIR"
            ? "it is a folder"
            : code === "ERR_ENCODING_INVALID_ENCODED_DATA"
              ? "it is not UTF-8 text"
              : String(code)
      return usage(`${flag}: ${path} cannot be read: ${why}`)
    },
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const unknownInput = (name: string, declared: Declared) =>
  usage(`the workflow has no input "${name}"`, suggestion(name, Object.keys(declared)))

const missingInputs = (workflow: string, missing: ReadonlyArray<string>, declared: Declared) => {
  const rows = missing.map((name) => {
    const schema = declared[name]!
    const said = typeof schema === "object" ? schema["description"] : undefined
    return [
      name,
      [`${describeType(schema)}${typeof said === "string" ? `. ${said}` : ""}`],
    ] as const
  })
  return usage(
    `the workflow "${workflow}" needs ${missing.length === 1 ? "an input" : `${missing.length} inputs`} that ${missing.length === 1 ? "is" : "are"} missing`,
    [
      ...definitions(rows, ""),
      `pass ${missing.length === 1 ? "it" : "them"} with ${missing.map((name) => `--input ${name}=…`).join(" ")}`,
    ].join("\n"),
  )
}
