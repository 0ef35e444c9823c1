/** Every error the three services document → the engine's class, with the real SDKs over real HTTP, whole and in parts. */
import { Effect, Stream } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import {
  toFailureRecord,
  type Host,
  type JsonObject,
  type ModelRequest,
} from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { wireServer } from "../src/double/wire/wireServer.ts"
import type { RawAnswer } from "../src/double/wire/WireAnswer.ts"
import type { WireServer } from "../src/double/wire/wireServer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }
const request: ModelRequest = {
  model: "small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
}

interface Outcome {
  readonly class: string
  readonly says?: RegExp
  /** Milliseconds. */
  readonly retryAfter?: number
  readonly requestId?: string
}
type Row = readonly [raw: RawAnswer, expected: Outcome]

const anthropic = (
  status: number,
  type: string,
  more: {
    readonly details?: JsonObject
    readonly headers?: Record<string, string>
    readonly message?: string
  } = {},
): RawAnswer => ({
  status,
  headers: { "request-id": "req_1", ...more.headers },
  body: {
    type: "error",
    error: {
      type,
      message: more.message ?? `as told: ${type}`,
      ...(more.details === undefined ? {} : { details: more.details }),
    },
    request_id: "req_1",
  },
})

/** https://platform.claude.com/docs/en/api/errors, and the types and codes of the SDK. */
const anthropicErrors: { readonly [what: string]: Row } = {
  invalid_request_error: [
    anthropic(400, "invalid_request_error"),
    { class: "invalid_request", requestId: "req_1" },
  ],
  "invalid_request_error, of a prompt that is too long": [
    anthropic(400, "invalid_request_error", {
      message: "prompt is too long: 210000 tokens > 200000 maximum",
    }),
    { class: "context_length" },
  ],
  "invalid_request_error, of spent credit": [
    anthropic(400, "invalid_request_error", {
      message:
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
    }),
    { class: "auth" },
  ],
  authentication_error: [anthropic(401, "authentication_error"), { class: "auth" }],
  billing_error: [anthropic(402, "billing_error"), { class: "auth" }],
  permission_error: [anthropic(403, "permission_error"), { class: "auth" }],
  not_found_error: [anthropic(404, "not_found_error"), { class: "no_model" }],
  conflict_error: [anthropic(409, "conflict_error"), { class: "unavailable" }],
  request_too_large: [anthropic(413, "request_too_large"), { class: "context_length" }],
  "422": [anthropic(422, "invalid_request_error"), { class: "invalid_request" }],
  rate_limit_error: [
    anthropic(429, "rate_limit_error", { headers: { "retry-after": "12" } }),
    { class: "rate_limit", retryAfter: 12_000, requestId: "req_1" },
  ],
  "rate_limit_error, of a limit on money": [
    anthropic(429, "rate_limit_error", { details: { error_code: "enforced_spend_limit_reached" } }),
    { class: "auth" },
  ],
  api_error: [anthropic(500, "api_error"), { class: "unavailable" }],
  timeout_error: [anthropic(504, "timeout_error"), { class: "timeout" }],
  overloaded_error: [anthropic(529, "overloaded_error"), { class: "overloaded" }],
}

const google = (status: number, state: string, more: JsonObject = {}): RawAnswer => ({
  status,
  body: { error: { code: status, message: `as told: ${state}`, status: state, ...more } },
})
const detail = (type: string, more: JsonObject): JsonObject => ({
  details: [{ "@type": `type.googleapis.com/google.rpc.${type}`, ...more }],
})

/** https://ai.google.dev/gemini-api/docs/troubleshooting, and google.rpc.Code. */
const googleErrors: { readonly [what: string]: Row } = {
  INVALID_ARGUMENT: [google(400, "INVALID_ARGUMENT"), { class: "invalid_request" }],
  "INVALID_ARGUMENT, of a key that is none": [
    google(400, "INVALID_ARGUMENT", detail("ErrorInfo", { reason: "API_KEY_INVALID" })),
    { class: "auth" },
  ],
  "INVALID_ARGUMENT, of a prompt that is too long": [
    google(400, "INVALID_ARGUMENT", {
      message:
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    }),
    { class: "context_length" },
  ],
  "FAILED_PRECONDITION, where nobody pays": [
    google(400, "FAILED_PRECONDITION", {
      message: "The free tier is not available in your country. Please enable billing.",
    }),
    { class: "auth" },
  ],
  OUT_OF_RANGE: [google(400, "OUT_OF_RANGE"), { class: "invalid_request" }],
  UNAUTHENTICATED: [google(401, "UNAUTHENTICATED"), { class: "auth" }],
  PERMISSION_DENIED: [google(403, "PERMISSION_DENIED"), { class: "auth" }],
  NOT_FOUND: [google(404, "NOT_FOUND"), { class: "no_model" }],
  ABORTED: [google(409, "ABORTED"), { class: "unavailable" }],
  RESOURCE_EXHAUSTED: [google(429, "RESOURCE_EXHAUSTED"), { class: "rate_limit" }],
  "RESOURCE_EXHAUSTED, with RetryInfo": [
    google(429, "RESOURCE_EXHAUSTED", detail("RetryInfo", { retryDelay: "3.5s" })),
    { class: "rate_limit", retryAfter: 3500 },
  ],
  "RESOURCE_EXHAUSTED, of a day's quota": [
    google(429, "RESOURCE_EXHAUSTED", {
      message: "You exceeded your current quota, please check your plan and billing details.",
      ...detail("QuotaFailure", {
        violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }],
      }),
    }),
    { class: "auth" },
  ],
  "RESOURCE_EXHAUSTED, of a minute's quota": [
    google(429, "RESOURCE_EXHAUSTED", {
      message: "You exceeded your current quota, please check your plan and billing details.",
      ...detail("QuotaFailure", {
        violations: [{ quotaId: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier" }],
      }),
    }),
    { class: "rate_limit" },
  ],
  "RESOURCE_EXHAUSTED, of spent credit": [
    google(429, "RESOURCE_EXHAUSTED", { message: "Your prepayment credits are depleted." }),
    { class: "auth" },
  ],
  CANCELLED: [google(499, "CANCELLED"), { class: "unavailable" }],
  INTERNAL: [google(500, "INTERNAL"), { class: "unavailable" }],
  UNKNOWN: [google(500, "UNKNOWN"), { class: "unavailable" }],
  UNIMPLEMENTED: [google(501, "UNIMPLEMENTED"), { class: "invalid_request" }],
  UNAVAILABLE: [google(503, "UNAVAILABLE"), { class: "overloaded" }],
  DEADLINE_EXCEEDED: [google(504, "DEADLINE_EXCEEDED"), { class: "timeout" }],
}

const openai = (
  status: number,
  code: string | null,
  more: {
    readonly type?: string
    readonly message?: string
    readonly headers?: Record<string, string>
  } = {},
): RawAnswer => ({
  status,
  headers: { "x-request-id": "req_2", ...more.headers },
  body: {
    error: {
      message: more.message ?? "as told",
      type: more.type ?? "invalid_request_error",
      param: null,
      code,
    },
  },
})

/** https://developers.openai.com/api/docs/guides/error-codes. */
const openaiErrors: { readonly [what: string]: Row } = {
  "400": [openai(400, null), { class: "invalid_request", requestId: "req_2" }],
  context_length_exceeded: [openai(400, "context_length_exceeded"), { class: "context_length" }],
  content_policy_violation: [openai(400, "content_policy_violation"), { class: "content_filter" }],
  "content_filter, of Azure": [openai(400, "content_filter"), { class: "content_filter" }],
  invalid_prompt: [openai(400, "invalid_prompt"), { class: "content_filter" }],
  invalid_api_key: [openai(401, "invalid_api_key"), { class: "auth" }],
  unsupported_country_region_territory: [
    openai(403, "unsupported_country_region_territory"),
    { class: "auth" },
  ],
  model_not_found: [
    openai(404, "model_not_found", {
      message: "The model `small` does not exist or you do not have access to it.",
    }),
    { class: "no_model", says: /models lists those/ },
  ],
  "409": [openai(409, null), { class: "unavailable" }],
  "422": [openai(422, null), { class: "invalid_request" }],
  rate_limit_exceeded: [
    openai(429, "rate_limit_exceeded", { type: "tokens", headers: { "retry-after-ms": "1250" } }),
    { class: "rate_limit", retryAfter: 1250, requestId: "req_2" },
  ],
  insufficient_quota: [
    openai(429, "insufficient_quota", { type: "insufficient_quota" }),
    { class: "auth" },
  ],
  "402, of OpenRouter": [
    openai(402, null, { message: "Insufficient credits. Add more credits and retry." }),
    { class: "auth" },
  ],
  "exceeded_current_quota_error, of Moonshot": [
    openai(429, null, {
      type: "exceeded_current_quota_error",
      message: "Your account is suspended, please check your plan and billing details",
    }),
    { class: "auth" },
  ],
  billing_hard_limit_reached: [openai(429, "billing_hard_limit_reached"), { class: "auth" }],
  server_error: [openai(500, null, { type: "server_error" }), { class: "unavailable" }],
  "503, overloaded": [
    openai(503, null, {
      type: "server_error",
      message: "That model is currently overloaded with other requests.",
    }),
    { class: "overloaded" },
  ],
  slow_down: [
    openai(503, "slow_down", { type: "service_unavailable_error" }),
    { class: "overloaded" },
  ],
}

const services = {
  anthropic: {
    plugin: anthropicPlugin,
    config: (url: string): unknown => ({ base_url: url }),
    errors: anthropicErrors,
  },
  google: {
    plugin: googlePlugin,
    config: (url: string): unknown => ({ base_url: url }),
    errors: googleErrors,
  },
  openai: {
    plugin: openaiPlugin,
    config: (url: string): unknown => ({ servers: { openai: { base_url: `${url}/v1` } } }),
    errors: openaiErrors,
  },
}

const open: Array<WireServer> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const asking = async (name: keyof typeof services, raw: RawAnswer) => {
  const server = await wireServer({ answers: [{ raw }] })
  open.push(server)
  const { config, plugin } = services[name]
  const { providers = [] } = await Effect.runPromise(
    Effect.scoped(
      (plugin.setup as NonNullable<typeof anthropicPlugin.setup>)(config(server.url), host),
    ),
  )
  const { generate, stream } = providers.find(({ id }) => id === name)!
  const ended = {
    generate: () => generate!(request),
    stream: () => Stream.runDrain(stream!(request)),
  }
  const failing = async (way: keyof typeof ended) =>
    toFailureRecord(await Effect.runPromise(Effect.flip<unknown, any, never>(ended[way]())))
  return { server, failing }
}

for (const name of Object.keys(services) as ReadonlyArray<keyof typeof services>) {
  describe(`an error of ${name}`, () => {
    it.each(Object.entries(services[name].errors))("%s", async (_, [raw, expected]) => {
      const { failing, server } = await asking(name, raw)
      for (const way of ["generate", "stream"] as const) {
        const failure = await failing(way)
        assert.strictEqual(failure.class, expected.class, `${way}: ${failure.message}`)
        if (expected.says !== undefined) assert.match(failure.message, expected.says)
        assert.strictEqual(failure.retryAfter, expected.retryAfter)
        assert.isUndefined(failure.usage, "nobody is charged for an error")
        if (expected.requestId !== undefined) {
          assert.deepStrictEqual(failure.detail, { requestId: expected.requestId })
        }
      }
      assert.strictEqual(server.requests.length, 2, "it asked again")
    })

    it("may say as a date when to come back", async () => {
      const [raw] = Object.values(services[name].errors).find(([{ status }]) => status === 429)!
      const at = new Date(Date.now() + 90_000).toUTCString()
      const { failing } = await asking(name, { ...raw, headers: { "retry-after": at } })
      const { retryAfter = 0 } = await failing("generate")
      assert.isAtLeast(retryAfter, 60_000)
      assert.isAtMost(retryAfter, 90_000)
    })
  })
}

describe("an error in the middle of a stream of anthropic", () => {
  it.each([
    ["overloaded_error", "overloaded"],
    ["rate_limit_error", "rate_limit"],
    ["api_error", "unavailable"],
    ["timeout_error", "timeout"],
    ["invalid_request_error", "invalid_request"],
    ["authentication_error", "auth"],
  ])("%s", async (type, expected) => {
    const message = {
      id: "1",
      type: "message",
      role: "assistant",
      content: [],
      usage: { input_tokens: 25, output_tokens: 1 },
    }
    const error = { type: "error", error: { type, message: "as told" } }
    const { failing } = await asking("anthropic", {
      headers: { "content-type": "text/event-stream", "request-id": "req_1" },
      body: [
        `event: message_start\ndata: ${JSON.stringify({ type: "message_start", message })}\n\n`,
        `event: error\ndata: ${JSON.stringify(error)}\n\n`,
      ].join(""),
    })
    const failure = await failing("stream")
    assert.strictEqual(failure.class, expected)
    assert.deepStrictEqual(failure.usage, { input: 25, output: 1, estimated: true })
    assert.deepStrictEqual(failure.detail, { requestId: "req_1" })
  })
})

describe("an error in the middle of a stream of openai", () => {
  it.each([
    [{ message: "as told", code: "rate_limit_exceeded" }, "rate_limit"],
    [{ message: "as told", type: "server_error", code: null }, "unavailable"],
    [{ message: "as told", code: 502 }, "unavailable"],
    ["as told", "unavailable"],
  ])("%j", async (error, expected) => {
    const { failing } = await asking("openai", {
      body: "",
      events: [{ choices: [{ index: 0, delta: { content: "North" } }] }, { error }],
    })
    const failure = await failing("stream")
    assert.strictEqual(failure.class, expected)
    assert.match(failure.message, /as told/)
    assert.strictEqual(failure.usage?.estimated, true)
  })
})

describe("an error in the middle of a stream of google", () => {
  it("is told as a piece", async () => {
    const { body } = google(503, "UNAVAILABLE")
    const { failing } = await asking("google", { body: "", events: [body] })
    assert.strictEqual((await failing("stream")).class, "overloaded")
  })
})
