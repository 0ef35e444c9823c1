/** Every tool that a workflow can reach: its description and the source that runs it. */
import {
  isToolPattern,
  meansTool,
  type Json,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
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
  const registry = listed.some(({ open }) => open !== undefined)
    ? new OpenRegistry(listed)
    : new Map<string, RegisteredTool>()
  for (const { source, tools } of listed) {
    // A page that a model may read is named by a catalog, never by what runs the tool.
    for (const tool of tools) registry.set(tool.name, registered(withoutPage(tool), source))
  }
  const names = new Set(registry.keys())
  for (const entry of catalog) {
    const known = names.has(entry.name) ? registry.get(entry.name) : undefined
    registry.set(
      entry.name,
      known === undefined
        ? entry.source === undefined
          ? // It stands in for what its source does not list now.
            registered(entry, mayList(listed, entry.name)?.source)
          : givenToSource(
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
    names.add(entry.name)
  }
  return withGroupSummaries(registry)
}

/** Each tool of a registry as `change` makes it, also those that no source lists now. */
export const mapTools = (
  registry: ToolRegistry,
  change: (registered: RegisteredTool) => RegisteredTool,
): ToolRegistry => {
  const made =
    registry instanceof OpenRegistry ? registry.empty() : new Map<string, RegisteredTool>()
  for (const [name, registered] of registry) made.set(name, change(registered))
  return made
}

/** Names of tools that may exist although no source lists them. */
export const openNames = (listed: ReadonlyArray<ListedTools>): ReadonlyArray<string> =>
  listed.flatMap(({ open = [] }) => open)

/** With tools that sources do not list now, and may have: a call of one fails with the reason, and no model is offered it. */
class OpenRegistry extends Map<string, RegisteredTool> {
  private readonly listed: ReadonlyArray<ListedTools>
  private readonly missing = new Map<string, RegisteredTool | undefined>()

  constructor(listed: ReadonlyArray<ListedTools>) {
    super()
    this.listed = listed
  }

  /** One without tools, for the same sources. */
  empty(): OpenRegistry {
    return new OpenRegistry(this.listed)
  }

  override get(name: string): RegisteredTool | undefined {
    return super.get(name) ?? this.unlisted(name)
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined
  }

  private unlisted(name: string): RegisteredTool | undefined {
    if (!this.missing.has(name)) this.missing.set(name, this.made(name))
    return this.missing.get(name)
  }

  private made(name: string): RegisteredTool | undefined {
    const found = mayList(this.listed, name)
    if (found === undefined || isToolPattern(name)) return undefined
    const { problem, source } = found
    return registered(
      {
        name,
        summary: `a tool that ${source.id} does not list`,
        capabilities: [],
        inputs: {},
        outputs: [],
        params: true,
        available: `its source "${source.id}" ${problem ?? "does not list it now"}`,
      },
      source,
    )
  }
}

/** The source that may have a tool of this name. */
const mayList = (listed: ReadonlyArray<ListedTools>, name: string): ListedTools | undefined =>
  listed.find(({ open = [] }) => open.some((one) => meansTool(one, name)))

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
