/** Tools that a stage offers to its model: available ones that the mode of its prompt lets through, and the form of each. */
import {
  isToolAmong,
  isToolPattern,
  meansTool,
  modelParams,
  type Ask,
  type Tool,
  type ToolOffer,
} from "@planloom/plugin/effect"
import type { KnownTools } from "./declareTools.ts"
import type { PromptVariant } from "./StagePrompt.ts"
import { estimateTokens } from "./tokens/tokens.ts"

export interface OfferRules extends Pick<PromptVariant, "hot" | "maxToolTokens" | "tools"> {
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
  { hot, isLoop, maxToolTokens, registry, tools: allowed }: OfferRules,
): ReadonlyArray<ToolOffer> => {
  const isAvailable = ({ own, tool }: ToolOffer) => {
    if (own !== undefined) return true
    const { available = true } = registry.get(tool)?.tool ?? {}
    return available === true
  }
  const isIn = (names: ReadonlyArray<string>, tool: string) =>
    isToolAmong(tool, names) || names.includes(registry.get(tool)?.tool.group ?? tool)
  const given = named(tools, registry)
  const isOver = maxToolTokens === undefined || tokensOf(given, registry) > maxToolTokens
  const isLazy = (tool: string) => isLoop && hot !== undefined && isOver && !isIn(hot, tool)
  const offers = given
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

type Named = NonNullable<Ask["tools"]>

/** Of the tools that are declared with their parameters unless they are one line each, as they are estimated. */
const tokensOf = (tools: Named, registry: KnownTools): number =>
  tools.reduce((sum, one) => {
    const tool =
      typeof one === "string" || one.form === "schema" ? registry.get(nameOf(one))?.tool : undefined
    return sum + (tool === undefined ? 0 : declaredTokens(tool))
  }, 0)

const counts = new WeakMap<Tool, number>()

const declaredTokens = (tool: Tool): number => {
  let tokens = counts.get(tool)
  if (tokens === undefined) {
    const { name, summary } = tool
    tokens = estimateTokens(JSON.stringify([name, summary, modelParams(tool)]))
    counts.set(tool, tokens)
  }
  return tokens
}

const nameOf = (one: Named[number]): string => (typeof one === "string" ? one : one.tool)

/** With the tools that the start of a name means now, in place of it; a tool that is named by itself is offered as it says. */
const named = (tools: Named, registry: KnownTools): Named => {
  if (!tools.some((one) => isToolPattern(nameOf(one)))) return tools
  const taken = new Set(tools.map(nameOf))
  return tools.flatMap((one) => {
    const pattern = nameOf(one)
    if (!isToolPattern(pattern)) return [one]
    return [...registry].flatMap(([tool, { tool: known }]) => {
      if (known.offered === false || taken.has(tool) || !meansTool(pattern, tool)) return []
      taken.add(tool)
      return [typeof one === "string" ? tool : { ...one, tool }]
    })
  })
}
