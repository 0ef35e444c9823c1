/** Compares the tools that a source lists once it is set up with those that its plugin promised. */
import { promisedTools, type Json, type JsonSchema, type Tool } from "@planloom/plugin/effect"
import { canonicalJson } from "@planloom/schema"
import type { ListedTools } from "../tools/listTools.ts"
import type { LoadedPlugin, PluginProblem } from "./Registry.ts"

/** Tools that are missing, or that have other schemas than `check` used; a source may list more tools. */
export const brokenPromises = (
  plugins: ReadonlyArray<LoadedPlugin>,
  listed: ReadonlyArray<ListedTools>,
  /** Sources whose lists a test gives. */
  replaced: object = {},
): ReadonlyArray<PluginProblem> =>
  plugins.flatMap(({ components, name, plugin }) =>
    (components.tools ?? []).flatMap(({ id }) => {
      if (Object.hasOwn(replaced, id)) return []
      const found = listed.find(({ source }) => source.id === id)
      // That a source cannot list its tools is reported by itself.
      if (found?.problem !== undefined) return []
      return (promisedTools(plugin, id) ?? []).flatMap((promised) => {
        const given = found?.tools.find((tool) => tool.name === promised.name)
        const message = brokenPromise(promised, given)
        return message === undefined
          ? []
          : [{ name, message: `the tool "${promised.name}" of its source "${id}" ${message}` }]
      })
    }),
  )

const brokenPromise = (promised: Tool, given: Tool | undefined): string | undefined => {
  if (given === undefined) return "is promised, but not listed once the plugin is set up"
  const differing = (["params", "result", "approval_fields"] as const).find(
    (key) => schemaText(promised[key]) !== schemaText(given[key]),
  )
  return differing === undefined
    ? undefined
    : `has other ${differing} than promised once the plugin is set up`
}

const schemaText = (schema: JsonSchema = true): string => canonicalJson(schema as Json)
