/** Converts tools to list entries. */
import type { Tool } from "@planloom/plugin"
import type { Entry } from "./Entry.ts"

export const toolEntries = (tools: ReadonlyArray<Tool>): ReadonlyArray<Entry> =>
  tools.map(toolEntry)

export const toolEntry = (tool: Tool): Entry => ({
  id: tool.name,
  summary: tool.needs_approval === true ? `${tool.summary} (asks for approval)` : tool.summary,
  data: {
    capabilities: tool.capabilities,
    inputs: tool.inputs,
    outputs: tool.outputs,
    ...(tool.group === undefined ? {} : { group: tool.group }),
  },
})
