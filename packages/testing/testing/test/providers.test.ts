/** Every provider on an SDK, with the real SDK over real HTTP: what it promises, and what becomes of each fault. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import {
  toFailureRecord,
  type Host,
  type ModelRequest,
  type Provider,
} from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { providerSuite } from "../src/conformance/providerSuite.ts"
import { wireServer } from "../src/double/wire/wireServer.ts"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import type { WireServer } from "../src/double/wire/wireServer.ts"

const KEY = "not-a-real-key"
const host: Host = { root: ".", secret: () => KEY }

interface Limits {
  readonly timeout: string
  readonly stall: string
  readonly max_reply_bytes?: number
}

/** Long enough never to matter where the fault is another one. */
const patient: Limits = { timeout: "1h", stall: "1h" }
/** Real milliseconds: far more than an answer on this machine takes to begin, or to go on. */
const hasty: Limits = { timeout: "250ms", stall: "250ms" }

const setUp = async (
  plugin: typeof anthropicPlugin,
  config: unknown,
  id: string,
): Promise<Provider> => {
  const { providers = [] } = await Effect.runPromise(Effect.scoped(plugin.setup!(config, host)))
  return providers.find((provider) => provider.id === id)!
}

const made = {
  anthropic: (url: string, limits: Limits) =>
    setUp(anthropicPlugin, { base_url: url, ...limits }, "anthropic"),
  google: (url: string, limits: Limits) =>
    setUp(googlePlugin, { base_url: url, ...limits }, "google"),
  openai: (url: string, limits: Limits) =>
    setUp(openaiPlugin, { servers: { openai: { base_url: `${url}/v1`, ...limits } } }, "openai"),
  ollama: (url: string, limits: Limits) =>
    setUp(
      openaiPlugin,
      // Behind a gateway with a key.
      { servers: { ollama: { base_url: `${url}/v1`, key: "OLLAMA_KEY", ...limits } } },
      "ollama",
    ),
  responses: (url: string, limits: Limits) =>
    setUp(
      openaiPlugin,
      { servers: { openai: { base_url: `${url}/v1`, api: "responses", ...limits } } },
      "openai",
    ),
}
const names = Object.keys(made) as ReadonlyArray<keyof typeof made>

const open: Array<WireServer> = []
const opened = async (answer: WireAnswer): Promise<WireServer> => {
  const server = await wireServer({ key: KEY, answers: [answer] })
  open.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

for (const name of names) {
  providerSuite(
    { describe, it },
    name,
    async (reply) => {
      const server = await opened(reply)
      return {
        provider: await made[name](server.url, patient),
        asked: () => server.requests.length,
        functions: () => server.requests.at(-1)?.functions ?? [],
      }
    },
    {
      failures: [
        "rate_limit",
        "overloaded",
        "timeout",
        "unavailable",
        "auth",
        "invalid_request",
        // Ollama has no form for a refusal: its models refuse in words.
        ...(name === "ollama" ? [] : (["content_filter"] as const)),
        "context_length",
      ],
    },
  )
}

interface Fault {
  readonly answer: WireAnswer
  readonly limits?: Limits
  readonly class: string
  /** Words the message must hold. */
  readonly says: RegExp
  readonly retryAfter?: number
}

describe.each(names)("the models that the service of %s lists", (name) => {
  const listed = async (model: string) => {
    const server = await opened({ text: "hello" })
    const provider = await made[name](server.url, patient)
    return { asked: server, found: await Effect.runPromise(provider.lists!(model)) }
  }

  it("have the model, without a request for a reply", async () => {
    const { asked, found } = await listed("small")
    assert.strictEqual(found, true)
    assert.lengthOf(asked.requests, 0)
  })

  it("lack another model, with a reason", async () => {
    const { found } = await listed("nowhere")
    assert.match(String(found), name === "anthropic" || name === "google" ? /nowhere/ : /small/)
  })

  it("cannot be had when the service is away, with a reason that holds no key", async () => {
    const server = await opened({ text: "hello" })
    const provider = await made[name](server.url, hasty)
    await server.close()
    const found = String(await Effect.runPromise(provider.lists!("small")))
    assert.notStrictEqual(found, "true")
    assert.notInclude(found, KEY)
  })
})

/** The table of docs/models.md. */
const faults: { readonly [fault: string]: Fault } = {
  "429": { answer: { status: 429, message: "slow down" }, class: "rate_limit", says: /slow down/ },
  "429 + retry-after": {
    answer: { status: 429, message: "slow down", retryAfter: 17_000 },
    class: "rate_limit",
    says: /slow down/,
    retryAfter: 17_000,
  },
  "429 + retry-after-ms": {
    answer: { status: 429, message: "slow down", retryAfter: 1500 },
    class: "rate_limit",
    says: /slow down/,
    retryAfter: 1500,
  },
  "500": { answer: { status: 500, message: "oops" }, class: "unavailable", says: /oops/ },
  "503": { answer: { status: 503, message: "too many" }, class: "overloaded", says: /too many/ },
  "529": { answer: { status: 529, message: "too many" }, class: "overloaded", says: /too many/ },
  slow: {
    answer: { text: "North leads", fault: "slow" },
    limits: { ...patient, timeout: hasty.timeout },
    class: "timeout",
    says: /no answer within 250 ms/,
  },
  stall: {
    answer: { text: "North leads", fault: "stall" },
    limits: { ...patient, stall: hasty.stall },
    class: "timeout",
    says: /stalled: nothing came for 250 ms/,
  },
  cut: {
    answer: { text: "North leads", fault: "cut" },
    class: "unavailable",
    says: /broke off/,
  },
  malformed: {
    answer: { text: "North leads", fault: "malformed" },
    class: "unavailable",
    says: /cannot be read/,
  },
  truncated: {
    answer: { text: "North leads", fault: "truncated" },
    class: "unavailable",
    says: /cannot be read|ended without a finish/,
  },
  refusal: {
    answer: { text: "North leads", fault: "refusal" },
    class: "content_filter",
    says: /refused/,
  },
  context: {
    answer: { fail: { class: "context_length" } },
    class: "context_length",
    says: /tokens/,
  },
  large: {
    answer: { text: "North leads. ".repeat(1000) },
    limits: { ...patient, max_reply_bytes: 10_000 },
    class: "too_large",
    says: /larger than 10000 bytes/,
  },
}

/** Faults after which nobody knows what the service has done. */
const lost = new Set(["slow", "stall", "cut", "malformed", "truncated", "large"])
/** Anthropic tells the tokens of a prompt with the first event, Google with every piece, OpenAI at the end. */
const toldAtOnce = new Set(
  ["anthropic", "google"].flatMap((name) =>
    ["stall", "cut", "malformed", "truncated", "large"].map((fault) => `${name} ${fault}`),
  ),
)

const request: ModelRequest = {
  model: "small",
  system: [{ text: "You plan." }],
  messages: [{ role: "user", content: "sales by region" }],
  maxTokens: 100,
}

const ways = {
  generate: (provider: Provider) => provider.generate!(request),
  stream: (provider: Provider) => Stream.runDrain(provider.stream!(request)),
}

it("fails with the class that docs/models.md lists for each error", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/models.md"), "utf8")
  const [, table = ""] = page.split("### Error handling")
  const rows = [...table.split("###")[0]!.matchAll(/^\| ([^|]+) \| `(\w+)` \|/gm)]
  assert.deepStrictEqual(
    Object.fromEntries(rows.map(([, fault, outcome]) => [fault, outcome])),
    Object.fromEntries(Object.entries(faults).map(([fault, expected]) => [fault, expected.class])),
  )
})

describe.each(names)("%s", (name) => {
  describe.each(Object.keys(ways) as ReadonlyArray<keyof typeof ways>)("%s", (way) => {
    const known = Object.keys(faults).filter((fault) => name !== "ollama" || fault !== "refusal")
    it.each(known)("%s", async (fault) => {
      const { answer, limits = patient, retryAfter, says, ...expected } = faults[fault]!
      const server = await opened(answer)
      const provider = await made[name](server.url, limits)
      const failure = toFailureRecord(
        await Effect.runPromise(Effect.flip<unknown, any, never>(ways[way](provider))),
      )
      assert.strictEqual(failure.class, expected.class, failure.message)
      assert.match(failure.message, says)
      assert.strictEqual(failure.retryAfter, retryAfter)
      // A refused reply has been read and is charged; one that was lost may be, and what was told of it counts.
      assert.strictEqual(failure.usage?.estimated, lost.has(fault) ? true : undefined)
      const told = fault === "refusal" || (way === "stream" && toldAtOnce.has(`${name} ${fault}`))
      assert.strictEqual((failure.usage?.input ?? 0) > 0, told)
      // Google names its replies in their bodies alone.
      const begun = fault === "refusal" || (way === "stream" && lost.has(fault))
      const named = fault !== "slow" && (name !== "google" || begun)
      const { requestId } = (failure.detail ?? {}) as { readonly requestId?: string }
      assert.strictEqual(requestId !== undefined, named)
      assert.notInclude(JSON.stringify(failure), KEY)
      assert.strictEqual(server.requests.length, 1, "it asked again")
      assert.strictEqual(server.requests[0]!.stream, way === "stream")
      // What was given up is ended on the wire, too.
      if (failure.class === "timeout") await server.abandoned(1)
    })
  })
})
