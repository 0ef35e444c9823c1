/** What the result of a tool call says to the user. */
import type { CallRecord, Tool } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"

/** The text in the result, or the summary that the tool declares; a general summary is for logs. */
export const spokenResult = (
  { ok, result, summary, tool: name }: CallRecord,
  tools: ReadonlyArray<Tool>,
): string | undefined => {
  if (!ok) return undefined
  const said = isObject(result) ? result["text"] : undefined
  if (typeof said === "string" && said !== "") return said
  return tools.some((tool) => tool.name === name && tool.summarize !== undefined)
    ? summary
    : undefined
}
