/** The parsers that are compared, each used as its documentation says. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { parse, stream, type Schema } from "@planloom/salvage"
import { Ajv2020 } from "ajv/dist/2020.js"
import { rival } from "../rivals/rival.ts"
import { bamlSchema } from "./bamlSchema.ts"
import { bamlView, withAssertions } from "./bamlView.ts"
import type { Answer, Row } from "./Row.ts"

type Reads = (text: string) => unknown

const { disableErrorLogging, parse: bestEffort } = await rival<{
  readonly disableErrorLogging: () => void
  readonly parse: Reads & { onExtraToken: () => void }
}>("best-effort-json-parser")
const { default: json5 } = await rival<{ readonly default: { readonly parse: Reads } }>("json5")
const { jsonrepair } = await rival<{ readonly jsonrepair: (text: string) => string }>("jsonrepair")
export const { parse: partialJson } = await rival<{ readonly parse: Reads }>("partial-json")

disableErrorLogging()
bestEffort.onExtraToken = () => undefined

export interface Contender {
  readonly name: string
  /** Throws or answers `undefined` to refuse. */
  readonly read: (row: Row) => Answer
}

const schemas = new Map<Row, Schema>()

const ours = (row: Row): Answer => {
  const told = row.schema ?? bamlSchema(row)
  const schema =
    told === undefined ? undefined : (schemas.get(row) ?? (withAssertions(told) as Schema))
  if (schema !== undefined) schemas.set(row, schema)
  if (row.kind.startsWith("partial")) {
    const reading = stream(schema)
    reading.push(row.text)
    const { value, open } = reading.partial()
    const shown = value === undefined ? undefined : bamlView(row, told, value, open)
    return shown === undefined ? undefined : { value: shown }
  }
  const isSalvage = row.schema_mode === "salvage"
  const result = parse(row.text, schema, {
    strict: row.kind === "strict_fail",
    // A `default` in a row's schema is meant to be used; everything else the row has to ask for.
    fill: isSalvage ? "required" : schema === undefined ? "none" : "defaults",
    dropItems: isSalvage,
    positional: isSalvage,
  })
  return result.ok ? { value: result.value } : undefined
}

const of = (read: (text: string) => unknown) => (row: Row) => ({ value: read(row.text) })

const ajv = new Ajv2020({ strict: false, coerceTypes: "array", useDefaults: true, logger: false })

/** What a careful project writes by hand: fence or brackets cut out, jsonrepair, Ajv with coercion. */
const byHand = (row: Row): Answer => {
  const fenced = /(?:```|~~~)[\w-]*\s*\n?([\s\S]*?)(?:```|~~~|$)/.exec(row.text)?.[1]
  const text = fenced ?? row.text
  const open = text.search(/[{[]/)
  const close = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"))
  const value: unknown = JSON.parse(
    jsonrepair(open >= 0 && close > open ? text.slice(open, close + 1) : text),
  )
  if (row.schema === undefined) return { value }
  const box = { value }
  const fits = ajv.compile({
    type: "object",
    properties: { value: { ...row.schema, $defs: undefined } },
    $defs: row.schema["$defs"] ?? {},
  }) as (value: unknown) => boolean
  return fits(box) ? box : undefined
}

export { jsonrepair }

export const contenders: ReadonlyArray<Contender> = [
  { name: "salvage", read: ours },
  { name: "jsonrepair", read: of((text) => JSON.parse(jsonrepair(text))) },
  { name: "unfence+jsonrepair+Ajv", read: byHand },
  { name: "best-effort-json-parser", read: of((text) => bestEffort(text)) },
  { name: "partial-json", read: of((text) => partialJson(text)) },
  { name: "json5", read: of((text) => json5.parse(text)) },
]

/** BAML is 53 MB of native code: it is compared when a folder that has it in `node_modules` is named. */
export const baml = async (folder: string): Promise<Contender> => {
  const from = createRequire(pathToFileURL(`${folder}/package.json`))
  const { BamlRuntime } = from("@boundaryml/baml") as { BamlRuntime: any }
  const client = `client<llm> C {\n  provider openai\n  options {\n    model "none"\n    api_key "none"\n  }\n}\n`
  const anything = `type JsonValue = int | float | bool | string | null | JsonValue[] | map<string, JsonValue>\n`
  return {
    name: "BAML",
    read: (row) => {
      const typed = row.baml_type !== undefined
      const source = `${client}${typed ? (row.baml_schema ?? "") : anything}\nfunction F(x: string) -> ${typed ? row.baml_type : "JsonValue"} {\n  client C\n  prompt #"{{ x }}"#\n}\n`
      const runtime = BamlRuntime.fromFiles("baml_src", { "main.baml": source }, {})
      const context = runtime.createContextManager()
      const value: unknown = runtime.parseLlmResponse(
        "F",
        row.text,
        row.kind.startsWith("partial"),
        context,
        null,
        null,
        {},
      )
      return { value }
    },
  }
}
