/** Replaces the text of an author's file in one step. */
import { access, constants, realpath, stat } from "node:fs/promises"
import { writeInOneStep } from "./writeInOneStep.ts"

/** Keeps the file's mode and owner; of a link it replaces the file that the link names. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const target = await realpath(path)
  const { gid, mode, uid } = await stat(target)
  // Renaming asks only for the folder's permission.
  await access(target, constants.W_OK)
  await writeInOneStep(target, text, async (draft) => {
    // Only root can give a file away; for others the file becomes their own.
    if (process.getuid?.() === 0) await draft.chown(uid, gid)
    await draft.chmod(mode)
  })
}
