/** What a workflow says of a model's settings and the model is not asked with. */
import type { RequestSetting } from "@planloom/plugin"
import type { ModelAlias } from "./Definition.ts"

type Said = Pick<ModelAlias, "temperature" | "top_k" | "seed" | "stop">

/** Of the settings that are said, those that the model refuses. */
export const leftOut = (
  said: { readonly [S in keyof Said]?: Said[S] | undefined },
  refuses: ReadonlyArray<RequestSetting>,
): ReadonlyArray<RequestSetting> => {
  const settings: { readonly [S in RequestSetting]?: unknown } = said
  return refuses.filter((setting) => settings[setting] !== undefined)
}
