/** A host's decision about a plugin's code, made once its file is found and before any of it runs. */

export interface PluginFile {
  /** As written under `use.plugins`. */
  readonly name: string
  /** Absolute path of the module that would be imported, with all links followed. */
  readonly file: string
  /** Folder of the workflow that names it. */
  readonly folder: string
  /** Where the workflow names it: `flow.yaml:4:18`. */
  readonly place: string
}

/**
 * `skip` leaves the plugin out: what depends on it is not checked, and the workflow cannot run. A refusal is an error
 * where the plugin is named.
 */
export type LoadDecision =
  | "load"
  | "skip"
  | { readonly refused: string; readonly help?: string | undefined }

export type MayLoad = (plugin: PluginFile) => Promise<LoadDecision>
