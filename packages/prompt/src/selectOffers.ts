/** Tools that a stage offers to its model: available ones that the mode of its prompt lets through, and the form of each. */
import type { Ask, ToolOffer } from "@planloom/plugin/effect"
import type { KnownTools } from "./declareTools.ts"
import type { PromptVariant } from "./StagePrompt.ts"

export interface OfferRules extends Pick<PromptVariant, "hot" | "tools"> {
  readonly registry: KnownTools
  /** Whether the model can read and call tools that are one line of its prompt. */
  readonly isLoop: boolean
}

/**
 * `navigation` keeps tools that hand over, `task` the others; a list names tools or groups of tools. In a lazy mode, tools
 * whose form the stage does not choose are one line each, except hot ones.
 */
export const selectOffers = (
  { tools = [] }: Ask,
  { hot, isLoop, registry, tools: allowed }: OfferRules,
): ReadonlyArray<ToolOffer> => {
  const isAvailable = ({ own, tool }: ToolOffer) => {
    if (own !== undefined) return true
    const { available = true } = registry.get(tool)?.tool ?? {}
    return available === true
  }
  const isIn = (names: ReadonlyArray<string>, tool: string) =>
    names.includes(tool) || names.includes(registry.get(tool)?.tool.group ?? tool)
  const isLazy = (tool: string) => isLoop && hot !== undefined && !isIn(hot, tool)
  const offers = tools
    .map((one): ToolOffer =>
      typeof one === "string" ? { tool: one, form: isLazy(one) ? "index" : "schema" } : one,
    )
    .filter(isAvailable)
  if (allowed === "all") return offers
  return offers.filter(({ ends, tool }) =>
    typeof allowed === "string"
      ? allowed !== "none" && (allowed === "navigation") === (ends === true)
      : isIn(allowed, tool),
  )
}
