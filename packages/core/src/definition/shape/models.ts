/** The shape of a models file: how much each model reads and writes, and what it costs. */
import type { Shape } from "../Shape.ts"
import { list, map, record } from "./collections.ts"
import { header } from "./header.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { number, oneOf } from "./scalars.ts"

/** Prices are US dollars per million tokens. */
export interface ModelFacts {
  /** Tokens it reads at most. */
  readonly context: number
  /** Tokens it writes at most. */
  readonly max_output: number | undefined
  readonly price:
    | { readonly input: number; readonly output: number; readonly cached: number | undefined }
    | undefined
  readonly capabilities: ReadonlyArray<"tools" | "json_schema" | "images" | "cache" | "reasoning">
}

export interface Models {
  /** By `provider/model`. */
  readonly models: { readonly [id: string]: ModelFacts }
}

const price = object(
  {
    input: required(number({ minimum: 0 }), "US dollars per million tokens read."),
    output: required(number({ minimum: 0 }), "US dollars per million tokens written."),
    cached: optional(number({ minimum: 0 }), "US dollars per million tokens read from the cache."),
  },
  { expected: "a price such as { input: 3, output: 15 }" },
)

const facts: Shape<ModelFacts> = object(
  {
    context: required(number({ integer: true, minimum: 1 }), "Tokens it reads at most."),
    max_output: optional(number({ integer: true, minimum: 1 }), "Tokens it writes at most."),
    price: optional(price, "US dollars per million tokens."),
    capabilities: defaulted(
      list(oneOf("tools", "json_schema", "images", "cache", "reasoning")),
      [],
      "What it can do beyond text.",
    ),
  },
  {
    expected: "a model such as { context: 200000, price: { input: 3, output: 15 } }",
    aliases: {
      context_length: "context",
      context_window: "context",
      max_tokens: "max_output",
      cost: "price",
    },
  },
)

export const models: Shape<Models> = map(
  object(
    {
      ...header("Models"),
      models: required(record(facts, { names: "free" }), "By provider/model."),
    },
    { expected: "a models file" },
  ),
  (file): Models => ({ models: file.models }),
)
