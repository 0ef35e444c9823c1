/** Removes the folders in which runs have kept their files. */
import { lstat, rm } from "node:fs/promises"
import { isAbsolute, join, normalize, sep } from "node:path"
import { runFolder } from "./RunFolder.ts"

/** A folder that could not be removed, and why. */
export interface RemainingFolder {
  readonly folder: string
  readonly message: string
}

/** Removes the folders of runs from `root`. Follows no symbolic link, and removes nothing where `root` is one. */
export const removeRunFolders = async (
  root: string,
  runs: ReadonlyArray<string>,
): Promise<ReadonlyArray<RemainingFolder>> => {
  const link = runs.length === 0 ? undefined : await linkIn(root)
  const remaining: Array<RemainingFolder> = []
  for (const run of runs) {
    const folder = runFolder(root, run)
    try {
      if (link === undefined) await rm(folder, { recursive: true, force: true })
      else if (await exists(folder)) {
        remaining.push({ folder, message: `${link} is a symbolic link` })
      }
    } catch (error) {
      remaining.push({ folder, message: (error as Error).message })
    }
  }
  return remaining
}

/** The first part of a relative path that is a symbolic link; of an absolute path only the last part is tried. */
const linkIn = async (root: string): Promise<string | undefined> => {
  const parts = normalize(root).split(sep)
  const paths = isAbsolute(root)
    ? [root]
    : parts.map((_, index) => join(...parts.slice(0, index + 1)))
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined)
    if (found?.isSymbolicLink() === true) return path
  }
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
