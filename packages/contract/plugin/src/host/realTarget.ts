/** The file that a write to a path would reach, once all links are followed. */
import { lstat, readlink, realpath } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

/** As many as Linux follows. */
const MAX_LINKS = 40

/** Of a path whose end may not exist yet, also behind a link that leads to nothing. */
export const realTarget = async (path: string, links = MAX_LINKS): Promise<string> => {
  const absolute = resolve(path)
  const found = await lstat(absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
    throw error
  })
  if (found === undefined) {
    const parent = dirname(absolute)
    return parent === absolute
      ? absolute
      : join(await realTarget(parent, links), basename(absolute))
  }
  if (!found.isSymbolicLink()) return realpath(absolute)
  if (links === 0) throw new Error(`${path} leads through more than ${MAX_LINKS} links`)
  const folder = await realTarget(dirname(absolute), links)
  return realTarget(resolve(folder, await readlink(absolute)), links - 1)
}
