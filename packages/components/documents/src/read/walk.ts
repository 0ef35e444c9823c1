/** Every visible file below a folder, with its size and time. */
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"

export interface FoundFile {
  /** With slashes, from the folder. */
  readonly path: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly modified: number
}

export interface FoundFiles {
  readonly files: ReadonlyArray<FoundFile>
  /** Folders. */
  readonly unreadable: ReadonlyArray<string>
  readonly left: boolean
}

/** So many `lstat`s at once; more gains nothing on a local disk. */
const AT_ONCE = 64

/**
 * Hidden names and links are left out, so nothing outside is ever listed. At most `limit` files; `left`
 * says that there are more. Folders that cannot be read count as empty, and are listed; the folder itself is "".
 */
export const walk = async (
  root: string,
  limit: number,
  signal: AbortSignal,
): Promise<FoundFiles> => {
  const unreadable: Array<string> = []
  const paths: Array<string> = []
  const folders = [""]
  let left = false
  while (folders.length > 0 && !left) {
    signal.throwIfAborted()
    const folder = folders.pop()!
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => {
      unreadable.push(folder)
      return []
    })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) {
        if (paths.length >= limit) left = true
        else paths.push(path)
      }
    }
  }
  const files: Array<FoundFile> = []
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const found = await Promise.all(
      paths.slice(at, at + AT_ONCE).map(async (path) => {
        const stats = await lstat(join(root, path)).catch(() => undefined)
        return stats?.isFile() === true
          ? { path, bytes: stats.size, modified: stats.mtimeMs }
          : undefined
      }),
    )
    for (const file of found) if (file !== undefined) files.push(file)
  }
  return { files, left, unreadable }
}
