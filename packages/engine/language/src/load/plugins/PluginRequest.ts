/** Plugins to load, and the problems that loading them had. */
import type { Host, JsonObject, Manifest, StageFailed } from "@planloom/plugin/effect"
import type { DocumentPath } from "../../definition/Definition.ts"
import type { LoadOptions } from "../LoadOptions.ts"

/** A problem of a plugin, and where the user named it. */
export interface PluginProblem {
  readonly code: "PL4001" | "PL4002" | "PL4024" | "PL4045"
  readonly severity?: "warning"
  readonly message: string
  readonly help?: string | undefined
  /** Index in `use.plugins`; -1 for a plugin of the host. */
  readonly index: number
  /** Its manifest was read: what it declares is known. */
  readonly isDeclared?: true
  /** Where in the plugin's config, for PL4002. */
  readonly configPath?: DocumentPath
  /** Whether the key at the end of `configPath` is unknown. */
  readonly isKey?: boolean
  /** What its `setup` failed with. */
  readonly failure?: StageFailed
  /** Stack of the plugin's code that threw. */
  readonly stack?: string
}

export interface PluginRequest {
  readonly names: ReadonlyArray<string>
  /** By plugin name, from the project file. */
  readonly configs: { readonly [name: string]: JsonObject }
  /** Folder of the file that names the plugins, from which modules are found. */
  readonly folder: string
  readonly host: Host
  /** Where the workflow names a plugin, by its index: `flow.yaml:4:18`. */
  readonly placeOf: (index: number) => string
  readonly options: LoadOptions
  /** Whether the workflow uses anything of a plugin, by its manifest; without it every plugin is loaded. */
  readonly uses?: (manifest: Manifest) => boolean
  /** `check` reads what a plugin declares; `load` also sets it up. */
  readonly purpose: "check" | "load"
}
