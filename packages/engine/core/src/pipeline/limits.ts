/** Rates and breaker of a workflow, bound to what they are for. */
import type { BreakerPolicy, Definition } from "@planloom/language"
import { providerOf } from "@planloom/plugin/facts"

export interface BoundRate {
  readonly name: string
  /** The same for every workflow of the process whose rate is for the same things. */
  readonly key: string
  /** Provider ids, `provider/model` and aliases. */
  readonly for: ReadonlySet<string>
  /** A minute. */
  readonly requests: number | undefined
  /** A minute, in and out. */
  readonly tokens: number | undefined
  readonly concurrency: number | undefined
}

export interface PipelineLimits {
  readonly rates: ReadonlyArray<BoundRate>
  readonly breaker: BreakerPolicy | undefined
}

/** Undefined when the workflow limits nothing, so that calls without limits pay nothing. */
export const compileLimits = ({ models, policies }: Definition): PipelineLimits | undefined => {
  const rates = Object.entries(policies.rate).map(([name, rate]): BoundRate => {
    const targets = rate.for ?? [name]
    // Two workflows may call different models by one alias: what it stands for is part of the key.
    const key = targets.map((one) =>
      Object.hasOwn(models, one) ? `${one}=${models[one]!.try}` : one,
    )
    return {
      name,
      key: key.toSorted().join(" "),
      for: new Set(targets),
      requests: rate.requests_per_minute,
      tokens: rate.tokens_per_minute,
      concurrency: rate.concurrency,
    }
  })
  const { breaker } = policies
  return rates.length === 0 && breaker === undefined ? undefined : { rates, breaker }
}

/** The rates a call has to keep. */
export const ratesOf = (
  { rates }: PipelineLimits,
  model: string,
  alias: string | undefined,
): ReadonlyArray<BoundRate> =>
  rates.filter(
    (rate) =>
      rate.for.has(model) ||
      rate.for.has(providerOf(model)) ||
      (alias !== undefined && rate.for.has(alias)),
  )
