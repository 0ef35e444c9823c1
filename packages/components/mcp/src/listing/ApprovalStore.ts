/** Tools as they were approved: at their first listing, or by a person who has seen what changed since. */
import type { Server } from "../servers/Server.ts"
import { ServerFiles } from "../servers/ServerFiles.ts"
import type { ListedTool } from "./cleanTool.ts"
import type { ServerList } from "./ServerList.ts"
import { changedParts, type WithheldTool } from "./WithheldTool.ts"

interface Approvals {
  /** Of this format. */
  readonly version: 1
  /** The name of the server, for people who look at the file. */
  readonly server: string
  /** By name. A tool that is no longer listed stays: it may return with another description. */
  readonly tools: { readonly [name: string]: ListedTool }
}

export class ApprovalStore {
  private readonly files: ServerFiles<Approvals>

  /** `state` is the state folder of the user. */
  constructor(state: string) {
    this.files = new ServerFiles(state, "approved")
  }

  /** The list with the tools that are withheld. A tool that is listed for the first time is approved by that. */
  async judge(server: Server, list: ServerList): Promise<ServerList> {
    const approved = this.read(server)
    // No first listing replaces what cannot be read.
    if (approved === "unreadable") {
      const changed = [`approval in ${this.files.fileOf(server)} cannot be read`]
      return { ...list, withheld: list.tools.map(({ name }) => ({ name, changed })) }
    }
    const met = list.tools.filter(({ name }) => !approved.has(name))
    if (met.length > 0) await this.write(server, [...approved.values(), ...met])
    const withheld = list.tools.flatMap((tool): ReadonlyArray<WithheldTool> => {
      const before = approved.get(tool.name)
      return before === undefined || before.digest === tool.digest
        ? []
        : [{ name: tool.name, changed: changedParts(before, tool), approved: before }]
    })
    return withheld.length === 0 ? list : { ...list, withheld }
  }

  /** Approves these tools as they are. Approvals that cannot be read are replaced. */
  async approve(server: Server, tools: ReadonlyArray<ListedTool>): Promise<void> {
    const approved = this.read(server)
    await this.write(server, [...(approved === "unreadable" ? [] : approved.values()), ...tools])
  }

  private read(server: Server): ReadonlyMap<string, ListedTool> | "unreadable" {
    try {
      const given = this.files.read(server) as Approvals | undefined
      if (given === undefined) return new Map()
      if (given.version !== 1) return "unreadable"
      return new Map(Object.entries(given.tools))
    } catch {
      return "unreadable"
    }
  }

  /** Of two tools with one name the last counts. */
  private write(server: Server, tools: ReadonlyArray<ListedTool>): Promise<void> {
    return this.files.write(server, {
      version: 1,
      server: server.name,
      tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
    })
  }
}
