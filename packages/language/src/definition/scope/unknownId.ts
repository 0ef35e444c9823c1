/** What to do about an id that no declared plugin has. */
import type { ComponentKind, Manifest } from "@planloom/plugin/effect"

/** What plugins contribute that a workflow may declare, by their names. */
export type Manifests = { readonly [name: string]: Manifest }

/** Names the plugin that has the component, where one that is known does. */
export const unknownId = (
  kind: ComponentKind,
  id: string,
  known: ReadonlyArray<string>,
  near: string | undefined,
  manifests: Manifests = {},
): string => {
  const plugin = Object.keys(manifests).find((name) =>
    Object.hasOwn(manifests[name]!.contributes.components?.[kind] ?? {}, id),
  )
  if (plugin !== undefined) return declarePlugin(plugin)
  return known.length === 0
    ? "declare the plugin that has it: use: { plugins: [...] }"
    : `${near ?? ""}${near?.endsWith("?") ? "" : ";"} more come from plugins under use: { plugins: [...] }`
}

/** What to do where no declared plugin has an index. */
export const declareIndex = (manifests: Manifests | undefined): string =>
  unknownId("indexes", "embedded", [], undefined, manifests)

export const declarePlugin = (name: string): string =>
  `declare the plugin that has it: use: { plugins: ["${name}"] }`
