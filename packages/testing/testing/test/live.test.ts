/** The real services, where a key is in the environment; skipped otherwise, and the run says so. */
import { Effect } from "effect"
import { describe } from "vitest"
import type { Components, Host, Plugin } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { liveTests, liveVectors } from "./liveTests.ts"

const host: Host = { root: ".", secret: (name) => process.env[name] }
const local = process.env["PLANLOOM_LIVE_SERVER"]

interface Live {
  readonly plugin: Plugin
  readonly config: unknown
  /** A small and cheap one, unless `PLANLOOM_LIVE_MODEL` names another. */
  readonly model: string
  /** What has to be in the environment. */
  readonly needs: string
}

const services: { readonly [id: string]: Live } = {
  anthropic: {
    plugin: anthropicPlugin,
    config: {},
    model: "claude-haiku-4-5",
    needs: "ANTHROPIC_API_KEY",
  },
  google: {
    plugin: googlePlugin,
    config: {},
    model: "gemini-2.5-flash-lite",
    needs: "GEMINI_API_KEY",
  },
  openai: { plugin: openaiPlugin, config: {}, model: "gpt-4.1-nano", needs: "OPENAI_API_KEY" },
  local: {
    plugin: openaiPlugin,
    config: { servers: { local: { base_url: local ?? "" } } },
    model: process.env["PLANLOOM_LIVE_MODEL"] ?? "default",
    needs: "PLANLOOM_LIVE_SERVER",
  },
}

for (const [id, { config, model, needs, plugin }] of Object.entries(services)) {
  describe.skipIf((process.env[needs] ?? "") === "")(`${id}, live (${needs})`, () => {
    const setUp = (): Promise<Partial<Components>> =>
      Effect.runPromise(Effect.scoped(plugin.setup!(config, host)))
    liveTests(model, async (use) => {
      const { providers = [] } = await setUp()
      return Effect.runPromise(use(providers.find((provider) => provider.id === id)!))
    })
    if (id === "google" || id === "openai") {
      liveVectors(async () => (await setUp()).embedders![0]!)
    }
  })
}
