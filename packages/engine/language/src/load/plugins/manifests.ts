/** Manifests of plugins that a file alone may depend on: those of the host, then those the project file names. */
import type { Manifest } from "@planloom/plugin/effect"
import { findModule } from "../../source/loadModule.ts"
import type { LoadOptions } from "../LoadOptions.ts"
import { readManifest } from "./readManifest.ts"

export interface NamedManifest {
  /** As under `use.plugins`. */
  readonly name: string
  readonly manifest: Manifest
}

/** `folder` is that of the project file, from where its plugins are found. None of their code runs. */
export const projectManifests = async (
  names: ReadonlyArray<string>,
  folder: string,
  { manifests = {} }: LoadOptions,
): Promise<ReadonlyArray<NamedManifest>> => {
  const found = await Promise.all(
    names
      .filter((name) => manifests[name] === undefined)
      .map(async (name): Promise<ReadonlyArray<NamedManifest>> => {
        const module = await findModule(name, folder)
        const manifest = "reason" in module ? undefined : await readManifest(module.file)
        return manifest === undefined || "reason" in manifest ? [] : [{ name, manifest }]
      }),
  )
  return [
    ...Object.entries(manifests).map(([name, manifest]) => ({ name, manifest })),
    ...found.flat(),
  ]
}
