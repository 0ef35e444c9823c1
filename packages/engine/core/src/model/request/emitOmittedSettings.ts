/** Emits, with each call, which settings of the workflow the model does not support. */
import { omittedSettings, unsupportedSettings } from "@planloom/plugin/facts"
import type { ModelChoice, ResolvedModel } from "../../pipeline/resolveModel.ts"
import type { CallSite } from "../CallSite.ts"

export const emitOmittedSettings = (
  site: CallSite,
  model: ResolvedModel | undefined,
  { facts, model: own, name, provider }: ModelChoice,
): void => {
  if (model === undefined) return
  const { reasoning, seed, stop, temperature, topK } = model
  if ((temperature ?? topK ?? seed ?? stop) === undefined) return
  const given = { temperature, top_k: topK, seed, stop }
  const settings = omittedSettings(given, unsupportedSettings(facts, provider, own, reasoning))
  if (settings.length === 0) return
  const message = `${name} is asked without ${settings.join(", ")}, which it does not take`
  site.emit({ type: "Progressed", path: site.path, stage: site.stage, message })
}
