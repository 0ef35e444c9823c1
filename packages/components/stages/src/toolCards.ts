/** Compact views of tools for a model, without their whole schemas. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { shortened, typeText } from "@planloom/plugin/cards"
import { estimateTokens } from "@planloom/plugin/facts"
import { propertiesOf } from "@planloom/planning"
import { withoutDialect } from "@planloom/schema"

/** Tokens of the cards of a prompt, as they are estimated: of tools that take more, summaries are cut. */
const MAX_TOKENS = 6000

/** Characters of a summary that is cut. */
const MAX_SUMMARY_CHARACTERS = 100

/** One card a line; with short summaries and without results if they would take too much of the prompt. */
export const toolCards = (tools: ReadonlyArray<Tool>): ReadonlyArray<string> => {
  const whole = tools.map((tool) => JSON.stringify(toolCard(tool)))
  return estimateTokens(whole.join("\n")) <= MAX_TOKENS
    ? whole
    : tools.map(({ result: _, ...tool }) => {
        const summary = shortened(tool.summary, MAX_SUMMARY_CHARACTERS)
        return JSON.stringify(toolCard({ ...tool, summary }))
      })
}

/** Name, summary, data in and out, each argument with its type, and what steps read by path; `*` marks required arguments. */
const toolCard = (tool: Tool): JsonObject => {
  const schema = tool.params as { readonly required?: unknown }
  const required = Array.isArray(schema.required) ? schema.required : []
  return {
    name: tool.name,
    summary: tool.summary,
    capabilities: tool.capabilities,
    inputs: tool.inputs,
    params: Object.fromEntries(
      propertiesOf(tool).map(([name, property]) => [
        required.includes(name) ? `${name}*` : name,
        typeText(property),
      ]),
    ),
    outputs: tool.outputs,
    ...(tool.result === undefined || Object.keys(tool.inputs).length > 0
      ? {}
      : { result: withoutDialect(tool.result) as JsonObject }),
  }
}
