/** Everything a workflow refers to besides itself: what its `use:` and `prompts:` name, read and decoded. */
import type {
  Bound,
  Declared,
  Domain,
  Embedder,
  EventKind,
  AnyHook,
  Index,
  Json,
  JsonSchema,
  Provider,
  Reranker,
  RunStore,
  SectionOwner,
  StageKind,
  Subagent,
  Tool,
  ToolSource,
  Validator,
} from "@planloom/plugin/effect"
import type { Facts } from "@planloom/plugin/facts"
import type { DocumentPath } from "./Definition.ts"
import type { Manifests } from "./scope/unknownId.ts"
import type { ExamplesFile } from "./Examples.ts"

/** The components of the declared plugins, by id. */
export interface KnownComponents {
  readonly stages: ReadonlyMap<string, StageKind>
  readonly providers: ReadonlyMap<string, Provider>
  readonly embedders: ReadonlyMap<string, Embedder>
  readonly rerankers: ReadonlyMap<string, Reranker>
  readonly indexes: ReadonlyMap<string, Index>
  readonly tools: ReadonlyMap<string, ToolSource>
  readonly hooks: ReadonlyMap<string, AnyHook>
  readonly subagents: ReadonlyMap<string, Subagent>
  readonly validators: ReadonlyMap<string, Validator>
  readonly stores: ReadonlyMap<string, RunStore>
  readonly domains: ReadonlyMap<string, Domain>
}

/** A prompt file: its Markdown body, with `${{ }}`. */
export interface PromptFile {
  readonly name: string
  readonly path: string
  readonly text: string
}

/** A section of a plugin, bound to the workflow around it. */
export interface PluginSection {
  readonly on: SectionOwner
  readonly key: string
  /** Of the workflow or stage that it belongs to. */
  readonly path: DocumentPath
  readonly value: Json
  /** Path of the file that it is written in. */
  readonly file?: string
  /** What expressions may read under its key. */
  readonly variables?: { readonly [name: string]: JsonSchema }
  /** Values that expressions in it read, which its plugin evaluates. */
  readonly references?: ReadonlyArray<ReadonlyArray<string>>
  /** What expressions may read under its key is not known: it has a mistake, or its plugin's code is not loaded. */
  readonly isOpen?: true
  readonly bound: Bound
}

export interface Resources {
  readonly components: KnownComponents
  /** Names of the plugins that brought them, by `tools/data`; absent for an artefact. */
  readonly owners?: ReadonlyMap<string, string>
  /** Catalog entries and what the tool sources list, merged; in declared order. */
  readonly tools: ReadonlyArray<Tool>
  /** Names that tools may have which no source lists now: `github.create_issue`, `github.*`. */
  readonly openTools?: ReadonlyArray<string>
  /** Tool sources whose tools are unknown until the setup of their plugin. */
  readonly namelessSources?: ReadonlyArray<{ readonly source: string; readonly plugin: string }>
  /** Contents of the files under `use.files` whose kinds plugins declare, by kind. */
  readonly files: ReadonlyMap<string, ReadonlyArray<Json>>
  /** The workflow's declarations for its plugins; absent for an artefact. */
  readonly declared?: Declared
  readonly prompts: ReadonlyMap<string, PromptFile>
  /** Sections by name, for prompt modes. */
  readonly sections: ReadonlyMap<string, PromptFile>
  /** Files of examples, by path as written. */
  readonly examples?: ReadonlyMap<string, ExamplesFile>
  /** What is known of models. */
  readonly facts?: Facts
  /** Folders and files that runs may read; absent where none is known. */
  readonly roots?: ReadonlyArray<string>
  /** What plugins contribute that the workflow might declare, by their names. */
  readonly manifests?: Manifests
  /** What stage kinds of the plugins may emit, by name. */
  readonly events?: ReadonlyMap<string, EventKind>
  /** In reading order, the project's first. */
  readonly pluginSections?: ReadonlyArray<PluginSection>
  /** Schemas of the workflows that stages run, by path as written. */
  readonly workflows?: ReadonlyMap<
    string,
    { readonly inputs: JsonSchema; readonly outputs: JsonSchema }
  >
}

/** What a run needs of them: where an example stands in its file is for diagnostics. */
export interface RunResources extends Omit<Resources, "examples"> {
  readonly examples?: ReadonlyMap<string, Pick<ExamplesFile, "examples">>
  /** Stage kinds whose schemas were unknown when the workflow was checked: no `with` of theirs has been checked. */
  readonly uncheckedKinds?: ReadonlySet<string>
}
