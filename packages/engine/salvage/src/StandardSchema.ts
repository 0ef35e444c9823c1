/** Schemas of other libraries, by the interface that they share: https://standardschema.dev. */
import { escapeStep } from "@planloom/schema"
import { LocationIndex } from "./LocationIndex.ts"
import type { Reason, Result, Schema } from "./Salvage.ts"

/** A schema of Zod, Valibot, ArkType or another library that implements Standard Schema. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** JSON Schema of the values that it reads; a schema without it validates, but does not guide. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => {
        readonly [keyword: string]: unknown
      }
    }
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

export const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") &&
  schema !== null &&
  "~standard" in schema

const guides = new WeakMap<StandardSchema, Schema | undefined>()

/** The same object each time, so that its validator is compiled once. `undefined` if the library cannot write it as JSON Schema. */
export const jsonSchemaOf = (standard: StandardSchema): Schema | undefined => {
  if (!guides.has(standard)) guides.set(standard, readJsonSchema(standard))
  return guides.get(standard)
}

const readJsonSchema = ({ "~standard": standard }: StandardSchema): Schema | undefined => {
  try {
    return standard.jsonSchema?.input({ target: "draft-2020-12" })
  } catch {
    // The specification's way to say that some part has no JSON Schema: the value is still validated.
    return undefined
  }
}

/** The result with the value that the schema makes of it, or its issues as reasons. */
export const validated = <Output>(
  text: string,
  result: Result,
  standard: StandardSchema<Output>,
): Result<Output> => {
  if (!result.ok) return result
  const outcome = standard["~standard"].validate(result.value)
  if (outcome instanceof Promise)
    throw new TypeError("the schema validates asynchronously: parse without it, then validate")
  const { complete, reasoning, value: best } = result
  if (outcome.issues !== undefined)
    return { ok: false, reasons: reasonsOf(text, outcome.issues), reasoning, best }
  return {
    ok: true,
    value: outcome.value,
    reasoning,
    complete,
    get repairs() {
      return result.repairs
    },
  }
}

const reasonsOf = (text: string, issues: ReadonlyArray<StandardIssue>): ReadonlyArray<Reason> => {
  const at = new LocationIndex(text).at(0)
  return issues.map(({ message, path = [] }) => {
    const pointer = path.map((step) => stepOf(typeof step === "object" ? step.key : step)).join("")
    return { message: `${pointer === "" ? "the value" : pointer}: ${message}`, path: pointer, at }
  })
}

const stepOf = (key: PropertyKey): string => `/${escapeStep(String(key))}`
