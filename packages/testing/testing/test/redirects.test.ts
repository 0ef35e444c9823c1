/** Redirects of model services, with the real SDKs over real HTTP: where the prompt and the key go, and the failure. */
import { Effect, Stream } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import type { Host, ModelFailed, ModelRequest } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { wireServer } from "../src/double/wire/wireServer.ts"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import type { WireServer } from "../src/double/wire/wireServer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }
const request: ModelRequest = {
  model: "small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
}

const services = {
  anthropic: { plugin: anthropicPlugin, config: (url: string): unknown => ({ base_url: url }) },
  google: { plugin: googlePlugin, config: (url: string): unknown => ({ base_url: url }) },
  openai: {
    plugin: openaiPlugin,
    config: (url: string): unknown => ({ servers: { openai: { base_url: `${url}/v1` } } }),
  },
} as const
type Service = keyof typeof services

const open: Array<WireServer> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const serverWith = async (...answers: ReadonlyArray<WireAnswer>): Promise<WireServer> => {
  const server = await wireServer({ answers })
  open.push(server)
  return server
}

const redirect = (status: number, location: string): WireAnswer => ({
  raw: { status, headers: { location }, body: "" },
})

const ask = async (name: Service, url: string) => {
  const { config, plugin } = services[name]
  const { embedders = [], providers = [] } = await Effect.runPromise(
    Effect.scoped((plugin.setup as NonNullable<typeof anthropicPlugin.setup>)(config(url), host)),
  )
  const { generate, stream } = providers.find(({ id }) => id === name)!
  return {
    whole: () => generate!(request),
    streamed: () => Stream.runDrain(stream!(request)),
    embed: () => embedders[0]!.embed(["tea"]),
  }
}
const failureOf = (call: Effect.Effect<unknown, ModelFailed>): Promise<ModelFailed> =>
  Effect.runPromise(Effect.flip(call))

describe.each(Object.keys(services) as ReadonlyArray<Service>)("a redirect of %s", (name) => {
  it.each([301, 302, 303, 307, 308])(
    "with status %i to another origin is refused, and nothing is sent there",
    async (status) => {
      const other = await serverWith({ text: "stolen" })
      const server = await serverWith(redirect(status, `${other.url}/v1/messages?key=secret`))
      const calls = await ask(name, server.url)
      for (const way of ["whole", "streamed"] as const) {
        const failure = await failureOf(calls[way]())
        assert.strictEqual(failure.class, "unavailable")
        assert.include(failure.message, `${server.url} redirects to ${other.url}`)
        assert.notInclude(failure.message, "secret")
        assert.isUndefined(failure.usage)
      }
      assert.strictEqual(other.connections(), 0)
    },
  )

  it("to another scheme or port of the same host is refused", async () => {
    const server = await serverWith(redirect(308, "https://127.0.0.1:1/v1"))
    const failure = await failureOf((await ask(name, server.url)).whole())
    assert.include(failure.message, "redirects to https://127.0.0.1:1")
  })

  it("that would drop the request's body is refused", async () => {
    const server = await serverWith(redirect(302, "/login"))
    const failure = await failureOf((await ask(name, server.url)).whole())
    assert.strictEqual(failure.class, "unavailable")
    assert.include(failure.message, "redirects with status 302")
  })

  it("to the same origin is followed with the request's body", async () => {
    const server = await serverWith({ text: "North" })
    const calls = await ask(name, server.url)
    await Effect.runPromise(calls.whole())
    const [{ body, path }] = server.requests as [WireServer["requests"][number]]
    server.answer(redirect(307, `${path}#moved`), { text: "South" })
    const reply = await Effect.runPromise(calls.whole())
    assert.strictEqual(reply.text, "South")
    assert.deepStrictEqual(server.requests[2]?.body, body)
  })

  it("to itself is followed a few times only", async () => {
    const server = await serverWith({ text: "North" })
    const calls = await ask(name, server.url)
    await Effect.runPromise(calls.whole())
    server.answer(redirect(308, server.requests[0]!.path))
    const failure = await failureOf(calls.whole())
    assert.strictEqual(failure.class, "unavailable")
    assert.include(failure.message, "redirects too often")
    assert.isBelow(server.requests.length, 10)
  })
})

describe.each(["google", "openai"] as const)("a redirect of the embedder of %s", (name) => {
  it("to another origin is refused, and no text is sent there", async () => {
    const other = await serverWith()
    const server = await serverWith(redirect(307, `${other.url}/v1/embeddings`))
    const failure = await failureOf((await ask(name, server.url)).embed())
    assert.strictEqual(failure.class, "unavailable")
    assert.include(failure.message, `redirects to ${other.url}`)
    assert.strictEqual(other.connections(), 0)
  })
})
