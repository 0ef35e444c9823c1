/** The tools by which a model reads and calls tools that are one line of its prompt; always declared alike. */
import type { JsonObject, Tool, ToolCall, ToolOffer } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { AgentSite, Declared } from "./AgentSite.ts"

/** No tool of a workflow may have these names where tools are offered by one line. */
export const CALL_TOOL = "call_tool"
export const READ_DOCUMENTATION = "read_tool_documentation"

/** Declared where tools are offered by one line: the same objects in each request, because providers convert a declaration once. */
export const lazyDeclarations: ReadonlyArray<Declared> = [
  {
    name: READ_DOCUMENTATION,
    description:
      "Gives the parameters and the documentation of a tool under Tools. Read it before the first call of that tool.",
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "a tool under Tools" } },
      required: ["name"],
      additionalProperties: false,
    },
  },
  {
    name: CALL_TOOL,
    description: "Calls a tool under Tools.",
    parameters: {
      type: "object",
      properties: {
        name: { type: "string", description: "a tool under Tools" },
        arguments: { type: "object", description: "as its parameters say" },
      },
      required: ["name", "arguments"],
      additionalProperties: false,
    },
  },
]

const isLazy = ({ form }: ToolOffer): boolean => form === "index"

/** The offered tools of which a model reads one line. */
export const lazyTools = (
  offers: ReadonlyArray<ToolOffer>,
  site: Pick<AgentSite, "tool">,
): ReadonlyArray<Tool> =>
  offers.flatMap((offer) => (isLazy(offer) ? (site.tool(offer.tool) ?? []) : []))

/** Whether a model reads one line of some of the tools. */
export const hasLazy = (offers: ReadonlyArray<ToolOffer>): boolean => offers.some(isLazy)

/**
 * The call that a model means: for `call_tool`, that of the tool it names, so that it is checked, approved, counted and
 * shown as that tool's own. One that names no tool stays as written.
 */
export const meantCall = (call: ToolCall, offers: ReadonlyArray<ToolOffer>): ToolCall => {
  if (call.name !== CALL_TOOL || !hasLazy(offers)) return call
  const { arguments: given = {}, name } = call.arguments
  const params = objectOf(given)
  return typeof name === "string" && params !== undefined
    ? { ...call, name, arguments: params }
    : call
}

/** Models also write the arguments as JSON in a text. */
const objectOf = (given: unknown): JsonObject | undefined => {
  if (typeof given !== "string") return isObject(given) ? (given as JsonObject) : undefined
  try {
    const read: unknown = JSON.parse(given)
    return isObject(read) ? (read as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** The tool whose documentation a call asks for; undefined for any other call. */
export const documented = (
  { arguments: params, name }: Pick<ToolCall, "arguments" | "name">,
  offers: ReadonlyArray<ToolOffer>,
): string | undefined =>
  name === READ_DOCUMENTATION && hasLazy(offers) ? String(params["name"] ?? "") : undefined
