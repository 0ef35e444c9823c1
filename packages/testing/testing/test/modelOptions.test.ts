/** Options of a model on the wire of each service, and that no field a provider sets can be an option. */
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  isJsonObject,
  type Host,
  type JsonObject,
  type ModelRequest,
  type Plugin,
} from "@planloom/plugin/effect"
import { isReserved, reservedOptions } from "@planloom/plugin/facts"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { wireServer, type WireServer } from "../src/double/wire/wireServer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }

let server: WireServer
beforeAll(async () => {
  server = await wireServer()
})
afterAll(() => server.close())

interface Service {
  readonly plugin: Plugin
  readonly id: string
  readonly model: string
  readonly config: (url: string) => JsonObject
  /** The fields that options are added to. */
  readonly body?: (body: JsonObject) => JsonObject
}

const openai = (id: string, model: string, more: JsonObject = {}): Service => ({
  plugin: openaiPlugin,
  id,
  model,
  config: (url) => ({ servers: { [id]: { base_url: `${url}/v1`, ...more } } }),
})

const services: { readonly [name: string]: Service } = {
  anthropic: {
    plugin: anthropicPlugin,
    id: "anthropic",
    model: "claude-haiku-4-5",
    config: (url) => ({ base_url: url, api_version: "2023-06-01" }),
  },
  google: {
    plugin: googlePlugin,
    id: "google",
    model: "gemini-3.5-flash-lite",
    config: (url) => ({ base_url: url }),
    body: ({ generationConfig, ...more }) => ({ ...more, ...(generationConfig as JsonObject) }),
  },
  "openai, chat": openai("openai", "gpt-4.1"),
  "openai, responses": openai("openai", "gpt-6.1-sol"),
  openrouter: openai("openrouter", "any/model"),
  llamacpp: openai("llamacpp", "any"),
  deepseek: openai("local", "any", { reasoning_field: "thinking" }),
  ollama: openai("ollama", "qwen3", { keep_alive: "30m" }),
}

const full: Omit<ModelRequest, "model"> = {
  system: [{ text: "You plan." }],
  messages: [{ role: "user", content: "sales by region" }],
  temperature: 0.1,
  topK: 3,
  seed: 7,
  stop: ["END"],
  maxTokens: 4000,
  reasoning: "high",
}
const schema = { type: "object", properties: {}, additionalProperties: false } as const
const requests: ReadonlyArray<Omit<ModelRequest, "model">> = [
  full,
  { ...full, reasoning: "none" },
  { ...full, output: { name: "plan", schema } },
  { ...full, output: { name: "plan", schema, form: "tool" } },
  { ...full, tools: [{ name: "top", description: "Keeps the best.", parameters: schema }] },
]

const sent = async ({ body = (one) => one, config, id, model, plugin }: Service, more: object) => {
  const setup = plugin.setup!(config(server.url), host)
  const { providers = [] } = await Effect.runPromise(Effect.scoped(setup))
  const provider = providers.find((one) => one.id === id)!
  const request = { model, ...more } as ModelRequest
  await Effect.runPromise(Effect.exit(provider.generate!(request)))
  return body(server.requests.at(-1)!.body)
}

/** Fields that an option could replace. */
const openFields = (body: JsonObject, at: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  Object.entries(body).flatMap(([key, value]) => {
    const path = [...at, key]
    if (isReserved(path)) return []
    return isJsonObject(value) ? openFields(value, path) : [path.join(".")]
  })

describe.each(Object.keys(services))("%s", (name) => {
  const service = services[name]!

  it("sends options of a model beside what it sets itself", async () => {
    const options: JsonObject = {
      topP: 0.5,
      text: { verbosity: "low" },
      output_config: { detail: "full" },
      options: { min_p: 0.1 },
    }
    const [known] = Object.entries(options).filter(([key]) => name !== "google" || key === "topP")
    for (const request of requests) {
      const body = await sent(service, { ...request, options })
      assert.deepStrictEqual(body[known![0]], known![1])
      const plain = await sent(service, request)
      for (const [key, value] of Object.entries(plain)) {
        if (isJsonObject(value)) assert.deepInclude(body[key], value)
        else assert.deepStrictEqual(body[key], value, key)
      }
    }
  })

  it("sets no field that an option could replace", async () => {
    for (const request of requests) {
      assert.deepStrictEqual(openFields(await sent(service, request)), [])
    }
  })
})

it("an option is reserved at the field that is set, and above it unless it is an object", () => {
  const paths = (options: JsonObject) => reservedOptions(options).map(({ path }) => path.join("."))
  assert.deepStrictEqual(paths({ service_tier: "flex", text: { verbosity: "low" } }), [])
  assert.deepStrictEqual(paths({ text: { format: {} } }), ["text.format"])
  assert.deepStrictEqual(paths({ text: "low", thinking: { type: "enabled" } }), [
    "text",
    "thinking",
  ])
  assert.deepStrictEqual(paths({ constructor: 1 }), [])
})
