/** Parses `--input` and `--inputs` to a workflow's inputs by their JSON Schemas. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import { usage, type Refused } from "../Refused.ts"
import { definitions } from "../terminal/table.ts"
import { givenJson, givenText } from "./givenText.ts"
import { readNamedValues, unknownName, type Declared, type NamedFlag } from "./namedValues.ts"
import { describeType } from "./schemaText.ts"

const flag: NamedFlag = { name: "--input", noun: "input", owner: "the workflow" }

/** Merges the file and the flags. Refuses unknown, missing and invalid inputs. */
export const readInputs = (
  workflow: string,
  declared: Declared,
  flags: Pick<InputFlags, "input" | "inputs">,
): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const given = {
      ...(flags.inputs === undefined ? {} : yield* fromFile(flags.inputs)),
      ...(yield* readNamedValues(flags.input, declared, flag)),
    }
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(declared, name))
    if (unknown !== undefined) return yield* unknownName(unknown, declared, flag)
    const missing = Object.keys(declared).filter(
      (name) => !Object.hasOwn(given, name) && !hasDefault(declared[name]!),
    )
    if (missing.length > 0) return yield* missingInputs(workflow, missing, declared)
    return given
  })

const hasDefault = (schema: JsonSchema): boolean =>
  typeof schema === "object" && "default" in schema

const fromFile = Effect.fnUntraced(function* (path: string) {
  const text = yield* givenText(path, "--inputs")
  const source = path === "-" ? "standard input" : path
  const json = yield* givenJson(text, source)
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject
  return yield* usage(`${source} does not contain a JSON object`, '{ "name": "value" }')
})

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
