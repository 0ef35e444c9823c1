/** Values about servers in the user's state folder, one file for each server, outside of every project: descriptions of tools may be private. */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { writePrivately } from "@planloom/plugin/state"
import { canonicalJson, type Json } from "@planloom/schema"
import { identityOf, type Server } from "../servers/Server.ts"

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

  write(server: Server, value: A): Promise<void> {
    return writePrivately(this.fileOf(server), JSON.stringify(value))
  }

  remove(server: Server): Promise<void> {
    return rm(this.fileOf(server), { force: true })
  }

  fileOf(server: Server): string {
    return join(this.folder, `${hash("sha256", canonicalJson(identityOf(server) as Json))}.json`)
  }
}
