/** Every tool that a workflow can reach: its description and the source that runs it. */
import type { Json, Tool, ToolSource } from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import { validatorOf } from "@planloom/schema/ajv"
import type { ListedTools } from "./listTools.ts"

export interface RegisteredTool {
  readonly tool: Tool
  /** Undefined for a catalog entry that no source runs. */
  readonly source: ToolSource | undefined
  /** Milliseconds one call may take. */
  readonly timeout: number | undefined
  /** Set for a tool that a catalog gives to its source. */
  readonly isFromCatalog?: true
}

export type ToolRegistry = ReadonlyMap<string, RegisteredTool>

/**
 * Merges what sources list with what catalogs add. A source decides `params`, `result`, `inputs` and `outputs` of the
 * tools that it lists; other keys of a catalog override those of the source. A call has to meet the conditions of both.
 */
export const mergeTools = (
  listed: ReadonlyArray<ListedTools>,
  catalog: ReadonlyArray<Tool>,
): ToolRegistry => {
  const registry = new Map<string, RegisteredTool>()
  for (const { source, tools } of listed) {
    // A page that a model may read is named by a catalog, never by what runs the tool.
    for (const tool of tools) registry.set(tool.name, registered(withoutPage(tool), source))
  }
  for (const entry of catalog) {
    const known = registry.get(entry.name)
    registry.set(
      entry.name,
      known === undefined
        ? givenToSource(
            entry,
            listed.find(({ source }) => source.id === entry.source),
          )
        : {
            ...known,
            ...registered(
              {
                ...known.tool,
                ...entry,
                params: known.tool.params,
                inputs: known.tool.inputs,
                outputs: known.tool.outputs,
                ...bothRequired(known.tool, entry),
                ...(known.tool.result === undefined ? {} : { result: known.tool.result }),
              },
              known.source,
            ),
          },
    )
  }
  return withGroupSummaries(registry)
}

const bothRequired = ({ requires: own = [] }: Tool, { requires = [] }: Tool) => {
  const both = [...own, ...requires]
  return both.length === 0 ? {} : { requires: both }
}

/** A tool that no source lists: run by the source that its entry names. */
const givenToSource = (entry: Tool, named: ListedTools | undefined): RegisteredTool => {
  if (named === undefined) return registered(entry, undefined)
  const { source } = named
  const { complete, schema } = source.catalogTools ?? {}
  const isComplete =
    complete !== undefined && validatorOf(schema ?? true)((entry.with ?? {}) as Json).length === 0
  return {
    ...registered(isComplete ? { ...complete(entry), ...entry } : entry, source),
    isFromCatalog: true,
  }
}

/** Each tool of a group has the summary that one of them gives. */
const withGroupSummaries = (registry: Map<string, RegisteredTool>): ToolRegistry => {
  const summaries = new Map<string, string>()
  for (const { tool } of registry.values()) {
    const { group, group_summary: summary } = tool
    if (group !== undefined && summary !== undefined && !summaries.has(group)) {
      summaries.set(group, summary)
    }
  }
  if (summaries.size === 0) return registry
  for (const [name, known] of registry) {
    const { group, group_summary: own } = known.tool
    const summary = group === undefined ? undefined : summaries.get(group)
    if (summary !== undefined && own === undefined) {
      registry.set(name, { ...known, tool: { ...known.tool, group_summary: summary } })
    }
  }
  return registry
}

const withoutPage = (tool: Tool): Tool => {
  if (tool.docs === undefined) return tool
  const { docs: _, ...rest } = tool
  return rest
}

const registered = (tool: Tool, source: ToolSource | undefined): RegisteredTool => ({
  tool,
  source,
  timeout: tool.timeout === undefined ? undefined : parseDuration(tool.timeout),
})
