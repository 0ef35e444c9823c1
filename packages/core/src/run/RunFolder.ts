/** The folder in which a run keeps its files: its path, and its removal with the run. */
import { createHash } from "node:crypto"
import { lstat, rm } from "node:fs/promises"
import { isAbsolute, join, normalize, sep } from "node:path"

/** Holds the folders of all runs unless a host names another one. */
export const WORKSPACE = ".planloom/work"

/** Ids that are the same folder name on every file system, whether it distinguishes case or not. */
const plain = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[0-9a-z][0-9a-z_-]{0,63}$/

/**
 * The path of a run's folder in `root`. An id is data, perhaps of an HTTP client: one that is not safe as a
 * folder's name is replaced by its digest, which is longer than any name that is used directly.
 */
export const runFolder = (root: string, run: string): string =>
  join(root, plain.test(run) ? run : `id-${createHash("sha256").update(run).digest("hex")}`)

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
