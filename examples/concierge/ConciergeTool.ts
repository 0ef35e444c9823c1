/** A tool of the concierge: its description, and the function that runs it on the database. */
import type { FromSchema } from "@planloom/schema"
import type { JsonObject, JsonSchema, Tool } from "@planloom/plugin/effect"
import type { Database } from "./Database.ts"

export type Language = "en" | "es"

/** The surroundings of one call. */
export interface Call {
  readonly database: Database
  /** Id of the customer, from the user of the run: no param names a customer. */
  readonly customer: string
  /** Language of sentences for the customer. */
  readonly language: Language
  /** Epoch milliseconds. */
  readonly now: number
  /** The same for a repeated call. */
  readonly key: string
}

/** A sentence in the language of the customer. */
export type Sentence = Readonly<Record<Language, string>>

export interface ConciergeTool {
  readonly tool: Tool
  /** Throws `ConciergeFailed` with a sentence for the customer. */
  readonly run: (params: never, call: Call) => JsonObject
  /** The fields of an approval. Changes nothing, and throws what `run` would. */
  readonly preview?: (params: never, call: Call) => JsonObject
}

interface Declaration<
  Params extends JsonSchema,
  Result extends JsonSchema,
  Fields extends JsonSchema,
> extends Pick<Tool, "name" | "summary" | "effect" | "idempotent" | "needs_approval"> {
  readonly params: Params
  readonly result: Result
  readonly approval_fields?: Fields
  readonly run: (params: FromSchema<Params>, call: Call) => FromSchema<Result>
  readonly preview?: (params: FromSchema<Params>, call: Call) => FromSchema<Fields>
}

/** Declares a tool; its schemas type its functions. */
export const conciergeTool = <
  const Params extends JsonSchema,
  const Result extends JsonSchema,
  const Fields extends JsonSchema = JsonSchema,
>({
  preview,
  run,
  ...tool
}: Declaration<Params, Result, Fields>): ConciergeTool => ({
  tool: { capabilities: [], inputs: {}, outputs: ["json"], ...tool },
  run: run as ConciergeTool["run"],
  ...(preview && { preview: preview as NonNullable<ConciergeTool["preview"]> }),
})
