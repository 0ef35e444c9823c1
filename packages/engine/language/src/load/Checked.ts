/** Results of checking a workflow or a file. */
import type { JsonObject, JsonSchema, Tool } from "@planloom/plugin/effect"
import type { Definition } from "../definition/Definition.ts"
import type { Resources, RunResources } from "../definition/Resources.ts"
import type { DeclaredFiles } from "./LateDeclared.ts"
import type { ListProblem } from "./tools/listTools.ts"
import type { LiveTools } from "./tools/liveTools.ts"
import type { ToolRegistry } from "./tools/ToolRegistry.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import type { SourceFile } from "../source/SourceFile.ts"

/** Files by the path diagnostics print. */
export type Sources = ReadonlyMap<string, SourceFile>

/** A workflow without errors, with everything that compiling it needs. */
export interface CheckedWorkflow {
  readonly definition: Definition
  /** Of its inputs, as one object. */
  readonly inputs: JsonSchema
  /** Prompt modes by name: those of the definition, and those that every workflow has. */
  readonly modes: Definition["modes"]
  readonly resources: RunResources
  readonly tools: ToolRegistry
  /** Set if a tool source reports changes of its list. */
  readonly liveTools?: LiveTools
  /** Sources some of whose tools were missing when it was loaded. */
  readonly listProblems: ReadonlyArray<ListProblem>
  /** Workflows that its stages run, by path as written. */
  readonly workflows: ReadonlyMap<string, CheckedWorkflow>
  /** Values of the declared secrets, for scrubbing. */
  readonly secrets: ReadonlyArray<string>
  /** Folders and files that its runs may read: absolute paths. */
  readonly roots: ReadonlyArray<string>
  /** Which recorded runs the project keeps: age in milliseconds, and how many. */
  readonly keep?: { readonly age?: number; readonly count?: number }
}

/** A workflow that was read from its files, and what of them it was bound with. */
export interface ReadWorkflow extends CheckedWorkflow {
  readonly resources: Resources
  readonly workflows: ReadonlyMap<string, ReadWorkflow>
  readonly origin: {
    readonly path: string
    /** Path of the project file. */
    readonly project: string | undefined
    /** Catalog entries, before they are merged with the tools that sources list. */
    readonly catalog: ReadonlyArray<Tool>
    /** Contents of the files of kinds that plugins declare, by kind, with the paths of the files. */
    readonly files: DeclaredFiles
    /** Names of the plugins whose code was loaded: a plugin of which the workflow uses nothing is not. */
    readonly plugins: ReadonlyArray<string>
    /** By plugin name, from the project file. */
    readonly configs: { readonly [plugin: string]: JsonObject }
  }
}

/** The result of checking a workflow. */
export interface Checked {
  readonly file: string
  /** In reading order. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Every file that was read, by the path diagnostics print. */
  readonly sources: Sources
  /** Undefined when there is an error. */
  readonly workflow: ReadWorkflow | undefined
}

/** The result of checking one file. */
export interface CheckedFile {
  readonly file: string
  /** In reading order, including those of files that it names. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: Sources
}
