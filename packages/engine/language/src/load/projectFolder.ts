/** Finds the folder a workflow belongs to, and the project file that applies to it. */
import type { Stats } from "node:fs"
import { lstat, realpath, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { isInside } from "@planloom/plugin/roots"

export const projectFile = "planloom.yaml"

/** The project file that applies, and those that do not. */
export interface ProjectSearch {
  readonly file: string | undefined
  readonly ignored: ReadonlyArray<{ readonly file: string; readonly why: string }>
}

/**
 * Looks for `planloom.yaml` at and above a folder. It sets addresses that keys are sent to, so the search ends at the
 * root of the git repository and at the home folder, and ignores a file that others may have written, as git does with
 * repositories.
 */
export const searchProject = async (folder: string): Promise<ProjectSearch> => {
  const start = resolve(folder)
  const owners = await trustedOwners(start)
  const isOpen = isWritableByAll(await stat(start).catch(() => undefined))
  const ignored: Array<{ readonly file: string; readonly why: string }> = []
  const home = resolve(process.env["HOME"] || homedir())
  let boundary: string | undefined
  for (const at of foldersUpFrom(start)) {
    const file = join(at, projectFile)
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile() === true) {
      const why =
        boundary ??
        (owners.has(found.uid)
          ? // Who may change the workflow itself needs no project file.
            isWritableByAll(found) && !isOpen
            ? "every user of this machine may change it"
            : undefined
          : "it belongs to another user")
      if (why === undefined) return { file, ignored }
      ignored.push({ file, why })
    }
    if (await isRepository(at)) boundary ??= `it is above the git repository ${at}`
    else if (at === home) boundary ??= "it is above your home folder"
  }
  return { file: undefined, ignored }
}

const isWritableByAll = (stats: Stats | undefined): boolean =>
  process.platform !== "win32" && stats !== undefined && (stats.mode & 0o002) !== 0

/**
 * Absolute path of the project that a workflow in this folder belongs to: the nearest folder with a `planloom.yaml`
 * or a `.git`. Without either it is the folder itself, or the one that holds `workflows/`.
 */
export const projectFolder = async (folder: string): Promise<string> => {
  const start = resolve(folder)
  const { file } = await searchProject(start)
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
