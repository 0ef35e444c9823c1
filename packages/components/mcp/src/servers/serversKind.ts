/** The file kind `McpServers`: servers that several workflows use. */
import * as Effect from "effect/Effect"
import { fileKind, type FileKind } from "@planloom/plugin/effect"
import { checkServers } from "./checkServers.ts"
import { FILE_KIND } from "./readServers.ts"
import type { WrittenServers } from "./Server.ts"
import { serversSchema } from "./serversSchema.ts"

export const serversKind: FileKind = fileKind<{ readonly servers: WrittenServers }>({
  kind: FILE_KIND,
  summary: "Servers of the Model Context Protocol, whose tools a workflow uses.",
  schema: {
    type: "object",
    properties: {
      name: { type: "string", format: "name", description: "The name of the set." },
      description: { type: "string", description: "What the servers are for." },
      servers: serversSchema,
    },
    required: ["servers"],
    additionalProperties: false,
  },
  check: ({ servers }) => Effect.succeed(checkServers(servers, ["servers"])),
})
