/** Values about servers in the user's state folder, one file for each server, outside of every project. */
import { hash, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { canonicalJson, type Json } from "@planloom/schema"
import { identityOf, type Server } from "../servers/Server.ts"

/** Only for the user: descriptions of tools may be private. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export class ServerFiles<A> {
  private readonly folder: string

  /** `state` is the state folder of the user, `kind` what the files hold: `lists`. */
  constructor(state: string, kind: string) {
    this.folder = join(state, "mcp", kind)
  }

  /** Undefined for a server without a file. Throws for a file that cannot be read. */
  read(server: Server): unknown {
    try {
      // Many small files are read at once before a workflow is checked: waiting for each would take longer.
      return JSON.parse(readFileSync(this.fileOf(server), "utf8"))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw error
    }
  }

  /** A reader sees the file before or after, never a part. */
  async write(server: Server, value: A): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE })
    const file = this.fileOf(server)
    const temporary = `${file}.${randomUUID()}`
    try {
      await writeFile(temporary, JSON.stringify(value), { mode: FILE_MODE })
      await rename(temporary, file)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  remove(server: Server): Promise<void> {
    return rm(this.fileOf(server), { force: true })
  }

  fileOf(server: Server): string {
    return join(this.folder, `${hash("sha256", canonicalJson(identityOf(server) as Json))}.json`)
  }
}
