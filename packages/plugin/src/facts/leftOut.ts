/** What a workflow says of a model's settings and the model is not asked with. */
import type { ModelFacts } from "./Facts.ts"
import type { Provider, RequestSetting } from "../Model.ts"

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
  said: { readonly [S in RequestSetting]?: unknown },
  refuses: ReadonlyArray<RequestSetting>,
): ReadonlyArray<RequestSetting> => refuses.filter((setting) => said[setting] !== undefined)
