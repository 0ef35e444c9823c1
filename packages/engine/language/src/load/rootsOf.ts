/** Folders that the runs of a workflow may read: those under `roots` of the project file, by default the project. */
import { dirname, resolve } from "node:path"
import type { LoadOptions } from "./LoadOptions.ts"
import type { FoundProject } from "./project.ts"
import { projectFolder } from "./projectFolder.ts"

/** Absolute paths; those of the host come last. */
export const rootsOf = async (
  folder: string,
  found: FoundProject | undefined,
  { roots = [] }: Pick<LoadOptions, "roots">,
): Promise<ReadonlyArray<string>> => {
  const declared = found?.project.roots
  const own =
    found === undefined || declared === undefined
      ? [await projectFolder(folder)]
      : declared.map((root) => resolve(dirname(found.document.file.path), root))
  return [...own, ...roots.map((root) => resolve(root))]
}
