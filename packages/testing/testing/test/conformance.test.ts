/** Every component there is, held against its suite. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Duration, Effect, Stream } from "effect"
import { AiError, LanguageModel } from "effect/ai"
import type { Response } from "effect/ai"
import { afterAll, assert, describe, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { fromLanguageModel } from "@planloom/provider-effect"
import { embedded } from "@planloom/retrieval"
import openaiPlugin from "@planloom/provider-openai"
import { closeSessions, source } from "@planloom/tools-data"
import { emptyRecording, memoryJournal, recordingJournal } from "@planloom/core"
import { embedderSuite } from "../src/conformance/embedderSuite.ts"
import { indexSuite } from "../src/conformance/indexSuite.ts"
import { journalSuite } from "../src/conformance/journalSuite.ts"
import { providerSuite } from "../src/conformance/providerSuite.ts"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"
import { wireServer } from "../src/double/wire/wireServer.ts"
import { stubTools } from "../src/double/stubTools.ts"
import { toolSourceSuite } from "../src/conformance/toolSourceSuite.ts"
import type { ScriptedReply } from "../src/file/WorkflowTest.ts"

const runner = { describe, it }
const workspace = mkdtempSync(join(tmpdir(), "conformance-"))
const sales = join(import.meta.dirname, "../../../../examples/data/sales.csv")

afterAll(async () => {
  await Effect.runPromise(Effect.promise(async () => closeSessions()))
  rmSync(workspace, { recursive: true, force: true })
})

journalSuite(runner, "memory", () => ({ open: () => memoryJournal }), { replays: false })
journalSuite(
  runner,
  "recording",
  () => {
    const recording = emptyRecording()
    return { open: () => recordingJournal(recording) }
  },
  { replays: true },
)

indexSuite(runner, embedded)

/** Directions by the words of a text; equal texts have equal vectors. */
const wordVectors = (texts: ReadonlyArray<string>): ReadonlyArray<Float32Array> =>
  texts.map((text) => {
    const vector = new Float32Array(64)
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const at = [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 64, 7)
      vector[at]! += 1
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector : vector.map((value) => value / length)
  })

indexSuite(runner, {
  ...embedded,
  id: "embedded_with_vectors",
  build: (documents) =>
    embedded.build(documents, { embed: (texts) => Effect.succeed(wordVectors(texts)) }),
})

indexSuite(runner, {
  ...embedded,
  id: "embedded_without_answers",
  build: (documents) => embedded.build(documents, { embed: () => Effect.succeed(undefined) }),
})

const vectorServer = await wireServer({ answers: [{}] })
afterAll(() => vectorServer.close())
const openaiEmbedder = (
  await Effect.runPromise(
    Effect.scoped(
      openaiPlugin.setup!(
        {
          servers: { local: { base_url: `${vectorServer.url}/v1` } },
          embeddings: { server: "local", model: "small", dimensions: 8 },
        },
        { root: ".", secret: () => undefined },
      ),
    ),
  )
).embedders![0]!
embedderSuite(runner, openaiEmbedder)

providerSuite(
  runner,
  "scripted",
  (reply) => {
    const provider = scriptedProvider([reply, reply])
    return { provider, asked: () => provider.requests.length }
  },
  {
    failures: [
      "rate_limit",
      "overloaded",
      "unavailable",
      "auth",
      "content_filter",
      "invalid_request",
    ],
  },
)

/** An Effect AI model that answers with the reply. */
const effectModel = (reply: ScriptedReply, told: () => void) => {
  const content: ReadonlyArray<Response.PartEncoded> = [
    ...(reply.reasoning === undefined
      ? []
      : [{ type: "reasoning", text: reply.reasoning } as const]),
    ...(reply.text === undefined ? [] : [{ type: "text", text: reply.text } as const]),
    ...(reply.json === undefined
      ? []
      : [{ type: "text", text: JSON.stringify(reply.json) } as const]),
    ...(reply.chunks ?? []).map((text) => ({ type: "text", text }) as const),
    ...(reply.tool_calls ?? []).map(
      (call, index) =>
        ({ type: "tool-call", id: `c${index}`, name: call.name, params: call.arguments }) as const,
    ),
  ]
  const finish: Response.FinishPartEncoded = {
    type: "finish",
    reason: reply.tool_calls === undefined ? "stop" : "tool-calls",
    usage: {
      inputTokens: {
        total: reply.usage?.input ?? 0,
        uncached: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: reply.usage?.output ?? 0, text: undefined, reasoning: undefined },
    },
  }
  const begin = Effect.suspend(() => {
    told()
    const wait = reply.delay === undefined ? Effect.void : Effect.sleep(reply.delay)
    return reply.fail === undefined
      ? wait
      : Effect.fail(AiError.make({ module: "Test", method: "ask", reason: reasonOf(reply) }))
  })
  return Effect.runSync(
    LanguageModel.make({
      generateText: () => Effect.as(begin, [...content, finish]),
      streamText: () =>
        Stream.unwrap(
          Effect.as(begin, Stream.fromIterable([...content.flatMap(streamed), finish])),
        ),
    }),
  )
}

const streamed = (
  part: Response.PartEncoded,
  index: number,
): ReadonlyArray<Response.StreamPartEncoded> => {
  const id = String(index)
  switch (part.type) {
    case "text":
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: part.text },
        { type: "text-end", id },
      ]
    case "reasoning":
      return [
        { type: "reasoning-start", id },
        { type: "reasoning-delta", id, delta: part.text },
        { type: "reasoning-end", id },
      ]
    default:
      return [part as Response.StreamPartEncoded]
  }
}

const reasonOf = ({ fail }: ScriptedReply): AiError.AiErrorReason => {
  switch (fail!.class) {
    case "rate_limit":
      return new AiError.RateLimitError(
        fail!.retry_after === undefined ? {} : { retryAfter: Duration.millis(fail!.retry_after) },
      )
    case "auth":
      return new AiError.AuthenticationError({ kind: "InvalidKey" })
    case "content_filter":
      return new AiError.ContentPolicyError({ description: "refused" })
    case "invalid_request":
      return new AiError.InvalidRequestError({ description: "malformed" })
    default:
      return new AiError.InternalProviderError({ description: "down" })
  }
}

providerSuite(
  runner,
  "any Effect AI model",
  (reply) => {
    let asked = 0
    const model = effectModel(reply, () => asked++)
    return { provider: fromLanguageModel("effect", model), asked: () => asked }
  },
  { failures: ["rate_limit", "auth", "content_filter", "invalid_request", "unavailable"] },
)

toolSourceSuite(
  runner,
  stubTools({ count: { result: { rows: [1, null] } }, broken: { fail: { class: "tool_error" } } }),
  [
    { name: "gives its result", tool: "count", params: { by: "region" } },
    { name: "fails", tool: "broken", params: {}, fails: "tool_error" },
  ],
  { workspace },
)

/** The table of the sales example, as `describe` opens it. */
const salesTable = async (): Promise<JsonObject> => {
  const described = await Effect.runPromise(
    source.call({
      tool: "describe",
      params: { path: sales },
      inputs: {},
      key: "conformance/table",
      workspace,
      roots: [sales],
      index: () => Effect.die("there is no index"),
      user: {},
      variant: () => undefined,
      askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
      note: () => Effect.void,
      progress: () => Effect.void,
    }),
  )
  return { table: (described.value as JsonObject)["table"]! }
}

toolSourceSuite(
  runner,
  source,
  [
    {
      name: "opens the sales example",
      tool: "describe",
      params: { path: sales },
      check: (profile) => {
        const { columns } = profile as {
          readonly columns: ReadonlyArray<{ readonly name: string }>
        }
        assert.include(
          columns.map(({ name }) => name),
          "revenue",
        )
      },
    },
    {
      name: "refuses a file that is not there",
      tool: "describe",
      params: { path: `${sales}.missing.csv` },
      fails: "tool_error",
    },
    {
      name: "sums by group",
      tool: "aggregate",
      params: { group_by: ["region"], metrics: ["revenue"] },
      inputs: salesTable,
    },
    {
      name: "treats a column's name as data",
      tool: "aggregate",
      params: { group_by: ['region"; DROP TABLE x; --'], metrics: ["revenue"] },
      inputs: salesTable,
      fails: "invalid_request",
    },
    {
      name: "keeps the best",
      tool: "top_n",
      params: { limit: 3, order_by: "revenue" },
      inputs: salesTable,
    },
    {
      name: "keeps the rows asked for",
      tool: "filter",
      params: { filters: [{ column: "region", op: "=", value: "Europe" }] },
      inputs: salesTable,
    },
    {
      name: "sums up",
      tool: "compute_summary_stats",
      params: { metrics: ["revenue"] },
      inputs: salesTable,
    },
  ],
  { workspace, roots: [join(sales, "..")] },
)
