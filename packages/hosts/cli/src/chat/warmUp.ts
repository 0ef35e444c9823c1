/** Loads local models while the first message is typed, so that the first answer does not wait for them. */
import type { ModelFailed, Provider } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"

export interface Cold {
  /** `provider/model`. */
  readonly name: string
  readonly warm: Effect.Effect<void, ModelFailed>
}

/** Returns the models that stages use first, if their providers can load them for free and are available. */
export const coldModels = ({
  pipeline,
  resources,
}: Pick<LoadedWorkflow, "pipeline" | "resources">): Effect.Effect<ReadonlyArray<Cold>> => {
  const { aliases, stages } = pipeline.models
  const first = new Set([...aliases, ...stages].flatMap(({ models }) => models.slice(0, 1)))
  const cold = [...first].flatMap((name): ReadonlyArray<Cold & { readonly provider: Provider }> => {
    const slash = name.indexOf("/")
    const provider = resources.components.providers.get(name.slice(0, slash))
    return provider?.warm === undefined
      ? []
      : [{ name, provider, warm: provider.warm(name.slice(slash + 1)) }]
  })
  return Effect.filter(cold, ({ provider }) => answersNow(provider), { concurrency: "unbounded" })
}

const answersNow = ({ available }: Provider): Effect.Effect<boolean> =>
  available === undefined ? Effect.succeed(true) : Effect.map(available, (now) => now === true)

/** Loads the models; failures are ignored here because the turn that needs the model reports them. */
export const warmUp = (models: ReadonlyArray<Cold>): Effect.Effect<void> =>
  Effect.forEach(models, ({ warm }) => Effect.ignore(warm), {
    concurrency: "unbounded",
    discard: true,
  })
