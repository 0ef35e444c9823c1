/** A generated file of this repository and the text it should have. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

export interface Page {
  /** From the root of the repository. */
  readonly path: string
  /** The text it should have, given the one it has. */
  readonly text: (now: string) => string | Promise<string>
}

/** A page's path, the text it has and the text it should have. */
export const compared = async ({ path, text }: Page) => {
  const file = join(root, path)
  const now = await readFile(file, "utf8")
  return { file, now, wanted: await text(now) }
}
