/** The folders of the packages, which stand below that of their floor: `packages/engine/core`. */
import { globSync } from "node:fs"
import { basename, dirname } from "node:path"

const root = new URL("..", import.meta.url).pathname

/** By name, without the scope: paths from the root. */
export const packageFolders: ReadonlyMap<string, string> = new Map(
  globSync("packages/*/*/package.json", { cwd: root })
    .map((file) => dirname(file).replaceAll("\\", "/"))
    .toSorted()
    .map((folder) => [basename(folder), folder]),
)

/** Of a package with its scope, or without: `@planloom/core`. Throws for another. */
export const folderOf = (name: string): string => {
  const folder = packageFolders.get(name.replace("@planloom/", ""))
  if (folder === undefined) throw new Error(`there is no package ${name}`)
  return folder
}
