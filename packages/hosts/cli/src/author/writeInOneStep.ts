/** Writes a file in one step: a full disk or an interruption leaves what was there. */
import { randomUUID } from "node:crypto"
import { open, rename, rm, type FileHandle } from "node:fs/promises"
import { basename, dirname, join } from "node:path"

/** Writes beside the file, syncs and renames. `prepare` sets mode and owner before the text is written. */
export const writeInOneStep = async (
  path: string,
  text: string,
  prepare: (draft: FileHandle) => Promise<void>,
): Promise<void> => {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
  try {
    const file = await open(draft, "wx", 0o600)
    try {
      await prepare(file)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
