/**
 * Shapes describe the content of files. One shape gives the TypeScript type, the decoder with all its
 * messages, and the JSON Schema that editors complete from.
 */
import type { Json, JsonSchema, SectionOwner } from "@planloom/plugin/effect"
import type { DocumentPath } from "./Definition.ts"
import type { Fix } from "./Fix.ts"
import type { Problem } from "./Problem.ts"

export interface Shape<out A> {
  readonly kind: string
  /** What the value is called in a message: `a duration such as 30s`. */
  readonly expected: string
  readonly decode: (value: Json, context: DecodeContext) => A
  readonly schema: (definitions: SchemaDefinitions) => { readonly [keyword: string]: unknown }
}

/** Collects named sub-schemas, so that a shape may contain itself. */
export interface SchemaDefinitions {
  readonly define: (name: string, shape: () => Shape<unknown>) => string
}

/** A key that the language does not have, where sections of plugins may stand. */
export interface ExtraKey {
  readonly on: SectionOwner
  /** Of the mapping that holds it. */
  readonly path: DocumentPath
  readonly key: string
  readonly value: Json
  /** The problem reported unless it is a section. */
  readonly problem: Problem
}

/** The decoder's position, and how it reports problems there. */
export interface DecodeContext {
  readonly path: ReadonlyArray<string | number>
  readonly at: (segment: string | number) => DecodeContext
  /** Collects keys that may be sections; without it they are unknown keys. */
  readonly extra?: (key: ExtraKey) => void
  readonly problem: (problem: {
    readonly code: string
    readonly message: string
    readonly help?: string | undefined
    readonly fix?: Fix | undefined
    readonly spot?: "key" | "value"
    readonly key?: string
  }) => void
}

/** What a wrong value is replaced with, so that decoding continues; the problem is reported. */
export const describeJson = (value: Json): string => {
  if (value === null) return "nothing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "a mapping"
  if (typeof value === "string") return value.length <= 40 ? `the text "${value}"` : "text"
  return typeof value === "boolean" ? String(value) : `the number ${value}`
}

/** Reports a value of the wrong type. */
export const wrongType = (
  context: DecodeContext,
  expected: string,
  value: Json,
  help?: string,
  fix?: Fix,
) =>
  context.problem({
    code: "PL0103",
    message: `expected ${expected}, found ${describeJson(value)}`,
    help,
    fix,
  })

/** The JSON Schema (draft-07) of a shape, for editors. */
export const toJsonSchema = (shape: Shape<unknown>, title: string): JsonSchema => {
  const definitions: { [name: string]: unknown } = {}
  const collect: SchemaDefinitions = {
    define: (name, inner) => {
      if (!(name in definitions)) {
        definitions[name] = {}
        definitions[name] = inner().schema(collect)
      }
      return `#/definitions/${name}`
    },
  }
  const schema = shape.schema(collect)
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    ...schema,
    ...(Object.keys(definitions).length === 0 ? {} : { definitions }),
  }
}
