/** What to do about an id that no declared plugin has. */
import type { ComponentKind, Manifest } from "@planloom/plugin/effect"
import { nearValue, type Fix } from "../Fix.ts"
import { declaring } from "../restructure.ts"

/** What plugins contribute that a workflow may declare, by their names. */
export type Manifests = { readonly [name: string]: Manifest }

const pluginWith = (kind: ComponentKind, id: string, manifests: Manifests): string | undefined =>
  Object.keys(manifests).find((name) =>
    Object.hasOwn(manifests[name]!.contributes.components?.[kind] ?? {}, id),
  )

/** Declares the plugin that has the component, or writes the id that was meant. */
export const idFix = (
  kind: ComponentKind,
  id: string,
  known: ReadonlyArray<string>,
  manifests: Manifests = {},
): Fix | undefined => {
  const plugin = pluginWith(kind, id, manifests)
  return plugin === undefined ? nearValue(id, known) : declaring(plugin)
}

/** Names the plugin that has the component, where one that is known does. */
export const unknownId = (
  kind: ComponentKind,
  id: string,
  known: ReadonlyArray<string>,
  near: string | undefined,
  manifests: Manifests = {},
): string => {
  const plugin = pluginWith(kind, id, manifests)
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
