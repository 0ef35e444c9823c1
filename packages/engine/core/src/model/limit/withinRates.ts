/** Makes a model call within the rates and the circuit breaker of the workflow. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, ModelReply } from "@planloom/plugin/effect"
import type { BoundRate, PipelineLimits } from "../../pipeline/limits.ts"
import type { ModelChoice } from "../../pipeline/resolveModel.ts"
import type { CallSite } from "../CallSite.ts"

type Reply = Omit<ModelReply, "model">

export interface RatedCall {
  readonly site: CallSite
  readonly choice: ModelChoice
  readonly rates: ReadonlyArray<BoundRate>
  readonly breaker: PipelineLimits["breaker"] | undefined
  /** Tokens that the call may use at most. */
  readonly tokens: number
}

export const withinRates = (
  { breaker, choice, rates, site, tokens }: RatedCall,
  asking: Effect<Reply, ModelFailed>,
): Effect<Reply, ModelFailed> =>
  site.rateLimiter.within(
    {
      provider: choice.provider.id,
      model: choice.name,
      rates,
      breaker,
      tokens: Number.isFinite(tokens) ? tokens : 0,
      waits: (rate, ms) =>
        site.emit({
          type: "Progressed",
          path: site.path,
          stage: site.stage,
          message: `waiting ${ms === undefined ? "" : `${Math.ceil(ms / 1000)} s `}for the rate "${rate}" of ${choice.name}`,
        }),
    },
    ({ usage }: Reply) => usage.input + usage.output,
    asking,
  )
