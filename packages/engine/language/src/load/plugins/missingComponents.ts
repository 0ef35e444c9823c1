/** Compares what a loaded plugin has with what it promised before: `provides`, and the manifest of its package. */
import {
  componentKinds,
  providedIds,
  type Components,
  type ComponentKind,
  type Manifest,
  type Plugin,
} from "@planloom/plugin/effect"

/** What the plugin promised and does not have, as text: `providers "fast"`. */
export const missingComponents = (
  plugin: Plugin,
  components: Components,
  manifest: Manifest | undefined,
  /** `setup` has not run yet and may still return what `provides` lists. */
  isOpen: boolean,
): ReadonlyArray<string> => {
  const { components: declared = {}, events = [], fileKinds = [] } = manifest?.contributes ?? {}
  const sections = Object.entries(manifest?.contributes.sections ?? {})
  const isAwaited = isOpen && plugin.setup !== undefined
  const ids = (kind: ComponentKind) => [
    ...(components[kind] ?? []).map(({ id }) => id),
    ...(isAwaited ? providedIds(plugin, kind) : []),
  ]
  return [
    ...componentKinds.flatMap((kind) =>
      missing(
        kind,
        [...providedIds(plugin, kind), ...Object.keys(declared[kind] ?? {})],
        ids(kind),
      ),
    ),
    ...missing(
      "fileKinds",
      fileKinds.map(({ kind }) => kind),
      (components.fileKinds ?? []).map(({ kind }) => kind),
    ),
    ...missing(
      "sections",
      sections.flatMap(([on, byKey]) => Object.keys(byKey).map((key) => `${on}.${key}`)),
      (components.sections ?? []).map(({ key, on }) => `${on}.${key}`),
    ),
    ...missing(
      "events",
      events.map(({ name }) => name),
      (components.events ?? []).map(({ name }) => name),
    ),
  ]
}

const missing = (
  kind: keyof Components,
  promised: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  [...new Set(promised)].filter((id) => !given.includes(id)).map((id) => `${kind} "${id}"`)
