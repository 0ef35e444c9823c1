/** The registry of event kinds: what stage kinds of plugins may emit by name. */
import type { EventKind } from "@planloom/plugin/effect"
import type { LoadedPlugin, PluginProblem } from "./plugins/Registry.ts"
import { schemaFault } from "./plugins/schemaFault.ts"

/** Notes that every stage kind may make. */
const ownNotes: ReadonlySet<string> = new Set(["summary", "confidence", "repair"])

/** The first plugin to bring a name keeps it; one that cannot be used is a problem of its plugin. */
export const registerEvents = (
  plugins: ReadonlyArray<LoadedPlugin>,
): {
  readonly events: ReadonlyMap<string, EventKind>
  readonly problems: ReadonlyArray<PluginProblem>
} => {
  const events = new Map<string, EventKind>()
  const problems: Array<PluginProblem> = []
  for (const { components, name: plugin } of plugins) {
    for (const kind of components.events ?? []) {
      const fault = schemaFault(kind.schema)
      const message = ownNotes.has(kind.name)
        ? "has the name of a note that every stage kind may make"
        : events.has(kind.name)
          ? "is already given by another plugin"
          : fault && `has a schema that cannot be used: ${fault.message}`
      if (message === undefined) events.set(kind.name, kind)
      else problems.push({ name: plugin, message: `the event "${kind.name}" ${message}` })
    }
  }
  return { events, problems }
}
