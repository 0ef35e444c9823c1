/** Reads the tools and prompts of a server by a connection, within the time that it may take to list them. */
import type { Connection } from "../connection/Connection.ts"
import { McpFailed } from "../McpFailed.ts"
import { isCommand, type Server } from "../servers/Server.ts"
import { readPages } from "./readPages.ts"
import { serverList, type ServerList } from "./ServerList.ts"

export interface ReadListOptions {
  readonly server: Server
  /** Epoch milliseconds at which the server was asked for its revision. */
  readonly eraAt: number
  readonly signal: AbortSignal
}

/** Rejects with a `McpFailed`, or with the reason of the signal. */
export const readList = async (
  connection: Connection,
  { eraAt, server, signal }: ReadListOptions,
): Promise<ServerList> => {
  const { name, reach, startTimeout } = server
  const { capabilities, era, hide } = connection
  const late = AbortSignal.timeout(startTimeout)
  const either = AbortSignal.any([signal, late])
  try {
    return serverList({
      server: name,
      era,
      eraAt,
      capabilities,
      raw: await readPages(name, "tools", (cursor) => connection.listTools(cursor, either)),
      prompts: await readPrompts(name, connection, either),
      hide,
      isHttp: !isCommand(reach),
      now: Date.now(),
    })
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error
    throw new McpFailed(
      "timeout",
      `the server "${name}" did not list its tools in ${startTimeout} ms (start_timeout)`,
    )
  }
}

/** A server that cannot list its prompts still has its tools. */
const readPrompts = async (server: string, connection: Connection, signal: AbortSignal) => {
  if (connection.capabilities["prompts"] === undefined) return undefined
  try {
    return await readPages(server, "prompts", (cursor) =>
      connection.request("prompts/list", cursor === undefined ? {} : { cursor }, signal),
    )
  } catch (error) {
    if (signal.aborted || !(error instanceof McpFailed)) throw error
    return error.message
  }
}
