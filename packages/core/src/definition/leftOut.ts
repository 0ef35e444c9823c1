/** What a workflow says of a model's settings and the model is not asked with. */
import type { Provider, RequestSetting } from "@planloom/plugin"
import type { ModelAlias } from "./Definition.ts"
import type { ModelFacts } from "./shape/models.ts"

type Said = Pick<ModelAlias, "temperature" | "top_k" | "seed" | "stop">

/** Settings that a model is not asked with: those it refuses, and those its provider leaves out. `model` is the provider's own name. */
export const refusedBy = (
  facts: ModelFacts | undefined,
  provider: Pick<Provider, "omits"> | undefined,
  model: string,
): ReadonlyArray<RequestSetting> => [
  ...new Set([...(facts?.refuses ?? []), ...(provider?.omits?.(model) ?? [])]),
]

/** Of the settings that are said, those that the model refuses. */
export const leftOut = (
  said: { readonly [S in keyof Said]?: Said[S] | undefined },
  refuses: ReadonlyArray<RequestSetting>,
): ReadonlyArray<RequestSetting> => {
  const settings: { readonly [S in RequestSetting]?: unknown } = said
  return refuses.filter((setting) => settings[setting] !== undefined)
}
