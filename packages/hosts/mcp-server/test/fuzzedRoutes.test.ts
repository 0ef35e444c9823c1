/** Hostile requests on every route of a server with all of its parts: none ends in a status of kind 5xx. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { load } from "@planloom/embed"
import { httpEndpoint } from "../src/index.ts"
import type { JsonObject } from "@planloom/plugin/effect"
import { KeptSwaps } from "@planloom/record/models"
import { PromptRegistry } from "@planloom/record/prompts"
import { worker } from "@planloom/record/worker"
import { handler, newApiKey, scopes, type ApiKey, type Scope } from "@planloom/server"
import stages from "@planloom/stages"
import { cases } from "../../../../.config/cases.ts"
import { routes } from "../../server/src/handler.ts"
import { newFile, storeAt } from "../../../stores/store-sqlite/test/store.ts"

const HOOK_KEY = "a key of the test, of 24 bytes or more"

const text = `apiVersion: planloom/v1
kind: Workflow
name: pay
use: { plugins: [stages] }
secrets: [HOOK]
on: { webhook: { secret: HOOK, body: { type: object }, inputs: { to: "hook", more: "\${{ body }}" } } }
prompts: { ask: ask.md }
inputs:
  to: { type: string, personal: true }
  amount: { type: integer, minimum: 1, default: 1 }
  more: true
session: { request: "\${{ inputs.to }}", assistant: "\${{ string(inputs.amount) }}" }
stages:
  - { id: ok, uses: approve, with: { message: "Pay \${{ string(inputs.amount) }}?" } }
  - { id: paid, uses: set, with: { value: "\${{ inputs.more }}" } }
outputs: { paid: "\${{ stages.paid.output }}" }
`.replace("more: true", "more: { default: null }")

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly key: number
}

const nested = (levels: number): string => `${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`

const name = fc.oneof(
  fc.constantFrom(
    "r",
    "waiting",
    "ended",
    "pay",
    "ok",
    "ask",
    "1",
    "0",
    "file",
    "constructor",
    "__proto__",
  ),
  fc.constantFrom(
    "..",
    ".",
    "%",
    "%E0%A4%A",
    "%00",
    "%2F",
    "%2e%2e",
    "*",
    "'",
    '"',
    "\\",
    "a".repeat(5000),
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).map(encodeURIComponent),
  fc.string({ unit: "binary-ascii", maxLength: 6 }).map((one) => one.replaceAll(/[\s#?]/g, "_")),
)

const query = fc.oneof(
  fc.constant(""),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          "status",
          "workflow",
          "since",
          "before",
          "failed_with",
          "session",
          "limit",
          "offset",
          "from",
          "run",
          "action",
          "after",
          "x",
          "__proto__",
        ),
        fc.oneof(
          fc.constantFrom(
            "0",
            "-1",
            "1",
            "1e9",
            "999999",
            "NaN",
            "3d",
            "-3d",
            "1970-01-01",
            "99999999999999999999",
            "failed",
            "pay",
            "%",
            "",
          ),
          fc.string({ maxLength: 10 }),
        ),
      ),
      { maxLength: 4 },
    )
    .map(
      (pairs) => `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`,
    ),
)

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    "",
    0,
    -1,
    1e308,
    true,
    [],
    {},
    "pay",
    "file",
    { approved: true },
    { to: "ann" },
    { to: "ann", amount: 3, more: { a: 1 } },
    { to: 1 },
    { nope: 1 },
    JSON.parse('{"__proto__":{"a":1}}'),
    ["a/b"],
    "stage:ok",
  ),
)

const object = fc.dictionary(
  fc.constantFrom(
    "value",
    "by",
    "mode",
    "reason",
    "inputs",
    "session",
    "alias",
    "stage",
    "models",
    "why",
    "text",
    "version",
    "x",
    "__proto__",
    "constructor",
  ),
  value,
  { maxKeys: 5 },
)

/** The request that a client means to send. */
const usual = fc.constantFrom(
  '{"inputs":{"to":"ann"}}',
  '{"inputs":{"to":"ann","amount":2},"session":"s"}',
  '{"value":{"approved":true},"by":"boss"}',
  '{"mode":"now"}',
  '{"stage":"ok","models":["a/b"],"by":"ann","why":"cost"}',
  '{"by":"ann","why":"cost"}',
  '{"text":"Hi"}',
  '{"version":1}',
)

const body = fc.oneof(
  { weight: 6, arbitrary: usual },
  { weight: 6, arbitrary: object.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: value.map((one) => JSON.stringify(one) ?? "") },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(499, 501, 4000, 60_000)
      .map((levels) => `{"value":${nested(levels)},"inputs":${nested(levels)}}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "{",
      "[",
      "nul",
      '{"a":1,}',
      "\ufeff{}",
      '{"a":1}{"b":2}',
      '"\\ud800"',
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: fc.constant(`{"value":"${"x".repeat(70_000)}"}`) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("initialize", "tools/list", "tools/call", "resources/read", "x")
      .chain((method) =>
        value.map((params) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })),
      ),
  },
)

const headers = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "accept",
    "idempotency-key",
    "if-match",
    "last-event-id",
    "origin",
    "content-length",
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
    "mcp-session-id",
    "mcp-protocol-version",
  ),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "text/event-stream",
      "application/json, text/event-stream",
      "text/plain",
      "waiting",
      '"0"',
      'W/"1"',
      "*",
      "0",
      "99999999999999999999",
      "v1,AAAA",
      "null",
      "https://evil.example",
      "r r",
      "2025-06-18",
    ),
    fc
      .string({ unit: "binary-ascii", maxLength: 20 })
      .map((one) => one.replaceAll(/[^\x21-\x7e]/g, "~")),
  ),
  { maxKeys: 4 },
)

const patterns = [
  ...routes.map(([method, path]) => [method, path] as const),
  ["GET", "/health"],
  ["POST", "/hooks/:name"],
  ["POST", "/mcp"],
  ["GET", "/mcp"],
  ["DELETE", "/mcp"],
  ["GET", "/:any/*rest"],
] as const

const sent: fc.Arbitrary<Sent> = fc
  .tuple(
    fc.constantFrom(...patterns),
    fc.option(
      fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PURGE"),
      { freq: 8 },
    ),
    fc.array(name, { minLength: 4, maxLength: 4 }),
    query,
    headers,
    fc.boolean(),
    body,
    fc.nat(5),
  )
  .map(([[own, pattern], other, names, search, given, isJson, content, key]) => {
    const method = other ?? own
    let next = 0
    const path = `${pattern.replaceAll(/[:*]\w+/g, () => names[next++ % 4]!)}${search}`
    const takesBody = method !== "GET" && method !== "HEAD"
    const type = takesBody && isJson ? { "content-type": "application/json" } : {}
    return {
      method,
      path,
      headers: { ...type, ...given },
      body: takesBody ? content : undefined,
      key,
    }
  })

const serving = Effect.gen(function* () {
  const store = storeAt(newFile())
  const { pipeline, secrets } = yield* load("w.yaml", {
    plugins: { stages: async () => stages },
    texts: new Map([
      ["w.yaml", text],
      ["ask.md", "Ask.\n"],
    ]),
  })
  const [models, prompts] = [KeptSwaps.of(store)!, PromptRegistry.of(store)!]
  const running = yield* worker(store, {
    concurrency: 4,
    options: () => ({ models, prompts }),
    load: () => Effect.succeed({ pipeline, secrets }),
  })
  const given: ReadonlyArray<readonly [ReadonlyArray<Scope>, ReadonlyArray<string>?]> = [
    [["admin"]],
    [["runs:write"]],
    [["runs:read", "workflows:read"]],
    [Object.keys(scopes) as ReadonlyArray<Scope>, ["other"]],
  ]
  const keys = new Map<string, ApiKey>()
  const bearers: Array<string> = []
  for (const [index, [own, workflows]] of given.entries()) {
    const { key, stored } = yield* Effect.promise(() =>
      newApiKey({ name: `k${index}`, scopes: own, createdAt: 1, ...(workflows && { workflows }) }),
    )
    keys.set(stored.id, stored)
    bearers.push(key)
  }
  const defects: Array<unknown> = []
  const onDefect = (error: unknown) => void defects.push(error)
  const workflow = {
    pipeline,
    secrets,
    definition: { file: "w.yaml" },
    webhookSecrets: [HOOK_KEY],
    prompts: {
      files: new Map([["ask", "Ask.\n"]]),
      check: () => Effect.succeed([]),
    },
  }
  const handle = handler({
    store,
    worker: running,
    models,
    prompts,
    workflows: new Map([["pay", workflow]]),
    keys: { find: (id) => keys.get(id), isRequired: () => true },
    maxBody: 1 << 20,
    mcp: httpEndpoint({ version: "1", stopping: new AbortController().signal, onDefect }),
    onDefect,
  })
  const url = "http://localhost"
  const start = (run: string) =>
    Effect.promise(() =>
      handle(
        new Request(`${url}/workflows/pay/runs`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "idempotency-key": run,
            authorization: `Bearer ${bearers[0]!}`,
          },
          body: '{"inputs":{"to":"ann"}}',
        }),
      ),
    )
  yield* start("waiting")
  yield* start("r")
  const send = async (one: Sent): Promise<number> => {
    const bearer = bearers[one.key]
    const made: Record<string, string> = {
      ...one.headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(one.path.startsWith("/hooks/pay") && typeof one.body === "string"
        ? signed(one.body)
        : {}),
    }
    const request = requestOf(`${url}${one.path}`, one, made)
    if (request === undefined) return 0
    const response = await handle(request)
    // A stream stays open as long as its run waits.
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
      await response.body?.cancel()
    } else await response.arrayBuffer()
    return response.status
  }
  return { send, defects }
})

const signed = (content: string): Record<string, string> => {
  const time = Math.floor(Date.now() / 1000)
  const hmac = createHmac("sha256", HOOK_KEY).update(`m.${time}.${content}`).digest("base64")
  return {
    "webhook-id": "m",
    "webhook-timestamp": String(time),
    "webhook-signature": `v1,${hmac}`,
  }
}

/** Undefined for what no client of the platform can send. */
const requestOf = (
  url: string,
  { body: content, method }: Sent,
  given: JsonObject,
): Request | undefined => {
  try {
    return new Request(url, {
      method,
      headers: given as Record<string, string>,
      ...(content === undefined ? {} : { body: content }),
    })
  } catch {
    return undefined
  }
}

describe("a hostile request", () => {
  it.live(
    "on any route gets no status of kind 5xx",
    () =>
      Effect.gen(function* () {
        const { defects, send } = yield* serving
        const counts = new Map<number, number>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(sent, async (one) => {
              const status = await send(one)
              counts.set(status, (counts.get(status) ?? 0) + 1)
              assert.isBelow(status, 500, `${one.method} ${one.path}: ${String(defects.at(-1))}`)
            }),
            { numRuns: cases(1000, 5) },
          ),
        )
        assert.deepStrictEqual(defects, [])
        // Most were understood, and some of them did something.
        for (const status of [200, 400, 401, 403, 404, 405, 415, 422]) {
          assert.isAbove(counts.get(status) ?? 0, 0, String(status))
        }
      }),
    600_000,
  )
})
