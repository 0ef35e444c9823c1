/** The plugin: servers of the Model Context Protocol as a tool source, with the file kind and the sections that declare them. */
import * as Effect from "effect/Effect"
import { definePlugin, type Declared } from "@planloom/plugin/effect"
import { givenTools } from "./listing/givenTools.ts"
import { serversKind } from "./servers/serversKind.ts"
import { serversSection } from "./servers/serversSection.ts"
import { knownTools, McpTools, SOURCE } from "./source.ts"

export default definePlugin({
  id: "mcp",
  summary: "Tools of servers that speak the Model Context Protocol.",
  components: {
    fileKinds: [serversKind],
    sections: [serversSection("project"), serversSection("workflow")],
  },
  provides: {
    tools: [
      {
        id: SOURCE,
        tools: [],
        known: (_: undefined, declared: Declared) => knownTools(declared),
        given: givenTools,
      },
    ],
  },
  setup: (_, { declared, maySend, mayStart, mayTrust, secret }) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(
          () =>
            new McpTools({
              declared: declared!,
              secret,
              ...(maySend && { maySend }),
              ...(mayStart && { mayStart }),
              ...(mayTrust && { mayTrust }),
            }),
        ),
        (source) => source.close,
      ),
      (source) => ({ tools: [source] }),
    ),
})
