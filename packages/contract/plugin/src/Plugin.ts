/** Plugin declaration: `definePlugin` and the components a plugin contributes. */
import type { Effect } from "effect/Effect"
import type { Codec } from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Domain } from "./component/Domain.ts"
import type { EventKind } from "./component/EventKind.ts"
import type { StageFailed, ToolFailed } from "./run/Failure.ts"
import type { Declared } from "./component/Declared.ts"
import type { FileKind } from "./component/FileKind.ts"
import type { AnyHook } from "./component/Hook.ts"
import type { Index } from "./component/SearchIndex.ts"
import type { RunStore } from "./run/Journal.ts"
import type { JsonObject } from "./value/Json.ts"
import type { Embedder, Provider, Reranker } from "./component/Model.ts"
import { configReader, type ConfigRead, type LateConfig } from "./value/readConfig.ts"
import type { SectionKind } from "./component/SectionKind.ts"
import type { StageKind } from "./component/Stage.ts"
import type { Subagent, Validator } from "./component/Review.ts"
import type { CatalogTools, GivenTools, Tool, ToolList, ToolSource } from "./component/Tool.ts"

/** The version of this contract. A plugin for another version is rejected on load. */
export const API_VERSION = 1

/** Components of a plugin, by kind. Ids are unique within a kind across all plugins of a workflow. */
export interface Components {
  readonly stages?: ReadonlyArray<StageKind>
  readonly providers?: ReadonlyArray<Provider>
  readonly embedders?: ReadonlyArray<Embedder>
  readonly rerankers?: ReadonlyArray<Reranker>
  readonly indexes?: ReadonlyArray<Index>
  readonly tools?: ReadonlyArray<ToolSource>
  readonly hooks?: ReadonlyArray<AnyHook>
  readonly subagents?: ReadonlyArray<Subagent>
  readonly validators?: ReadonlyArray<Validator>
  readonly stores?: ReadonlyArray<RunStore>
  readonly domains?: ReadonlyArray<Domain>
  readonly fileKinds?: ReadonlyArray<FileKind>
  readonly sections?: ReadonlyArray<SectionKind>
  readonly events?: ReadonlyArray<EventKind>
}

/** Kinds of components that have an id. */
export type ComponentKind = Exclude<keyof Components, "fileKinds" | "sections" | "events">

export const componentKinds = [
  "stages",
  "providers",
  "embedders",
  "rerankers",
  "indexes",
  "tools",
  "hooks",
  "subagents",
  "validators",
  "stores",
  "domains",
] as const satisfies ReadonlyArray<ComponentKind>

/** Host services for a plugin's `setup`. */
export interface Host {
  /**
   * The workflow's declarations in files and sections. It throws while plugins are set up: a tool source reads it in `list`,
   * `known` and `call`. Absent where only the store of a project is opened.
   */
  readonly declared?: () => Declared
  /** Base of relative paths in config: the folder of the project file, or of the workflow without a project. */
  readonly root: string
  /** The value of a secret the workflow declares, or undefined. Never include it in messages. */
  readonly secret: (name: string) => string | undefined
  /**
   * The reason why a program may not be started, in one sentence; undefined if it may. Call it before you start a program that a
   * file names: starting it runs code of whose folder the file is. Absent where the host starts every program.
   */
  readonly mayStart?: (program: Program) => Promise<string | undefined>
  /**
   * The reason why a file may not speak for the person who runs the workflow, in one sentence; undefined if it may. Call it
   * before a file makes you use a login of that person, or believe what only that person can vouch for. Absent where the host
   * believes every file.
   */
  readonly mayTrust?: (claim: Claim) => Promise<string | undefined>
  /**
   * The reason why the value of a variable may not go to an address, in one sentence; undefined if it may. Call it before you
   * send a secret to an address that a file names, unless it is your service's own. Absent where the host sends to every address.
   */
  readonly maySend?: (sending: Sending) => Promise<string | undefined>
}

/** A variable that would go to an address that a file names. */
export interface Sending {
  /** Name of the secret or the variable. */
  readonly secret: string
  /** Scheme, host and port: `https://api.example.com`. */
  readonly to: string
}

/** A statement of a file that counts only if it is the person's own. */
export interface Claim {
  /** For a person, after the name of the file: `lets the server "tickets" act with your login`. */
  readonly what: string
  /** Absolute path of the file. */
  readonly file: string
  /** Whether the answer makes a difference now: otherwise the person is not asked. */
  readonly matters: boolean
}

/** A program that a file of a workflow or a project names. */
export interface Program {
  /** For a person: `the server "files"`. */
  readonly what: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Absolute path of the file that names it. */
  readonly file: string
}

/**
 * Ids of components by kind. A tool source may be promised with its tools, which workflows can then refer to, and a subagent
 * before its setup, whose options `check` then reads.
 */
export type Provides = {
  readonly [kind in Exclude<ComponentKind, "tools" | "subagents">]?: ReadonlyArray<string>
} & {
  readonly tools?: ReadonlyArray<string | PromisedSource>
  readonly subagents?: ReadonlyArray<string | Subagent>
}

/** The tools that a source lists once it is set up; it may list more. */
export interface PromisedSource {
  readonly id: string
  readonly tools: ReadonlyArray<Tool>
  /**
   * The list of the last synchronization, by the plugin's config: `known` of the source before its setup. It starts and
   * connects to nothing, also when it is interrupted.
   */
  readonly known?: (config: any, declared: Declared) => Effect<ToolList, ToolFailed>
  /** As `given` of the source. */
  readonly given?: GivenTools
  /** How the source will check tools of catalogs, by the plugin's config. */
  readonly catalogTools?: (config: any) => CatalogTools
}

/** The ids among what a plugin provides. */
export const providedIds = (
  { provides = {} }: Pick<PluginSpec<any>, "provides">,
  kind: ComponentKind,
): ReadonlyArray<string> =>
  (provides[kind] ?? []).map((one) => (typeof one === "string" ? one : one.id))

/** The promised subagent; undefined if only its id is promised. */
export const promisedSubagent = (
  { provides = {} }: Pick<PluginSpec<any>, "provides">,
  id: string,
): Subagent | undefined =>
  (provides.subagents ?? []).flatMap((one) =>
    typeof one !== "string" && one.id === id ? [one] : [],
  )[0]

/** What is promised of a source; undefined if only its id is promised. */
export const promisedSource = (
  { provides = {} }: Pick<PluginSpec<any>, "provides">,
  source: string,
): PromisedSource | undefined =>
  (provides.tools ?? []).flatMap((one) =>
    typeof one !== "string" && one.id === source ? [one] : [],
  )[0]

/** The tools of a promised source; undefined if only its id is promised. */
export const promisedTools = (
  plugin: Pick<PluginSpec<any>, "provides">,
  source: string,
): ReadonlyArray<Tool> | undefined => promisedSource(plugin, source)?.tools

export interface PluginSpec<Config> {
  /** `acme/persona`, or a single word for built-in plugins. */
  readonly id: string
  readonly summary: string
  /** Typed config; unknown keys and wrong types are reported at their location in the YAML. */
  readonly config?: Codec<Config, any> | LateConfig<Config>
  /** Components that need no setup. Stage kinds belong here because `check` reads their schemas. */
  readonly components?: Components
  /** What `setup` returns, so that `check` knows it without running it. */
  readonly provides?: Provides
  /**
   * Opens resources; the scope closes when the host releases the plugin. Not called by `check`. A failure of class
   * `invalid_request` is reported at the config key that `detail` names: { path: ["folder"] }.
   */
  readonly setup?: (config: Config, host: Host) => Effect<Components, StageFailed, Scope>
}

export interface Plugin extends PluginSpec<any> {
  readonly apiVersion: number
  /** Decodes `config`; created by `definePlugin` with the plugin's copy of Effect. */
  readonly readConfig?: (given: JsonObject) => Promise<ConfigRead>
}

/** Declares a plugin. Export it as `default`. */
export const definePlugin = <Config = undefined>(spec: PluginSpec<Config>): Plugin => ({
  ...spec,
  ...(spec.config === undefined ? {} : { readConfig: configReader(spec.config) }),
  apiVersion: API_VERSION,
})
