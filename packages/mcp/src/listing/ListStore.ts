/** Lists of servers in the user's state folder, one file for each server, outside of every project. */
import { hash, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { canonicalJson, type Json } from "@planloom/schema"
import { identityOf, type Server } from "../servers/Server.ts"
import type { ServerList } from "./ServerList.ts"

/** Only for the user: descriptions of tools may be private. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export class ListStore {
  private readonly folder: string

  /** `state` is the state folder of the user. */
  constructor(state: string) {
    this.folder = join(state, "mcp", "lists")
  }

  /** Undefined for a server that was never listed. A file that cannot be read counts as absent: it is written again. */
  read(server: Server): ServerList | undefined {
    try {
      // Many small files are read at once before a workflow is checked: waiting for each would take longer.
      const list = JSON.parse(readFileSync(this.fileOf(server), "utf8")) as ServerList
      return list.version === 1 && Array.isArray(list.tools) ? list : undefined
    } catch {
      return undefined
    }
  }

  /** A reader sees the file before or after, never a part. */
  async write(server: Server, list: ServerList): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE })
    const file = this.fileOf(server)
    const temporary = `${file}.${randomUUID()}`
    try {
      await writeFile(temporary, JSON.stringify(list), { mode: FILE_MODE })
      await rename(temporary, file)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  private fileOf(server: Server): string {
    return join(this.folder, `${hash("sha256", canonicalJson(identityOf(server) as Json))}.json`)
  }
}
