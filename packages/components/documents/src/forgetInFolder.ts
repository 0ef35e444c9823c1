/** Erases a user from all indexes of a project, also from those that no workflow declares any more. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DocumentIndex } from "./index/DocumentIndex.ts"
import type { Forgotten } from "./index/forgetUser.ts"
import { INDEX_FOLDER } from "./sets/readSets.ts"

export interface ForgottenIn extends Forgotten {
  /** The name of the library. */
  readonly library: string
}

/** Of the libraries with passages about the user. Fails with `DocumentsFailed` for an index that cannot be opened. */
export const forgetInFolder = (root: string, id: string): ReadonlyArray<ForgottenIn> => {
  const folder = join(root, INDEX_FOLDER)
  return indexesIn(folder).flatMap((name): ReadonlyArray<ForgottenIn> => {
    const index = new DocumentIndex(join(folder, name), {})
    try {
      const forgotten = index.forgetUser(id)
      const library = name.replace(/-[0-9a-f]+\.sqlite$/, "")
      return forgotten.passages === 0 ? [] : [{ library, ...forgotten }]
    } finally {
      index.close()
    }
  })
}

const indexesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".sqlite"))
      .toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}
