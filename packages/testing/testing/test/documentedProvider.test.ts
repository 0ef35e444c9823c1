/** The provider that plugins.md shows does what every provider promises. */
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { definePlugin, ModelFailed, provider } from "@planloom/plugin"
import type { Provider } from "@planloom/plugin/effect"
import { providerSuite, wireServer, type WireServer } from "@planloom/testing"
import { codeBlocks } from "../../../../.ci/docs/codeBlocks.ts"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/plugins.md"), "utf8")
const { text } = codeBlocks(page.slice(page.indexOf("## A provider\n")))[0]!
const code = stripTypeScriptTypes(text)
  .replace(/^import .*$/m, "")
  .replace(/^export default (.*)$/m, "$1\nreturn chat")

const chat = new Function("definePlugin", "ModelFailed", "provider", code)(
  definePlugin,
  ModelFailed,
  provider,
) as (url: string) => Provider

const servers: Array<WireServer> = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

providerSuite(
  { describe, it },
  "chat",
  async (reply) => {
    const server = await wireServer({ answers: [reply] })
    servers.push(server)
    return { provider: chat(`${server.url}/v1`), asked: () => server.requests.length }
  },
  { reasoning: false, failures: ["auth", "invalid_request", "unavailable"] },
)
