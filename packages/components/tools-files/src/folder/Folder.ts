/** The one folder that may be read: names go in, real paths inside it come out. */
import { lstat, realpath } from "node:fs/promises"
import { join, sep } from "node:path"
import { FilesFailed } from "../FilesFailed.ts"
import { readStart, type Excerpt } from "@planloom/documents/read"

/** Longer names are refused before the file system sees them. */
const MAX_NAME_CHARACTERS = 1024

/** The parts of a name; undefined for a name that could lead outside, whatever is there. */
export const partsOf = (name: string): ReadonlyArray<string> | undefined => {
  if (name.length > MAX_NAME_CHARACTERS || name.includes("\0")) return undefined
  if (/^([/\\~]|[a-z]:)/i.test(name)) return undefined
  const parts = name.split(/[/\\]/).filter((part) => part !== "" && part !== ".")
  // A dot in front hides what programs keep for themselves, and `..` has one, too.
  return parts.some((part) => part.startsWith(".")) ? undefined : parts
}

const outside = () => new FilesFailed("that name leads out of the folder", "invalid_request")

export class Folder {
  /** Real path: no link in it. */
  readonly root: string

  private constructor(root: string) {
    this.root = root
  }

  static async open(path: string): Promise<Folder> {
    const root = await realpath(path).catch(() => undefined)
    if (root === undefined || !(await lstat(root)).isDirectory())
      throw new FilesFailed(`there is no folder ${path}`, "invalid_request")
    return new Folder(root)
  }

  /** Real path of something that exists inside. Fails for names that lead outside, also through links. */
  async resolve(name: string): Promise<string> {
    const parts = partsOf(name)
    if (parts === undefined) throw outside()
    const path = await realpath(join(this.root, ...parts)).catch(() => undefined)
    if (path === undefined) throw new FilesFailed(`there is no ${parts.join("/")} in the folder`)
    if (path !== this.root && !path.startsWith(this.root + sep)) throw outside()
    return path
  }

  /** The first `limit` bytes of a file; undefined unless it exists. Links are not followed. */
  async read(name: string, limit: number): Promise<Excerpt | undefined> {
    const path = await this.resolve(name).catch(() => undefined)
    return path === undefined ? undefined : readStart(path, limit)
  }
}
