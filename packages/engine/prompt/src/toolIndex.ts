/** The index of tools in a prompt: one line for each tool that is not declared. */
import type { Section, Tool, ToolOffer } from "@planloom/plugin/effect"
import { shortened } from "@planloom/plugin/cards"
import type { KnownTools } from "./declareTools.ts"
import { estimateTokens } from "./tokens/tokens.ts"

/** Source of the section; it is a block of the request of its own. */
export const TOOL_INDEX = "tools"

/** Tokens of an index, as they are estimated, which is a little more than it has: of many tools, so many each. */
const MAX_TOKENS = 1600
const MAX_TOKENS_PER_TOOL = 16

/** Forms of a line, longest first: whether it has the params, and the most characters of the summary. */
const forms = [
  { params: true, characters: 400 },
  { params: true, characters: 120 },
  { params: false, characters: 120 },
  { params: false, characters: 80 },
  { params: false, characters: 60 },
  { params: false, characters: 50 },
  { params: false, characters: 40 },
  { params: false, characters: 30 },
  { params: false, characters: 20 },
  { params: false, characters: 0 },
] as const

/** The last index by the first of its tools: the turns of a loop have the same one. */
const made = new WeakMap<Tool, { readonly tools: ReadonlyArray<Tool>; readonly text: string }>()

/**
 * Undefined without a tool of form `index`. Lines are in the order of names, and all of the longest form that keeps the
 * index short, so the same tools give the same bytes.
 */
export const indexSection = (
  offers: ReadonlyArray<ToolOffer>,
  registry: KnownTools,
): Omit<Section, "tokens"> | undefined => {
  const tools: Array<Tool> = []
  for (const { form, tool } of offers) {
    const known = form === "schema" ? undefined : registry.get(tool)?.tool
    if (known !== undefined) tools.push(known)
  }
  const [first] = tools
  if (first === undefined) return undefined
  let last = made.get(first)
  if (last === undefined || !isSame(last.tools, tools)) {
    last = { tools, text: indexText(tools) }
    made.set(first, last)
  }
  return { id: "tools", text: last.text, source: TOOL_INDEX, stable: true }
}

const isSame = (some: ReadonlyArray<Tool>, others: ReadonlyArray<Tool>): boolean =>
  some.length === others.length && some.every((tool, at) => tool === others[at])

const indexText = (given: ReadonlyArray<Tool>): string => {
  const tools = given.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const most = Math.max(MAX_TOKENS, MAX_TOKENS_PER_TOOL * tools.length)
  let text = ""
  for (const form of forms) {
    text = `Tools:\n${tools.map((tool) => indexLine(tool, form)).join("\n")}`
    if (estimateTokens(text) <= most) break
  }
  return text
}

const indexLine = (
  { name, params, summary }: Tool,
  { characters, params: hasParams }: (typeof forms)[number],
): string => {
  const properties = typeof params === "object" ? params["properties"] : undefined
  const list = hasParams ? `(${Object.keys(properties ?? {}).join(", ")})` : ""
  const text = shortened(summary, characters)
  return `- ${name}${list}${text === "" ? "" : `: ${text}`}`
}
