/** What is known of models, by name: what they read and write at most, what they can do, what they cost. */
import { dollars } from "./dollars.ts"
import type { OutputForm, RequestSetting, Usage } from "../Model.ts"

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

/** By `provider/model`; `provider/*` stands for every model of the provider that is not there by name. */
export type Facts = ReadonlyMap<string, ModelFacts>

/** Undefined when nothing is known of the model. */
export const factsOf = (name: string, facts: Facts): ModelFacts | undefined =>
  facts.get(name) ?? facts.get(`${providerOf(name)}/*`)

export const providerOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf("/")))

/** The longest reply to ask for: what is wanted, at most what the model writes; undefined when neither is known. */
export const outputLimit = (
  wanted: number | undefined,
  facts: ModelFacts | undefined,
): number | undefined => {
  const most = facts?.max_output
  return wanted === undefined || most === undefined ? (wanted ?? most) : Math.min(wanted, most)
}

/** US dollars of one call; undefined when the price is not known. */
export const costOf = (usage: Usage, price: ModelPrice | undefined): number | undefined => {
  if (price === undefined) return undefined
  const { long } = price
  const rate = long !== undefined && usage.input > long.above ? long : price
  const { cached = 0, written = 0 } = usage
  return dollars(
    ((usage.input - cached - written) * rate.input +
      cached * (rate.cached ?? rate.input) +
      written * (rate.written ?? rate.input) +
      usage.output * rate.output) /
      1_000_000,
  )
}
