/** Tools as expressions of a prompt read them. */
import { isToolAmong, modelParams, type Json, type Tool } from "@planloom/plugin/effect"
import type { KnownTools } from "./declareTools.ts"
import type { PromptVariant } from "./StagePrompt.ts"

const made = new WeakMap<KnownTools, ReadonlyArray<Json>>()

/** The available tools that a mode lets through: a list of names and groups, or all unless it is `none`. */
export const toolsToName = (
  registry: KnownTools,
  allowed: PromptVariant["tools"],
): ReadonlyArray<Json> => {
  if (allowed === "none") return []
  let all = made.get(registry)
  if (all === undefined) {
    all = [...registry.values()].flatMap(({ tool }) =>
      tool.offered !== false && (tool.available ?? true) === true ? [described(tool)] : [],
    )
    made.set(registry, all)
  }
  if (typeof allowed === "string") return all
  return all.filter((one) => {
    const { group, name } = one as { readonly group?: string; readonly name: string }
    return isToolAmong(name, allowed) || (group !== undefined && allowed.includes(group))
  })
}

const described = (tool: Tool): Json => {
  const { effect = "write", group, name, summary, when_to_use: when } = tool
  return {
    name,
    summary,
    effect,
    params: modelParams(tool) as Json,
    ...(group === undefined ? {} : { group }),
    ...(when === undefined ? {} : { when_to_use: when }),
  }
}
