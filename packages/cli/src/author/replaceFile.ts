/** Replaces the text of an author's file in one step: a full disk or an interruption leaves the old text. */
import { randomUUID } from "node:crypto"
import { access, constants, open, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"

/** Writes beside the file and renames. Keeps the file's mode and owner; of a link it replaces the file that the link names. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const target = await realpath(path)
  const { gid, mode, uid } = await stat(target)
  // Renaming asks only for the folder's permission.
  await access(target, constants.W_OK)
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`)
  try {
    const file = await open(draft, "wx")
    try {
      // Only root can give a file away; for others the file becomes their own.
      if (process.getuid?.() === 0) await file.chown(uid, gid)
      await file.chmod(mode)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
