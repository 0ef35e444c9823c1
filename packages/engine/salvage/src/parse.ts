/** Parses one complete text into a value of the type that its schema describes, or the reasons for rejecting it. */
import type { FromSchema, Json as AnyJson } from "@planloom/schema"
import { parseText } from "./parseText.ts"
import type { Json, Options, Result, Schema } from "./Salvage.ts"
import { isStandard, jsonSchemaOf, type StandardSchema, validated } from "./StandardSchema.ts"

/** Type of the values of a schema: `Json` unless it is a literal. */
export type ValueOf<S extends Schema> = AnyJson extends FromSchema<S> ? Json : FromSchema<S>

/** `T`: the type of the value, instead of the one that the schema describes. */
export interface Parse {
  <Output>(text: string, schema: StandardSchema<Output>, options?: Options): Result<Output>
  <T = never, const S extends Schema = Schema>(
    text: string,
    schema?: S,
    options?: Options,
  ): Result<[T] extends [never] ? ValueOf<S> : T>
}

/**
 * Reads the value in a text and makes it fit the schema. Never invents a required value, drops nothing without a repair
 * that reports it, and reads no object out of prose. Takes time proportional to the text. Throws a TypeError if `text` is not a
 * string, if the schema is invalid or validates asynchronously, or if recovery options are set without a JSON Schema.
 */
export const parse: Parse = (
  text: string,
  schema?: Schema | StandardSchema,
  options?: Options,
): Result<any> =>
  isStandard(schema)
    ? validated(text, parseText(text, jsonSchemaOf(schema), options), schema)
    : parseText(text, schema, options)
