/** Options of a host for loading a workflow, and the file kinds that it adds, which take these options. */
import type * as Effect from "effect/Effect"
import type { FileKind, Json, JsonSchema, Manifest, Plugin } from "@planloom/plugin/effect"
import type { Decoded } from "../definition/decode.ts"
import type { Document } from "../source/Document.ts"
import type { CheckedFile } from "./Checked.ts"
import type { MayLoad } from "./plugins/MayLoad.ts"
import type { FolderDecisions } from "./plugins/FolderDecisions.ts"

export interface LoadOptions extends FolderDecisions {
  /** Plugins of the host, by the name in `use.plugins`; they precede Node's own resolution. */
  readonly plugins?: { readonly [name: string]: () => Promise<Plugin> }
  /**
   * Whether the code of a plugin found through Node's resolution may run. Every plugin may unless given: the
   * code of an embedding host runs already, and names its workflows itself.
   */
  readonly mayLoad?: MayLoad
  /** Optional packages that a plugin of the host needs and that are not installed, by the name in `use.plugins`. */
  readonly missing?: (plugin: string) => ReadonlyArray<string>
  /** Values of declared secrets; the process's environment unless given. */
  readonly secret?: (name: string) => string | undefined
  /** Values to set in the workflow file before it is read: `defaults.timeout`, `models.planner.try` … */
  readonly set?: ReadonlyArray<{ readonly path: string; readonly value: Json }>
  /** Name of an environment in `planloom.yaml` whose settings apply. */
  readonly environment?: string
  /** Values of the workflow's flags; they win over its environment's and the process's. */
  readonly flags?: { readonly [name: string]: Json }
  /** The value that the host's own environment gives a flag; the process's `PLANLOOM_FLAG_<NAME>` unless given. */
  readonly flag?: (name: string) => string | undefined
  /** The value of a variable that a flag names as its `env`; the process's environment unless given. */
  readonly variable?: (name: string) => string | undefined
  /** Texts to read instead of files, by path: standard input, an editor's buffer, the files with which a run started. */
  readonly texts?: ReadonlyMap<string, string>
  /** Plugins to add without the workflow declaring them: a test's scripted provider. */
  readonly extraPlugins?: ReadonlyArray<Plugin>
  /** What plugins of the host contribute, by the name in `use.plugins`: known in files that declare none of them. */
  readonly manifests?: { readonly [name: string]: Manifest }
  /** Folders and files that runs may read in addition to the project's `roots`. */
  readonly roots?: ReadonlyArray<string>
  /** Kinds of files of the host, in addition to the language's own. */
  readonly kinds?: ReadonlyArray<RegisteredFileKind>
  /** Lists of tool sources, by their ids, in place of their own: a test's. */
  readonly sources?: { readonly [source: string]: Json }
  /** Models that every alias tries instead of its own. */
  readonly modelsOverride?: ReadonlyArray<string>
}

export interface RegisteredFileKind {
  /** As files write it after `kind:`. */
  readonly kind: string
  /** Called for the first file of this kind, so that unused kinds are not loaded. */
  readonly load: () => Promise<LoadedFileKind>
}

export interface LoadedFileKind {
  /** Draft-07, for editors. */
  readonly schema: JsonSchema
  /** Reads a file of this kind by itself; without it a workflow cannot name one under `use.files`. */
  readonly decode?: (document: Document, known: ReadonlyArray<string>) => Decoded<unknown>
  /** Checks a file with everything that it names; `decode` alone unless given. Never fails. */
  readonly check?: (path: string, options: LoadOptions) => Effect.Effect<CheckedFile>
  /** The plugin's own check, called once the workflow that uses the file is known. */
  readonly from?: FileKind
}
