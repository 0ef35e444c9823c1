/** Writes a file so that other processes see the whole of it or none. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

let written = 0

/** Returns why it was not written. */
export const writeWhole = async (path: string, bytes: Uint8Array): Promise<string | undefined> => {
  const part = `${path}.${process.pid}-${++written}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    try {
      await writeFile(part, bytes)
      await rename(part, path)
    } finally {
      await rm(part, { force: true })
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}
