/** The lists of servers as they were read last. */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { isCommand, type Server } from "../servers/Server.ts"
import { ServerFiles } from "../servers/ServerFiles.ts"
import type { ServerList } from "./ServerList.ts"

export class ListStore {
  private readonly files: ServerFiles<ServerList>

  /** `state` is the state folder of the user. */
  constructor(state: string) {
    this.files = new ServerFiles(state, "lists")
  }

  /**
   * Undefined for a server that was never listed. A file that cannot be read counts as absent: it is written again.
   * A list from before a change of the server's program holds no longer.
   */
  read(server: Server): ServerList | undefined {
    try {
      const list = this.files.read(server) as ServerList | undefined
      if (list?.version !== 1 || !Array.isArray(list.tools)) return undefined
      return changedAt(server) > list.at ? { ...list, expires: list.at } : list
    } catch {
      return undefined
    }
  }

  write(server: Server, list: ServerList): Promise<void> {
    return this.files.write(server, list)
  }
}

/** Epoch milliseconds of the last change of the program: of the command and the first file among its arguments, as others may be data. Of the inode, as a copy or a clone renews it. */
const changedAt = ({ reach }: Server): number => {
  if (!isCommand(reach)) return 0
  const ofFile = (text: string): number | undefined => {
    const stats = statSync(resolve(reach.cwd, text), { throwIfNoEntry: false })
    return stats?.isFile() === true ? stats.ctimeMs : undefined
  }
  const script = reach.args.map(ofFile).find((ms) => ms !== undefined)
  return Math.max(ofFile(reach.command) ?? 0, script ?? 0)
}
