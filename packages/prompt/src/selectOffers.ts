/** Tools that a stage offers to its model: those that are available and that the mode of its prompt lets through. */
import type { Ask, ToolOffer } from "@planloom/plugin/effect"
import type { KnownTools } from "./declareTools.ts"
import type { PromptVariant } from "./StagePrompt.ts"

/** `navigation` keeps tools that hand over, `task` the others; a list names tools or groups of tools. */
export const selectOffers = (
  { tools = [] }: Ask,
  allowed: PromptVariant["tools"],
  registry: KnownTools,
): ReadonlyArray<ToolOffer> => {
  const isAvailable = ({ tool }: ToolOffer) => {
    const { available = true } = registry.get(tool)?.tool ?? {}
    return available === true
  }
  const offers = tools
    .map((one): ToolOffer => (typeof one === "string" ? { tool: one, form: "schema" } : one))
    .filter(isAvailable)
  if (allowed === "all") return offers
  return offers.filter(({ ends, tool }) =>
    typeof allowed === "string"
      ? allowed !== "none" && (allowed === "navigation") === (ends === true)
      : allowed.includes(tool) || allowed.includes(registry.get(tool)?.tool.group ?? tool),
  )
}
