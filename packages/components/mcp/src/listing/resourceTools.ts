/** The resources of a server as two tools that read: their list, and one of them. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Connection } from "../connection/Connection.ts"
import type { RawResult } from "../connection/Connection.ts"
import type { ListedTool } from "./cleanTool.ts"

const MAX_PAGES = 20

type Read = (connection: Connection, params: JsonObject, signal: AbortSignal) => Promise<RawResult>

/** By name at the server. A server's own tool of such a name takes its place. */
const reads: { readonly [name: string]: Read } = {
  list_resources: async (connection, _, signal) => {
    const content: Array<JsonObject> = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const { nextCursor, resources } = await connection.request(
        "resources/list",
        cursor === undefined ? {} : { cursor },
        signal,
      )
      for (const one of (resources ?? []) as ReadonlyArray<JsonObject>) {
        content.push({ ...one, type: "resource_link" })
      }
      if (typeof nextCursor !== "string" || nextCursor === cursor) break
      cursor = nextCursor
    }
    return { content }
  },
  read_resource: async (connection, { uri }, signal) => {
    const { contents } = await connection.request("resources/read", { uri: uri! }, signal)
    return {
      content: ((contents ?? []) as ReadonlyArray<JsonObject>).map((resource) =>
        typeof resource["text"] === "string"
          ? { type: "text", text: resource["text"] }
          : { type: "resource", resource },
      ),
    }
  },
}

const described: ReadonlyArray<ListedTool> = [
  {
    raw: "list_resources",
    name: "list_resources",
    summary: "Lists the resources of the server, such as files and records.",
    params: { type: "object", properties: {}, additionalProperties: false },
    isResource: true,
    digest: "list_resources",
  },
  {
    raw: "read_resource",
    name: "read_resource",
    summary: "Reads a resource of the server by its URI.",
    params: {
      type: "object",
      properties: { uri: { type: "string", minLength: 1, description: "As its list has it." } },
      required: ["uri"],
      additionalProperties: false,
    },
    isResource: true,
    digest: "read_resource",
  },
]

/** Those of a server with these capabilities and these tools of its own. */
export const resourceTools = (
  { resources }: JsonObject,
  own: ReadonlyMap<string, ListedTool>,
): ReadonlyArray<ListedTool> =>
  resources === undefined ? [] : described.filter(({ name }) => !own.has(name))

/** The result of one of them, as if it was that of a tool. */
export const readResources = (
  { name }: ListedTool,
  ...given: Parameters<Read>
): Promise<RawResult> => reads[name]!(...given)
