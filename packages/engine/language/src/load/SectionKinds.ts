/** The registry of section kinds: keys of files that plugins define. */
import type { SectionKind, SectionOwner } from "@planloom/plugin/effect"
import { nameProblem } from "../definition/shape/scalars.ts"
import { projectKeys } from "../definition/shape/project.ts"
import { stageKeys } from "../definition/shape/stage.ts"
import { workflowKeys } from "../definition/shape/workflow.ts"
import type { LoadedPlugin, PluginProblem } from "./plugins/Registry.ts"
import { schemaFault } from "./plugins/schemaFault.ts"

export interface SectionKinds {
  readonly find: (on: SectionOwner, key: string) => SectionKind | undefined
  readonly keys: (on: SectionOwner) => ReadonlyArray<string>
}

const ownKeys: { readonly [on in SectionOwner]: ReadonlyArray<string> } = {
  workflow: workflowKeys,
  stage: stageKeys,
  project: projectKeys,
}

/** Names that expressions read already. */
const ownRoots: ReadonlySet<string> = new Set(
  "inputs stages run flags session texts rerun outcome error iter index item secrets env tools".split(
    " ",
  ),
)

/** The first plugin to bring a key keeps it; one that cannot be used is a problem of its plugin. */
export const registerSections = (
  plugins: ReadonlyArray<LoadedPlugin>,
): { readonly kinds: SectionKinds; readonly problems: ReadonlyArray<PluginProblem> } => {
  const known = new Map<string, SectionKind>()
  const owners = new Map<string, string>()
  const problems: Array<PluginProblem> = []
  for (const { components, name } of plugins) {
    for (const kind of components.sections ?? []) {
      const id = `${kind.on} ${kind.key}`
      const owner = owners.get(id)
      const message =
        owner === undefined ? unusable(kind) : `is already given by the plugin "${owner}"`
      if (message === undefined) {
        known.set(id, kind)
        owners.set(id, name)
      } else problems.push({ name, message: `the ${kind.on} section "${kind.key}" ${message}` })
    }
  }
  return {
    kinds: {
      find: (on, key) => known.get(`${on} ${key}`),
      keys: (on) => [...known.values()].flatMap((kind) => (kind.on === on ? [kind.key] : [])),
    },
    problems,
  }
}

const unusable = ({ key, on, schema }: SectionKind): string | undefined => {
  const fault = schemaFault(schema)
  if (fault !== undefined) return `has a schema that cannot be used: ${fault.message}`
  if (ownKeys[on].includes(key)) return `is a key of the language`
  if (ownRoots.has(key)) return `has a name that expressions read already`
  return nameProblem(key) === undefined ? undefined : "has a key that is not a name (a-z, 0-9, _)"
}
