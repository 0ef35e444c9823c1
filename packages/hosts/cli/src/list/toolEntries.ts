/** Converts tools to list entries. */
import type { Tool } from "@planloom/plugin/effect"
import type { Entry } from "./Entry.ts"

export const toolEntries = (tools: ReadonlyArray<Tool>): ReadonlyArray<Entry> =>
  tools.map(toolEntry)

/** What a reader of the list has to know before the tool is called. */
const notes = ({ available, effect = "write", needs_approval: asks }: Tool) => [
  ...(effect === "write" ? ["writes"] : []),
  ...(asks === true ? ["asks for approval"] : []),
  ...(typeof available === "string" ? [`unavailable: ${available}`] : []),
]

export const toolEntry = (tool: Tool): Entry => ({
  id: tool.name,
  summary: [tool.summary, ...notes(tool).map((note) => `(${note})`)].join(" "),
  data: {
    capabilities: tool.capabilities,
    inputs: tool.inputs,
    outputs: tool.outputs,
    effect: tool.effect ?? "write",
    ...(tool.idempotent === undefined ? {} : { idempotent: tool.idempotent }),
    ...(tool.reuse === undefined ? {} : { reuse: tool.reuse }),
    ...(typeof tool.available === "string" ? { unavailable: tool.available } : {}),
    ...(tool.group === undefined ? {} : { group: tool.group }),
  },
})
