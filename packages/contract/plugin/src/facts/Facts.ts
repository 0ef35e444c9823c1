/** Facts on models by name: token limits, capabilities and prices. */
import { dollars } from "./dollars.ts"
import { requestUsages } from "./requestUsages.ts"
import type { OutputForm, ReasoningLevel, RequestSetting } from "../component/Model.ts"
import type { Usage } from "../run/Usage.ts"

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Of input read from the provider's cache; equal to `input` if unknown. */
  readonly cached: number | undefined
  /** Of input written into the provider's cache; equal to `input` if unknown. */
  readonly written: number | undefined
}

export interface ModelPrice extends Price {
  /** Price of the whole call if its prompt has more than `above` tokens. */
  readonly long: (Price & { readonly above: number }) | undefined
}

export const capabilities = ["tools", "json_schema", "images", "cache", "reasoning"] as const
export type Capability = (typeof capabilities)[number]

/** Settings that some models reject. */
export const refusable = [
  "temperature",
  "top_k",
  "seed",
  "stop",
] as const satisfies ReadonlyArray<RequestSetting>

/** From none to the most. */
export const reasoningLevels = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "max",
] as const satisfies ReadonlyArray<ReasoningLevel>

/** Ways of asking a model for JSON. */
export const outputForms = [
  "json_schema",
  "tool",
  "text",
] as const satisfies ReadonlyArray<OutputForm>

export interface ModelFacts {
  /** Maximum input and output tokens together; undefined if unknown. */
  readonly context: number | undefined
  /** Maximum output tokens. */
  readonly max_output: number | undefined
  readonly price: ModelPrice | undefined
  readonly capabilities: ReadonlyArray<Capability>
  /** Settings that it rejects; they are omitted from requests. */
  readonly refuses: ReadonlyArray<RequestSetting>
  /** Levels of reasoning that it supports; undefined if unknown. */
  readonly reasoning?: ReadonlyArray<ReasoningLevel> | undefined
  /** Preferred form of JSON requests; undefined leaves the choice to the provider. */
  readonly structured: OutputForm | undefined
  /** Its tokenizer, if published by the vendor. */
  readonly tokenizer: "o200k_base" | undefined
}

/** Keyed by `provider/model`; `provider/*` applies to all unlisted models of the provider. */
export type Facts = ReadonlyMap<string, ModelFacts>

/** Undefined for an unknown model. */
export const factsOf = (name: string, facts: Facts): ModelFacts | undefined =>
  facts.get(name) ?? facts.get(`${providerOf(name)}/*`)

export const providerOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf("/")))

/** Maximum reply tokens to request: `wanted`, capped by the model's limit; undefined if neither is known. */
export const outputLimit = (
  wanted: number | undefined,
  facts: ModelFacts | undefined,
): number | undefined => {
  const most = facts?.max_output
  return wanted === undefined || most === undefined ? (wanted ?? most) : Math.min(wanted, most)
}

/** US dollars of one call; undefined if the price is unknown. */
export const costOf = (usage: Usage, price: ModelPrice | undefined): number | undefined => {
  if (price === undefined) return undefined
  return dollars(
    requestUsages(usage).reduce((sum, one) => sum + requestCost(one, price), 0) / 1_000_000,
  )
}

/** Millionths of a dollar. */
const requestCost = (usage: Usage, price: ModelPrice): number => {
  const { long } = price
  const rate = long !== undefined && usage.input > long.above ? long : price
  const { cached = 0, written = 0 } = usage
  return (
    (usage.input - cached - written) * rate.input +
    cached * (rate.cached ?? rate.input) +
    written * (rate.written ?? rate.input) +
    usage.output * rate.output
  )
}
