/** The shape of a models file: how much each model reads and writes, what it can do, and what it costs. */
import { capabilities, outputForms, reasoningLevels, refusable } from "@planloom/plugin/facts"
import type { ModelFacts, ModelPrice } from "@planloom/plugin/facts"
import type { Shape } from "../Shape.ts"
import { list, map, record } from "./collections.ts"
import { header } from "./header.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { number, oneOf } from "./scalars.ts"

export interface Models {
  /** By `provider/model`, or `provider/*` for every other model of the provider. */
  readonly models: { readonly [id: string]: ModelFacts }
}

const dollars = number({ minimum: 0 })

const prices = {
  input: required(dollars, "US dollars per million tokens read."),
  output: required(dollars, "US dollars per million tokens written."),
  cached: optional(dollars, "US dollars per million tokens read from the cache."),
  written: optional(dollars, "US dollars per million tokens written into the cache."),
}

const price: Shape<ModelPrice> = object(
  {
    ...prices,
    long: optional(
      object(
        {
          above: required(number({ integer: true, minimum: 1 }), "Tokens of a long prompt."),
          ...prices,
        },
        { expected: "a price such as { above: 200000, input: 6, output: 22.50 }" },
      ),
      "What the whole call costs when its prompt is longer than so many tokens.",
    ),
  },
  { expected: "a price such as { input: 3, output: 15 }" },
)

const facts: Shape<ModelFacts> = object(
  {
    context: optional(number({ integer: true, minimum: 1 }), "Tokens it reads at most."),
    max_output: optional(number({ integer: true, minimum: 1 }), "Tokens it writes at most."),
    price: optional(price, "US dollars per million tokens."),
    capabilities: defaulted(list(oneOf(...capabilities)), [], "What it can do beyond text."),
    refuses: defaulted(
      list(oneOf(...refusable)),
      [],
      "Settings it does not support: they are omitted.",
    ),
    reasoning: optional(
      list(oneOf(...reasoningLevels), { atLeast: 1 }),
      "Levels of reasoning that it supports, where they are known.",
    ),
    structured: optional(
      oneOf(...outputForms),
      "How it is asked for JSON: natively by its schema, as the arguments of a tool that must be called, or in words alone.",
    ),
    tokenizer: optional(oneOf("o200k_base"), "Its tokenizer, where it is known."),
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
      models: required(record(facts, { names: "free" }), "By provider/model, or provider/*."),
    },
    { expected: "a models file" },
  ),
  (file): Models => ({ models: file.models }),
)
