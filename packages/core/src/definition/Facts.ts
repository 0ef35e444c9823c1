/** What is known of models, by name: what they read and write at most, what they can do, what they cost. */
import type { Usage } from "@planloom/plugin"
import { dollars } from "./dollars.ts"
import type { ModelFacts, ModelPrice } from "./shape/models.ts"

/** By `provider/model`; `provider/*` stands for every model of the provider that is not there by name. */
export type Facts = ReadonlyMap<string, ModelFacts>

export type { ModelFacts, ModelPrice }

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
