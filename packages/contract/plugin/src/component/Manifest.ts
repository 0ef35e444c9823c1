/** Manifests: what a plugin's package contributes, as data that is read without running the plugin's code. */
import type { Json, JsonSchema } from "../value/Json.ts"
import {
  componentKinds,
  promisedTools,
  providedIds,
  type ComponentKind,
  type Plugin,
} from "../Plugin.ts"
import type { Tool } from "./Tool.ts"
import type { SectionOwner } from "./SectionKind.ts"

/** The key `planloom` of a plugin's `package.json`. Its package's main module must be the plugin. */
export interface Manifest {
  /** The version of the plugin contract. */
  readonly api: 1
  readonly contributes: Contributes
}

export interface Contributes {
  readonly fileKinds?: ReadonlyArray<ContributedFileKind>
  /** By owner and key. */
  readonly sections?: {
    readonly [on in SectionOwner]?: { readonly [key: string]: ContributedSection }
  }
  readonly events?: ReadonlyArray<ContributedEvent>
  /** By kind and id. */
  readonly components?: {
    readonly [kind in ComponentKind]?: { readonly [id: string]: ContributedComponent }
  }
}

export interface ContributedEvent {
  readonly name: string
  readonly summary: string
  readonly schema: JsonSchema
  readonly audience: "user" | "operator"
}

export interface ContributedFileKind {
  readonly kind: string
  readonly summary: string
  readonly schema: JsonSchema
  /** Keys of the file that are sections of the workflow. */
  readonly sections?: ReadonlyArray<string>
}

export interface ContributedSection {
  readonly summary: string
  readonly schema: JsonSchema
}

export interface ContributedComponent {
  readonly summary?: string
  /** Of a stage kind: the schema of `with`. */
  readonly input?: JsonSchema
  /** Of a stage kind whose output does not depend on its `with`. */
  readonly output?: JsonSchema
  /** Of a stage kind: the output field that holds its reply. */
  readonly streams?: string
  /** Of a tool source that is made in `setup`. */
  readonly tools?: ReadonlyArray<Tool>
}

/** The manifest of a plugin, for its `package.json` and for a test that the two agree. */
export const manifestOf = (plugin: Plugin): Manifest => {
  const { components = {} } = plugin
  const { events = [], fileKinds = [], sections = [] } = components
  const byOwner: { [on: string]: { [key: string]: ContributedSection } } = {}
  for (const { key, on, schema, summary } of sections) {
    byOwner[on] = { ...byOwner[on], [key]: { summary, schema } }
  }
  const byKind: { [kind: string]: { [id: string]: ContributedComponent } } = {}
  for (const kind of componentKinds) {
    const given = Object.fromEntries(
      providedIds(plugin, kind).map((id) => {
        const tools = kind === "tools" ? promisedTools(plugin, id) : undefined
        return [id, tools === undefined ? {} : { tools }]
      }),
    )
    const known = (components[kind] ?? []).map((one) => [one.id, contributed(one)])
    const all = { ...given, ...(Object.fromEntries(known) as typeof given) }
    if (Object.keys(all).length > 0) byKind[kind] = all
  }
  const contributes = {
    ...(fileKinds.length === 0
      ? {}
      : {
          fileKinds: fileKinds.map(({ kind, schema, sections: keys, summary }) => ({
            kind,
            summary,
            schema,
            ...(keys === undefined ? {} : { sections: keys }),
          })),
        }),
    ...(sections.length === 0 ? {} : { sections: byOwner }),
    ...(events.length === 0
      ? {}
      : {
          events: events.map(({ audience, name, schema, summary }) => ({
            name,
            summary,
            audience,
            schema,
          })),
        }),
    ...(Object.keys(byKind).length === 0 ? {} : { components: byKind }),
  }
  return JSON.parse(JSON.stringify({ api: 1, contributes })) as Manifest & Json
}

const contributed = (component: object): ContributedComponent => {
  const { input, output, streams, summary } = component as ContributedComponent
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined || typeof output === "function" ? {} : { output }),
    ...(typeof streams === "string" ? { streams } : {}),
  }
}
