/** Files that a program keeps for itself in one folder: each is replaced as a whole, and links are refused. */
import { lstat, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { FilesFailed } from "../FilesFailed.ts"
import { readStart, type Excerpt } from "@planloom/documents/read"

export class KeptFiles {
  private readonly folder: string

  /** The folder is made by the first use. It may not be a link. */
  constructor(folder: string) {
    this.folder = folder
  }

  /** Replaces a file in one step: readers see the old text or the new one, never a part. */
  async keep(name: string, text: string): Promise<void> {
    const folder = await this.own()
    const draft = join(folder, `${name}.${process.pid}.${crypto.randomUUID()}`)
    try {
      const file = await open(draft, "wx", 0o600)
      try {
        await file.writeFile(text, "utf8")
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, join(folder, name))
    } catch (error) {
      await rm(draft, { force: true })
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
      throw new FilesFailed(`${name} cannot be written (${code})`)
    }
  }

  /** The first `limit` bytes of a file that `keep` wrote; undefined before. */
  async kept(name: string, limit: number): Promise<Excerpt | undefined> {
    return readStart(join(await this.own(), name), limit)
  }

  private async own(): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    if ((await lstat(this.folder)).isSymbolicLink())
      throw new FilesFailed("the folder for kept files is a link", "invalid_request")
    return this.folder
  }
}
