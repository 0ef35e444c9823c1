/** Tools that a stage offers to its model, as far as the mode of its prompt lets them through. */
import type { Ask, ToolOffer } from "@planloom/plugin"
import type { Mode, ToolRegistry } from "@planloom/language"

/** `navigation` keeps tools that hand over, `task` the others; a list names tools or groups of tools. */
export const selectOffers = (
  { tools = [] }: Ask,
  allowed: Mode["tools"],
  registry: ToolRegistry,
): ReadonlyArray<ToolOffer> => {
  const offers = tools.map((one): ToolOffer =>
    typeof one === "string" ? { tool: one, form: "schema" } : one,
  )
  if (allowed === "all") return offers
  return offers.filter(({ ends, tool }) =>
    typeof allowed === "string"
      ? allowed !== "none" && (allowed === "navigation") === (ends === true)
      : allowed.includes(tool) || allowed.includes(registry.get(tool)?.tool.group ?? tool),
  )
}
