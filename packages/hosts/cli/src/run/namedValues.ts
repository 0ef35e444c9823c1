/** Parses the `name=value` texts of a flag that may be repeated, each by the schema of its name. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { suggestion } from "../project/nearest.ts"
import { usage, type Refused } from "../Refused.ts"
import { givenText } from "./givenText.ts"
import { describeType, typesIn } from "./schemaText.ts"

export interface Declared {
  readonly [name: string]: JsonSchema
}

/** The flag, and the words that messages use for its values. */
export interface NamedFlag {
  readonly name: "--input" | "--field"
  readonly noun: "input" | "field"
  /** The declaration of the names. */
  readonly owner: string
}

/** Refuses unknown names, names given twice, and texts that the schema does not allow. Repeated flags append to a list. */
export const readNamedValues = (
  texts: ReadonlyArray<string>,
  declared: Declared,
  flag: NamedFlag,
): Effect.Effect<{ readonly [name: string]: Json }, Refused> =>
  Effect.gen(function* () {
    const values = new Map<string, Json>()
    for (const text of texts) {
      const { name, value } = yield* parse(text, declared, flag)
      const earlier = values.get(name)
      if (values.has(name) && !(Array.isArray(earlier) && Array.isArray(value))) {
        return yield* usage(`the ${flag.noun} "${name}" is given twice`, "leave one of the two out")
      }
      values.set(
        name,
        values.has(name)
          ? [...(earlier as ReadonlyArray<Json>), ...(value as ReadonlyArray<Json>)]
          : value,
      )
    }
    return Object.fromEntries(values)
  })

export const unknownName = (name: string, declared: Declared, { noun, owner }: NamedFlag) =>
  usage(`${owner} has no ${noun} "${name}"`, suggestion(name, Object.keys(declared)))

const parse = Effect.fnUntraced(function* (text: string, declared: Declared, flag: NamedFlag) {
  const equals = text.indexOf("=")
  if (equals < 1) {
    return yield* usage(
      `${flag.name} expects name=value, not "${text}"`,
      `${Object.keys(declared)[0] ?? "name"}=value`,
    )
  }
  const name = text.slice(0, equals)
  const schema = Object.hasOwn(declared, name) ? declared[name] : undefined
  if (schema === undefined) return yield* unknownName(name, declared, flag)
  const raw = text.slice(equals + 1)
  const value = (given: Given) => convert({ name, schema, flag }, given)
  if (raw.startsWith("@@")) return { name, value: yield* value({ text: raw.slice(1) }) }
  if (!raw.startsWith("@")) return { name, value: yield* value({ text: raw }) }
  const file = raw.slice(1)
  if (typeof schema === "object" && schema["format"] === "path") {
    return yield* usage(
      `the ${flag.noun} "${name}" is a path, and @ reads the file`,
      `${name}=${file}`,
    )
  }
  const content = yield* givenText(file, `${flag.name} ${name}`)
  return { name, value: yield* value({ text: content, file }) }
})

/** A name, and the schema of its values. */
interface Named {
  readonly name: string
  readonly schema: JsonSchema
  readonly flag: NamedFlag
}

interface Given {
  readonly text: string
  /** The file that holds the text; its content is never shown. */
  readonly file?: string
}

/** Whether no text but JSON can be an item. */
const holdsObjects = (items: JsonSchema | undefined): boolean =>
  items !== undefined && [...typesIn(items)].join() === "object"

/** `n=3` is a number for a number, text for a text. */
const convert = (named: Named, given: Given): Effect.Effect<Json, Refused> => {
  const { schema } = named
  const { text } = given
  const types = typesIn(schema)
  const trimmed = text.trim()
  if (types.has("null") && trimmed === "null") return Effect.succeed(null)
  if (types.has("boolean") && /^(true|false|yes|no)$/.test(trimmed)) {
    return Effect.succeed(trimmed === "true" || trimmed === "yes")
  }
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
    return Effect.map(convert({ ...named, schema: items }, given), (item) => [item])
  }
  if (types.size === 0) return Effect.succeed(parseJson(trimmed) ?? text)
  return Effect.fail(mismatch(named, given))
}

/** A line of typed text is shown; the content of a file may be personal, and is not. */
const mismatch = (named: Named, { file, text }: Given): Refused => {
  const { flag, name, schema } = named
  const types = typesIn(schema)
  const expected = `the ${flag.noun} "${name}" expects ${describeType(schema)}`
  if (file !== undefined) {
    return usage(`${expected}, and ${file} does not hold it as JSON`, example(named))
  }
  const isFile =
    /^[^\s[{"]+\.[A-Za-z0-9]{1,8}$/.test(text) && (types.has("object") || types.has("array"))
  return usage(
    `${expected}, not ${JSON.stringify(text)}`,
    isFile ? `${flag.name} ${name}=@${text} reads a file of JSON` : example(named),
  )
}

const example = ({ flag, name, schema }: Named): string | undefined => {
  const types = typesIn(schema)
  const items = typeof schema === "object" ? (schema["items"] as JsonSchema | undefined) : undefined
  const given = `${flag.name} ${name}`
  if (types.has("array") && holdsObjects(items))
    return `${flag.name} '${name}=[{ "key": "value" }]', or ${given}=@file.json`
  if (types.has("boolean")) return `${given}=true`
  if (types.has("array"))
    return `${flag.name} '${name}=["a", "b"]', or one ${given}=… for each item`
  if (types.has("object")) return `${flag.name} '${name}={"key": "value"}', or ${name}=@file.json`
  return undefined
}

const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
