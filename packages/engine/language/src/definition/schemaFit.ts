/** A value as written against the JSON Schema of a registered kind or section, in the words of diagnostics. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { durationPattern } from "@planloom/plugin/duration"
import { parseExpression, SyntaxProblem } from "@planloom/expression/check"
import { abridge, hint, suggest } from "@planloom/expression/suggestion"
import { isObject, targetOf, type SchemaIssue } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { DocumentPath } from "./Definition.ts"
import type { Problem } from "./Problem.ts"
import { describeJson } from "./Shape.ts"
import { fixedText, nearKey, nearValue, type Fix } from "./Fix.ts"
import { meant } from "./synonyms.ts"
import { nameProblem } from "./shape/scalars.ts"

/** Formats that registered schemas may use beside those of JSON Schema. */
const ownFormats = ["cel", "duration", "name", "path"] as const

/** A text that the schema gives one of these formats. */
export interface FormattedText {
  readonly format: (typeof ownFormats)[number]
  readonly text: string
  readonly path: DocumentPath
}

/** Every mismatch; `base` is the value's path in its file, `name` its name in messages. */
export const schemaFit = (
  value: Json,
  schema: JsonSchema,
  base: DocumentPath,
  name: string,
): ReadonlyArray<Problem> => {
  const all = validatorOf(schema)(value)
  // A key that was written wrongly is reported as what it is.
  const issues = all.filter((issue) => !isMisspelt(issue, all))
  const formats = formattedTexts(value, schema).flatMap((one) => formatProblem(one, base))
  const unread = new Set(formats.map(({ path }) => JSON.stringify(path)))
  return [
    // A text that is not of its format breaks its bounds, too.
    ...issues
      .map((issue) => problemOf(issue, value, schema, base, name))
      .filter(({ path }) => !unread.has(JSON.stringify(path))),
    ...formats,
  ]
}

/** A missing key for which an unknown one stands in the same mapping. */
const isMisspelt = (missing: SchemaIssue, all: ReadonlyArray<SchemaIssue>): boolean =>
  missing.keyword === "required" &&
  all.some(
    ({ keyword, path, property }) =>
      keyword === "additionalProperties" &&
      path === missing.path &&
      meant(property!, [missing.property!]) !== undefined,
  )

/** Every text to which the schema gives a format of Planloom's own. */
export const formattedTexts = (value: Json, schema: JsonSchema): ReadonlyArray<FormattedText> => {
  const found: Array<FormattedText> = []
  const visit = (inner: Json, given: unknown, path: DocumentPath): void => {
    const resolved = followed(given, schema)
    if (resolved === undefined) return
    const { additionalProperties, items, properties, format } = resolved
    if (typeof inner === "string") {
      const own = ownFormats.find((one) => one === format)
      if (own !== undefined) found.push({ format: own, text: inner, path })
    } else if (Array.isArray(inner)) {
      inner.forEach((item: Json, index) => visit(item, items, [...path, index]))
    } else if (isObject(inner)) {
      for (const [key, entry] of Object.entries(inner)) {
        const known = isObject(properties) && Object.hasOwn(properties, key)
        visit(entry, known ? properties[key] : additionalProperties, [...path, key])
      }
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const parts = resolved[keyword]
      if (Array.isArray(parts)) for (const part of parts) visit(inner, part, path)
    }
  }
  visit(value, schema, [])
  return found
}

/** The schema that a `$ref` stands for. */
const followed = (given: unknown, root: JsonSchema) => {
  if (!isObject(given)) return undefined
  const { $ref } = given
  if (typeof $ref !== "string" || !isObject(root)) return given
  const target = targetOf(root, $ref)
  return isObject(target) ? target : undefined
}

const formatProblem = (
  { format, path, text }: FormattedText,
  base: DocumentPath,
): ReadonlyArray<Problem> => {
  const at = [...base, ...path]
  switch (format) {
    case "cel":
      return celProblem(text, at)
    case "duration":
      return new RegExp(durationPattern).test(text)
        ? []
        : [
            {
              code: "PL0105",
              message: `"${text}" is not a duration`,
              path: at,
              help: "write 500ms, 30s, 5m or 1h30m",
            },
          ]
    case "name": {
      const wrong = nameProblem(text)
      if (wrong === undefined) return []
      const { better, help, message } = wrong
      const fix = better === undefined ? undefined : { value: better }
      return [{ code: "PL0107", message, help, fix, path: at }]
    }
    case "path":
      return []
  }
}

const celProblem = (text: string, path: DocumentPath): ReadonlyArray<Problem> => {
  try {
    parseExpression(text)
    return []
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { code, help, message, start, end, fix } = error
    const within = { from: start, to: Math.max(end, start + 1) }
    return [{ code, message, help, path, within, fix: fixedText(fix) }]
  }
}

const problemOf = (
  { keyword, message, path: pointer, property }: SchemaIssue,
  root: Json,
  schema: JsonSchema,
  base: DocumentPath,
  name: string,
): Problem => {
  const { path, value } = pointed(root, pointer)
  const at = [...base, ...path]
  const words = path.reduce<unknown>((around, key) => below(around, key, schema), schema)
  const key = path.findLast((segment) => typeof segment === "string")
  const subject = key === undefined ? name : `"${key}"`
  switch (keyword) {
    case "additionalProperties": {
      const known = Object.keys(propertiesOf(words, schema))
      const present = Object.keys((value ?? {}) as object)
      return {
        code: "PL0101",
        message: `unknown key "${property}"`,
        path: [...at, property!],
        spot: "key",
        help: unknownHelp(property!, known),
        fix: nearKey(property!, known, present) ?? sameWord(property!, known, present),
      }
    }
    case "required": {
      const wanted = propertiesOf(words, schema)[property!]
      const description = isObject(wanted) ? wanted["description"] : undefined
      return {
        code: "PL0102",
        message: `the key "${property}" is missing`,
        path: at,
        spot: "key",
        ...(typeof description === "string" ? { help: `${property}: ${description}` } : {}),
      }
    }
    case "enum": {
      const resolved = followed(words, schema)
      const choices = (resolved?.["enum"] ?? []) as ReadonlyArray<Json>
      const texts = choices.filter((one) => typeof one === "string")
      return {
        code: "PL0104",
        message: `unknown value ${describeJson(value).replace("the text ", "")}`,
        path: at,
        help: (typeof value === "string" && hint(value, texts, "it is one of")) || message,
        fix: nearValue(value, texts),
      }
    }
    default: {
      const description = isForm(keyword) ? describedBy(path, schema) : undefined
      const code = codes[keyword] ?? "PL0106"
      return description === undefined
        ? { code, message: `${subject} ${message}, found ${describeJson(value)}`, path: at }
        : {
            code,
            message: `${describeJson(value)} does not have the form of ${subject}`,
            path: at,
            help: description,
          }
    }
  }
}

const unknownHelp = (key: string, known: ReadonlyArray<string>): string => {
  const same = meant(key, known)
  return same === undefined || suggest(key, known) !== undefined
    ? (hint(key, known, "known here") ?? `known here: ${abridge(known)}`)
    : `did you mean "${same}"? known here: ${abridge(known)}`
}

/** The key that other tools name so, where it is free. */
const sameWord = (
  key: string,
  known: ReadonlyArray<string>,
  present: ReadonlyArray<string>,
): Fix | undefined => {
  const same = meant(key, known)
  const isNear = suggest(key, known) !== undefined
  return same === undefined || isNear || present.includes(same) ? undefined : { key: same }
}

const codes: { readonly [keyword: string]: string } = {
  type: "PL0103",
  anyOf: "PL0103",
  oneOf: "PL0103",
  allOf: "PL0103",
  not: "PL0103",
  false: "PL0103",
  propertyNames: "PL0107",
}

/** The part of a value at a JSON Pointer, and the pointer as a path. */
const pointed = (root: Json, pointer: string): { path: DocumentPath; value: Json } => {
  const path: Array<string | number> = []
  let value: Json = root
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    const isItem = Array.isArray(value)
    path.push(isItem ? Number(key) : key)
    value = (value as { readonly [key: string]: Json })[key] ?? null
  }
  return { path, value }
}

/** The schema of a part, where one keyword leads to it. */
const below = (around: unknown, key: string | number, root: JsonSchema): unknown => {
  const words = followed(around, root)
  if (words === undefined) return undefined
  if (typeof key === "number") return words["items"]
  const properties = propertiesOf(words, root)
  return Object.hasOwn(properties, key) ? properties[key] : words["additionalProperties"]
}

/** A regular expression explains less than the description beside it. */
const isForm = (keyword: string): boolean => keyword === "pattern" || keyword === "format"

/** The description at a path, or at the list or mapping around it. */
const describedBy = (path: DocumentPath, schema: JsonSchema): string | undefined => {
  let found: string | undefined
  let around: unknown = schema
  for (const key of path) {
    around = below(around, key, schema)
    const description = followed(around, schema)?.["description"]
    if (typeof description === "string") found = description
  }
  return found
}

const propertiesOf = (given: unknown, root: JsonSchema): { readonly [key: string]: unknown } => {
  const properties = followed(given, root)?.["properties"]
  return isObject(properties) ? properties : {}
}
