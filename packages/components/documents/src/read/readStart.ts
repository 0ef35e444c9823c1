/** The start of a regular file; links are refused. */
import { constants } from "node:fs"
import { open } from "node:fs/promises"

/** At most the wanted bytes, and whether they are the whole file. */
export interface Excerpt {
  readonly bytes: Uint8Array
  readonly whole: boolean
}

/** Refusing a link at the very end, too, leaves nothing to exchange between a look at a path and its opening. */
export const readStart = async (path: string, limit: number): Promise<Excerpt | undefined> => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ELOOP", "EACCES", "EISDIR", "ENXIO"].includes(error.code ?? "")) return
    throw error
  })
  if (file === undefined) return undefined
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return undefined
    const bytes = new Uint8Array(Math.min(limit, stats.size))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return { bytes: bytes.subarray(0, bytesRead), whole: stats.size <= limit }
  } finally {
    await file.close()
  }
}
