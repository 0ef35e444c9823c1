/** The plugin: the tool source with the hosts, limits and secrets of its config. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { authByHost, transportOptions } from "./config.ts"
import type { HttpConfig } from "./configSchema.ts"
import { Transport } from "./net/Transport.ts"
import { requestTools } from "./requestTools.ts"
import { endpointTools, httpTools } from "./source.ts"

export default definePlugin<HttpConfig>({
  id: "tools_http",
  summary: "Calls HTTP APIs.",
  config: { schema: async () => (await import("./configSchema.ts")).config, unset: {} },
  provides: {
    tools: [
      {
        id: "http",
        tools: requestTools,
        catalogTools: (config: HttpConfig) => endpointTools(transportOptions(config)),
      },
    ],
  },
  setup: (config, host) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Transport(transportOptions(config))),
        (transport) => Effect.sync(() => transport.close()),
      ),
      (transport) => ({
        tools: [
          httpTools({
            transport,
            auth: authByHost(config),
            secret: host.secret,
            ...(host.maySend && { maySend: host.maySend }),
          }),
        ],
      }),
    ),
})
