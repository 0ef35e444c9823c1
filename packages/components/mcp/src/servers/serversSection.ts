/** The key `mcp` of workflows and of the project file: servers by name. */
import { sectionKind, type SectionKind } from "@planloom/plugin/effect"
import { checkServers } from "./checkServers.ts"
import { SECTION } from "./readServers.ts"
import type { WrittenServers } from "./Server.ts"
import { serversSchema } from "./serversSchema.ts"

export const serversSection = (on: "project" | "workflow"): SectionKind =>
  sectionKind<WrittenServers>({
    on,
    key: SECTION,
    summary:
      on === "project"
        ? "Servers of the Model Context Protocol, for every workflow of the project."
        : "Servers of the Model Context Protocol, whose tools the workflow uses.",
    schema: serversSchema,
    check: (servers) => checkServers(servers),
  })
