/** The lists of servers as they were read last. */
import type { Server } from "../servers/Server.ts"
import { ServerFiles } from "../servers/ServerFiles.ts"
import type { ServerList } from "./ServerList.ts"

export class ListStore {
  private readonly files: ServerFiles<ServerList>

  /** `state` is the state folder of the user. */
  constructor(state: string) {
    this.files = new ServerFiles(state, "lists")
  }

  /** Undefined for a server that was never listed. A file that cannot be read counts as absent: it is written again. */
  read(server: Server): ServerList | undefined {
    try {
      const list = this.files.read(server) as ServerList | undefined
      return list?.version === 1 && Array.isArray(list.tools) ? list : undefined
    } catch {
      return undefined
    }
  }

  write(server: Server, list: ServerList): Promise<void> {
    return this.files.write(server, list)
  }
}
