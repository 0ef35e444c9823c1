/** The shape of a models file: how much each model reads and writes, what it can do, and what it costs. */
import type { OutputForm, RequestSetting } from "@planloom/plugin"
import type { Shape } from "../Shape.ts"
import { list, map, record } from "./collections.ts"
import { header } from "./header.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { number, oneOf } from "./scalars.ts"

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Of input read from the provider's cache; as `input` when not known. */
  readonly cached: number | undefined
  /** Of input written into the provider's cache; as `input` when not known. */
  readonly written: number | undefined
}

export interface ModelPrice extends Price {
  /** What the whole call costs when its prompt has more tokens than `above`. */
  readonly long: (Price & { readonly above: number }) | undefined
}

export const capabilities = ["tools", "json_schema", "images", "cache", "reasoning"] as const
export type Capability = (typeof capabilities)[number]

/** Settings a model may refuse. */
export const refusable = [
  "temperature",
  "top_k",
  "seed",
  "stop",
] as const satisfies ReadonlyArray<RequestSetting>

/** Ways of asking a model for JSON. */
export const outputForms = [
  "json_schema",
  "tool",
  "text",
] as const satisfies ReadonlyArray<OutputForm>

export interface ModelFacts {
  /** Tokens it reads and writes together at most; undefined when not known. */
  readonly context: number | undefined
  /** Tokens it writes at most. */
  readonly max_output: number | undefined
  readonly price: ModelPrice | undefined
  readonly capabilities: ReadonlyArray<Capability>
  /** Settings that it refuses, whoever asks; they are left out. */
  readonly refuses: ReadonlyArray<RequestSetting>
  /** How it is best asked for JSON; undefined leaves it to the provider. */
  readonly structured: OutputForm | undefined
  /** Its own tokenizer, where the vendor has published it. */
  readonly tokenizer: "o200k_base" | undefined
}

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
    refuses: defaulted(list(oneOf(...refusable)), [], "Settings it refuses: they are left out."),
    structured: optional(
      oneOf(...outputForms),
      "How it is asked for JSON: natively by its schema, as the arguments of a tool that must be called, or in words alone.",
    ),
    tokenizer: optional(oneOf("o200k_base"), "Its tokenizer, where it is known for sure."),
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
