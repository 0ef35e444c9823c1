/** Manifests of the plugins that come with the command: the ids of components, whose code is at hand. */
import { manifestOf, type Manifest, type Plugin } from "@planloom/plugin/effect"

export const firstPartyManifest = (plugin: Plugin): Manifest => {
  const { api, contributes } = manifestOf(plugin)
  const { components = {}, ...rest } = contributes
  const byKind = Object.entries(components).map(([kind, byId]) => [
    kind,
    Object.fromEntries(Object.keys(byId).map((id) => [id, {}])),
  ])
  return { api, contributes: { ...rest, components: Object.fromEntries(byKind) } }
}
