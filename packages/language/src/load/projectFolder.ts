/** Finds the folder a workflow belongs to, and the project file that applies to it. */
import { lstat, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { isInside } from "@planloom/plugin/roots"

export const projectFile = "planloom.yaml"

/**
 * Path of the nearest `planloom.yaml` at or above a folder. It sets addresses that keys are sent to, so the search
 * ends at the root of the git repository, and skips a file of another user, as git does with repositories.
 */
export const projectFileFor = async (folder: string): Promise<string | undefined> => {
  const start = resolve(folder)
  const owners = await trustedOwners(start)
  for (const at of foldersUpFrom(start)) {
    const path = join(at, projectFile)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() === true && owners.has(found.uid)) return path
    if (await isRepository(at)) return undefined
  }
  return undefined
}

/**
 * Absolute path of the project that a workflow in this folder belongs to: the nearest folder with a `planloom.yaml`
 * or a `.git`. Without either it is the folder itself, or the one that holds `workflows/`.
 */
export const projectFolder = async (folder: string): Promise<string> => {
  const start = resolve(folder)
  const file = await projectFileFor(start)
  if (file !== undefined) return dirname(file)
  for (const at of foldersUpFrom(start)) if (await isRepository(at)) return at
  return basename(start) === "workflows" ? dirname(start) : start
}

/** Whether a file that exists lies outside a folder once all links are followed. */
export const isOutside = async (file: string, folder: string): Promise<boolean> => {
  const [real, root] = await Promise.all([
    realpath(file).catch(() => undefined),
    realpath(folder).catch(() => resolve(folder)),
  ])
  return real !== undefined && !isInside(real, root)
}

/** The user of this process, root, and the owner of the workflow's folder. */
const trustedOwners = async (folder: string): Promise<ReadonlySet<number>> => {
  const own = process.getuid?.() ?? 0
  const stats = await stat(folder).catch(() => undefined)
  return new Set([own, 0, ...(stats === undefined ? [] : [stats.uid])])
}

/** A worktree or a submodule has a file called `.git`. */
const isRepository = (folder: string): Promise<boolean> =>
  lstat(join(folder, ".git")).then(
    () => true,
    () => false,
  )

function* foldersUpFrom(folder: string): Generator<string> {
  let at = folder
  while (true) {
    yield at
    const above = dirname(at)
    if (above === at) return
    at = above
  }
}
