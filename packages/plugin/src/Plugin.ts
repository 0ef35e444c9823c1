/** A plugin: one value that says what a package contributes, made by `definePlugin`. */
import type { Effect } from "effect/Effect"
import type { Codec } from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Domain } from "./Domain.ts"
import type { StageFailed } from "./Failure.ts"
import type { FileKind } from "./FileKind.ts"
import type { Hook } from "./Hook.ts"
import type { Index } from "./SearchIndex.ts"
import type { RunStore } from "./Journal.ts"
import type { JsonObject } from "./Json.ts"
import type { Embedder, Provider } from "./Model.ts"
import { configReader, type ConfigRead } from "./readConfig.ts"
import type { Reader } from "./Reader.ts"
import type { SectionKind } from "./SectionKind.ts"
import type { StageKind } from "./Stage.ts"
import type { Subagent, Validator } from "./Subagent.ts"
import type { ToolSource } from "./Tool.ts"

/** The version of this contract. A plugin made for another one is refused when it is loaded. */
export const API_VERSION = 1

/** Everything a plugin can contribute, by kind. Ids are unique within a kind over all plugins of a workflow. */
export interface Components {
  readonly stages?: ReadonlyArray<StageKind>
  readonly providers?: ReadonlyArray<Provider>
  readonly embedders?: ReadonlyArray<Embedder>
  readonly indexes?: ReadonlyArray<Index>
  readonly tools?: ReadonlyArray<ToolSource>
  readonly hooks?: ReadonlyArray<Hook>
  readonly subagents?: ReadonlyArray<Subagent>
  readonly validators?: ReadonlyArray<Validator>
  readonly stores?: ReadonlyArray<RunStore>
  readonly domains?: ReadonlyArray<Domain>
  readonly readers?: ReadonlyArray<Reader>
  readonly fileKinds?: ReadonlyArray<FileKind>
  readonly sections?: ReadonlyArray<SectionKind>
}

/** Kinds of components that have an id. */
export type ComponentKind = Exclude<keyof Components, "fileKinds" | "sections">

export const componentKinds = [
  "stages",
  "providers",
  "embedders",
  "indexes",
  "tools",
  "hooks",
  "subagents",
  "validators",
  "stores",
  "domains",
  "readers",
] as const satisfies ReadonlyArray<ComponentKind>

/** What the host gives a plugin when it is set up. */
export interface Host {
  /** Folder of the workflow file: relative paths in config start here. */
  readonly root: string
  /** The value of a secret the workflow declares, or undefined. Keep it out of every message. */
  readonly secret: (name: string) => string | undefined
}

export interface PluginSpec<Config> {
  /** `acme/persona`, or one word for the engine's own. */
  readonly id: string
  readonly summary: string
  /** Typed config; unknown keys and wrong types are diagnostics at the place in the YAML. */
  readonly config?: Codec<Config, any>
  /** Components that need no set-up. Stage kinds belong here: `check` reads their schemas. */
  readonly components?: Components
  /** Ids of what `setup` will give, so that `check` knows them without setting anything up. */
  readonly provides?: { readonly [kind in ComponentKind]?: ReadonlyArray<string> }
  /**
   * Opens what needs opening; the scope closes when the host lets the plugin go. Not called by `check`. A failure of
   * class `invalid_request` is told at the plugin's config, at the key that `detail` names: { path: ["folder"] }.
   */
  readonly setup?: (config: Config, host: Host) => Effect<Components, StageFailed, Scope>
}

export interface Plugin extends PluginSpec<any> {
  readonly apiVersion: number
  /** Reads `config`; made by `definePlugin`, with the plugin's own copy of Effect. */
  readonly readConfig?: (given: JsonObject) => Promise<ConfigRead>
}

/** Declares a plugin. Export it as `default`. */
export const definePlugin = <Config = undefined>(spec: PluginSpec<Config>): Plugin => ({
  ...spec,
  ...(spec.config === undefined ? {} : { readConfig: configReader(spec.config) }),
  apiVersion: API_VERSION,
})
