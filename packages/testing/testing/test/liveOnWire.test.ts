/** The live tests themselves, asked of the wire server: without a key nobody would know whether they run. */
import { Effect } from "effect"
import { afterAll, beforeEach, describe } from "vitest"
import type { Components, Host, Plugin } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { liveTests, liveVectors } from "./liveTests.ts"
import { wireServer } from "../src/double/wire/wireServer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }

interface Service {
  readonly plugin: Plugin
  readonly config: (url: string) => unknown
  readonly vectors: boolean
}

const services: { readonly [id: string]: Service } = {
  anthropic: { plugin: anthropicPlugin, config: (url) => ({ base_url: url }), vectors: false },
  google: { plugin: googlePlugin, config: (url) => ({ base_url: url }), vectors: true },
  openai: {
    plugin: openaiPlugin,
    config: (url) => ({
      servers: { openai: { base_url: `${url}/v1` } },
      embeddings: { dimensions: 256, shorten: true },
    }),
    vectors: true,
  },
  local: {
    plugin: openaiPlugin,
    config: (url) => ({ servers: { local: { base_url: `${url}/v1` } } }),
    vectors: false,
  },
}

const server = await wireServer()
beforeEach(() =>
  server.answer(
    { when: "degrees", text: "31 degrees" },
    { when: "Use the tool", tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
    { when: "as JSON", json: { city: "Paris", inhabitants: 2_100_000 } },
    { text: "Paris" },
  ),
)
afterAll(() => server.close())

for (const [id, { config, plugin, vectors }] of Object.entries(services)) {
  describe(`${id}, on the wire`, () => {
    const setUp = (): Promise<Partial<Components>> =>
      Effect.runPromise(Effect.scoped(plugin.setup!(config(server.url), host)))
    liveTests("small", async (use) => {
      const { providers = [] } = await setUp()
      return Effect.runPromise(use(providers.find((provider) => provider.id === id)!))
    })
    if (vectors) liveVectors(async () => (await setUp()).embedders![0]!)
  })
}
