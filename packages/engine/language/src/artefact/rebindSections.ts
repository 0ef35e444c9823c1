/** Sections of an artefact and the plugins of today → what the sections do in a run. */
import { join } from "node:path"
import type { Bound } from "@planloom/plugin/effect"
import type { Definition } from "../definition/Definition.ts"
import type { PluginSection, RunResources } from "../definition/Resources.ts"
import { knownFrom } from "../definition/scope/Known.ts"
import type { SectionKinds } from "../load/SectionKinds.ts"
import { sectionFingerprint, type ArtefactRejected, type ArtefactSection } from "./Artefact.ts"

export interface Rebinding {
  readonly kinds: SectionKinds
  readonly definition: Definition
  readonly resources: RunResources
  /** The workflow's folder. */
  readonly root: string
  readonly reject: (reason: ArtefactRejected["reason"], message: string) => ArtefactRejected
}

/** Throws what `reject` gives. */
export const rebindSections = (
  sections: ReadonlyArray<ArtefactSection>,
  { definition, kinds, reject, resources, root }: Rebinding,
): ReadonlyArray<PluginSection> =>
  sections.map(({ file, fingerprint, key, on, path, value }) => {
    const kind = kinds.find(on, key)
    if (kind === undefined) {
      throw reject("plugin", `none of its plugins has the ${on} section "${key}"`)
    }
    let bound: Bound
    let variables: PluginSection["variables"]
    try {
      bound = kind.bind?.(value, knownFrom(join(root, file), definition, resources)) ?? {}
      variables = kind.variables?.(value)
    } catch (error) {
      throw reject("plugin", `the plugin's code for "${key}" failed: ${String(error)}`)
    }
    for (const { use } of bound.hooks ?? []) {
      if (typeof use === "string" && !resources.components.hooks.has(use)) {
        throw reject("plugin", `none of its plugins has the hook "${use}" of "${key}"`)
      }
    }
    if (sectionFingerprint(variables) !== fingerprint) {
      throw reject("changed", `what "${key}" gives has changed since it was built; build it again`)
    }
    return { on, key, path, value, bound, ...(variables && { variables }) }
  })
