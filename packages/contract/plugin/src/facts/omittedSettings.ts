/** Finds settings of a workflow that are omitted from a model's requests. */
import type { ModelFacts } from "./Facts.ts"
import type { Provider, ReasoningLevel, RequestSetting } from "../component/Model.ts"

/** Settings that a model rejects or its provider omits. `model` is the provider's name of the model. */
export const unsupportedSettings = (
  facts: ModelFacts | undefined,
  provider: Pick<Provider, "omits"> | undefined,
  model: string,
  reasoning?: ReasoningLevel,
): ReadonlyArray<RequestSetting> => [
  ...new Set([...(facts?.refuses ?? []), ...(provider?.omits?.(model, reasoning) ?? [])]),
]

/** Configured settings that are in `unsupported`. */
export const omittedSettings = (
  settings: { readonly [S in RequestSetting]?: unknown },
  unsupported: ReadonlyArray<RequestSetting>,
): ReadonlyArray<RequestSetting> => unsupported.filter((setting) => settings[setting] !== undefined)
