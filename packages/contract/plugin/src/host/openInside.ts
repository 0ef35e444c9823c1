/** Opens files that a run may read: those inside its roots, once all links are followed. */
import type { Stats } from "node:fs"
import { constants, open, realpath, stat, type FileHandle } from "node:fs/promises"
import { isAbsolute, join, relative, resolve, sep } from "node:path"

/** A file outside the roots of a run. The message contains nothing of the file, and of the roots no path. */
export class OutsideRoots extends Error {
  constructor(name: string) {
    super(
      `${name} is outside the folders that this run may read; planloom.yaml lists them under roots`,
    )
  }
}

export interface InsideFile {
  readonly handle: FileHandle
  readonly stats: Stats
  /** Absolute path without links. */
  readonly real: string
}

/** Whether a path without links is a root, or inside one. */
export const isInside = (real: string, root: string): boolean => {
  const way = relative(root, real)
  return way !== "../.." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * Opens a file for reading; the caller closes the handle. Rejects with `OutsideRoots`, also for a file outside that
 * does not exist, and with the error of the file system for a file inside.
 */
export const openInside = async (
  name: string,
  roots: ReadonlyArray<string>,
): Promise<InsideFile> => {
  const path = resolve(name)
  const reals = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))
  const real = await realpath(path).catch((error: unknown) => {
    if ([...reals, ...roots.map((root) => resolve(root))].some((root) => isInside(path, root)))
      throw error
    throw new OutsideRoots(name)
  })
  if (!reals.some((root) => isInside(real, root))) throw new OutsideRoots(name)
  const handle = await open(real, constants.O_RDONLY | NO_LINK | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    // A folder of the path may have been exchanged for a link since the path was resolved.
    if (!(await isAt(handle, stats, real))) throw new OutsideRoots(name)
    return { handle, stats, real }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Windows has no such flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0

/** Whether the opened file is the one at this path without links. */
const isAt = async (handle: FileHandle, stats: Stats, real: string): Promise<boolean> => {
  if (process.platform === "linux") {
    const opened = await realpath(join("/proc/self/fd", String(handle.fd))).catch(() => undefined)
    if (opened !== undefined) return opened === real
  }
  const now = await stat(real)
  return now.ino === stats.ino && now.dev === stats.dev && (await realpath(real)) === real
}
