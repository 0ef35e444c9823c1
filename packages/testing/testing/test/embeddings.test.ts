/** Searches of a workflow with `embeddings`: found by meaning, counted as calls, recorded, and by words alone after a failure. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { MemoryBudgetLedger, recordingJournal, emptyRecording, run } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  ModelFailed,
  stageKind,
  type BuiltIndex,
  type Embedder,
  type IndexDocument,
  type RunEvent,
  type ToolSource,
} from "@planloom/plugin/effect"
import openaiPlugin from "@planloom/provider-openai"
import { embedded } from "@planloom/retrieval"
import { recordCassette, replayCassette, wireServer } from "@planloom/testing"
import { Deferred, Effect, Fiber } from "effect"
import { collect } from "../../../engine/core/test/collect.ts"
import { plugin, workflowOf } from "../../../engine/core/test/inline.ts"

const documents: ReadonlyArray<IndexDocument> = [
  { id: "transfer", fields: { summary: "Sends money to a person." } },
  { id: "forecast", fields: { summary: "Tells the weather of a place." } },
  { id: "play", fields: { summary: "Plays music." } },
]

/** What each word is about: a direction of its own for each subject. */
const subjects = [
  ["money", "remit", "cash"],
  ["weather", "umbrella", "rain"],
  ["music", "song", "tune"],
]

const world = (limits: { readonly fails?: number } = {}) => {
  const seen = { calls: 0, texts: [] as Array<string> }
  const embedder: Embedder = {
    id: "subjects",
    summary: "Knows three subjects.",
    model: "own/subjects",
    dimensions: 3,
    embed: (texts) =>
      Effect.flatMap(Effect.yieldNow, () => {
        seen.calls++
        if (seen.calls <= (limits.fails ?? 0)) {
          return Effect.fail(
            new ModelFailed({ class: "unavailable", model: "own/subjects", message: "it is away" }),
          )
        }
        seen.texts.push(...texts)
        const vectors = texts.map((text) =>
          Float32Array.from(
            subjects,
            (words) => words.filter((word) => text.includes(word)).length * 2,
          ),
        )
        return Effect.succeed({ vectors, tokens: texts.length * 10 })
      }),
  }
  const find = stageKind<{ readonly query: string; readonly again?: string }>({
    id: "find",
    summary: "Finds a document.",
    input: { type: "object", properties: { query: true, again: true } },
    output: { type: "array", items: { type: "string" } },
    run: ({ again, query }, context) =>
      Effect.gen(function* () {
        const index = yield* context.index(documents)
        const hits = yield* index.search(query, { limit: 1, least: 0.3 })
        if (again !== undefined) yield* index.search(again, { limit: 1 })
        return hits.map(({ id }) => id)
      }),
  })
  let kept: BuiltIndex | undefined
  const tools: ToolSource = {
    id: "search",
    summary: "Searches in an index that it keeps.",
    list: Effect.succeed({
      tools: [
        { name: "search", summary: "s", capabilities: [], inputs: {}, params: true, outputs: [] },
      ],
    }),
    call: ({ index, params }) =>
      Effect.gen(function* () {
        kept ??= yield* index(documents)
        const hits = yield* kept.search(String(params["query"]), { limit: 1 })
        return { value: hits.map(({ id }) => id) }
      }).pipe(Effect.orDie),
  }
  const call = stageKind<{ readonly query: string }>({
    id: "calls",
    summary: "Calls the search tool.",
    input: { type: "object", properties: { query: { type: "string" } } },
    output: true,
    run: ({ query }, { callTool }) => callTool({ tool: "search", params: { query }, key: "1" }),
  })
  const components = {
    stages: [find, call],
    tools: [tools],
    embedders: [embedder],
    indexes: [embedded],
  }
  return { seen, components }
}

const body = (more: string, uses = "find") => `${more}
inputs: { query: { type: string, default: remit cash } }
stages: [{ id: f, uses: ${uses}, with: { query: "\${{ inputs.query }}" } }]
outputs: { found: { value: "\${{ stages.f.output }}" } }
`

const called = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) => (event.type === "ModelCalled" ? [[event.model, event.usage]] : []))

const degraded = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) => (event.type === "SearchDegraded" ? [event.failure.class] : []))

const folder = () => mkdtempSync(join(tmpdir(), "planloom-embeddings-"))

describe("a search of a workflow with embeddings", () => {
  it.effect("finds by meaning what shares no word, and by words alone without the key", () =>
    Effect.gen(function* () {
      const with_ = world()
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), with_.components)
      assert.deepStrictEqual((yield* collect(pipeline)).result.outputs, { found: ["transfer"] })
      const without = world()
      const words = yield* workflowOf(body(""), without.components)
      assert.deepStrictEqual((yield* collect(words.pipeline)).result.outputs, { found: [] })
      assert.strictEqual(without.seen.calls, 0)
    }),
  )

  it.effect("counts one call for documents and query, and sends each text once", () =>
    Effect.gen(function* () {
      const { components, seen } = world()
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), components)
      const first = yield* collect(pipeline)
      assert.deepStrictEqual(called(first.events), [["own/subjects", { input: 40, output: 0 }]])
      assert.strictEqual(first.result.usage.modelCalls, 1)
      const second = yield* collect(pipeline, { query: "a song" })
      assert.deepStrictEqual(second.result.outputs, { found: ["play"] })
      assert.deepStrictEqual(called(second.events), [["own/subjects", { input: 10, output: 0 }]])
      assert.deepStrictEqual(called((yield* collect(pipeline)).events), [])
      assert.strictEqual(new Set(seen.texts).size, seen.texts.length)
    }),
  )

  it.effect("waits for documents that a search at the same time sends", () =>
    Effect.gen(function* () {
      const { components, seen } = world()
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), components)
      const queries = ["a song", "need an umbrella", "remit cash"]
      const ended = yield* Effect.all(
        queries.map((query) => collect(pipeline, { query })),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(
        ended.map(({ result }) => result.outputs),
        [{ found: ["play"] }, { found: ["forecast"] }, { found: ["transfer"] }],
      )
      assert.strictEqual(seen.texts.length, documents.length + queries.length)
    }),
  )

  it.effect("counts against the budget, and goes by words alone when that is spent", () =>
    Effect.gen(function* () {
      const { components, seen } = world()
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), components)
      const budget = new MemoryBudgetLedger({ tokens: 100 }, "the test")
      yield* collect(pipeline, {}, { budget })
      assert.deepInclude(budget.spent, { tokens: 40, modelCalls: 1 })
      const small = new MemoryBudgetLedger({ tokens: 0 }, "the test")
      const { events, result } = yield* collect(
        pipeline,
        { query: "weather, new" },
        { budget: small },
      )
      assert.strictEqual(result.status, "succeeded")
      assert.deepStrictEqual(result.outputs, { found: ["forecast"] })
      assert.deepStrictEqual(degraded(events), ["budget"])
      assert.strictEqual(seen.calls, 1)
    }),
  )

  it.effect("goes by words alone after a failure, visibly, and without calling again at once", () =>
    Effect.gen(function* () {
      const { components, seen } = world({ fails: 1 })
      const { pipeline } = yield* workflowOf(
        body("embeddings: subjects").replace("with: {", "with: { again: other text,"),
        components,
      )
      const { events, result } = yield* collect(pipeline, { query: "music" })
      assert.deepStrictEqual(result.outputs, { found: ["play"] })
      assert.deepStrictEqual(degraded(events), ["unavailable", "unavailable"])
      assert.strictEqual(called(events).length, 1)
      assert.deepStrictEqual(result.degraded, [
        { path: "f", reason: "own/subjects: unavailable: it is away", without: "embeddings" },
      ])
      assert.strictEqual(seen.calls, 1)
    }),
  )

  it.effect("counts an estimate for a call that is cancelled", () =>
    Effect.gen(function* () {
      const { components } = world()
      const started = yield* Deferred.make<void>()
      const stuck: Embedder = {
        ...components.embedders[0]!,
        embed: () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never),
      }
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), {
        ...components,
        embedders: [stuck],
      })
      const events: Array<RunEvent> = []
      const running = yield* Effect.forkChild(
        run(pipeline, {}, { onEvent: (event) => void events.push(event) }),
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(running)
      const [call] = events.filter((event) => event.type === "ModelCalled")
      assert.deepInclude(call, { model: "own/subjects" })
      assert.strictEqual(call?.failure?.class, "cancelled")
      assert.strictEqual(call?.usage.estimated, true)
      assert.isAbove(call?.usage.input ?? 0, 0)
    }),
  )

  it.effect("follows changes of its documents", () =>
    Effect.gen(function* () {
      const { components, seen } = world()
      const changing = stageKind({
        id: "changes",
        summary: "Adds and removes documents.",
        input: { type: "object" },
        output: true,
        run: (_, context) =>
          Effect.gen(function* () {
            const { add, remove, search, size } = yield* context.index(documents)
            const first = yield* search("a tune", { limit: 1 })
            yield* remove(["play"])
            yield* add([{ id: "sing", fields: { summary: "Sings a song." } }])
            const second = yield* search("a tune", { limit: 1 })
            return [first[0]!.id, second[0]!.id, size()]
          }),
      })
      const { pipeline } = yield* workflowOf(
        'embeddings: subjects\nstages: [{ id: c, uses: changes, with: {} }]\noutputs: { c: { value: "${{ stages.c.output }}" } }\n',
        { ...components, stages: [changing] },
      )
      assert.deepStrictEqual((yield* collect(pipeline)).result.outputs, { c: ["play", "sing", 3] })
      assert.strictEqual(seen.calls, 2)
    }),
  )

  it.effect("is answered from the record on a replay, and counted again", () =>
    Effect.gen(function* () {
      const { components, seen } = world()
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), components)
      const recording = emptyRecording()
      const first = yield* collect(pipeline, {}, { journal: recordingJournal(recording) })
      // As after a kill inside the stage: the search is recorded, the stage is not.
      for (const name of recording.steps.keys()) {
        if (!name.includes("/search:")) recording.steps.delete(name)
      }
      const later = world({ fails: 9 })
      const again = yield* workflowOf(body("embeddings: subjects"), later.components)
      const second = yield* collect(again.pipeline, {}, { journal: recordingJournal(recording) })
      assert.deepStrictEqual(second.result.outputs, first.result.outputs)
      assert.deepStrictEqual(called(second.events), called(first.events))
      assert.deepStrictEqual([seen.calls, later.seen.calls], [1, 0])
    }),
  )

  it.effect("is answered by a cassette", () =>
    Effect.gen(function* () {
      const kept = folder()
      const { components } = world()
      const { pipeline } = yield* workflowOf(body("embeddings: subjects"), components)
      const first = yield* collect(pipeline, {}, { cassette: yield* recordCassette(kept, "test") })
      const later = world({ fails: 9 })
      const again = yield* workflowOf(body("embeddings: subjects"), later.components)
      const second = yield* collect(again.pipeline, {}, { cassette: yield* replayCassette(kept) })
      assert.deepStrictEqual(second.result.outputs, first.result.outputs)
      assert.strictEqual(later.seen.calls, 0)
    }),
  )

  it.effect(
    "by a tool counts in the run whose call searches, also in an index of an earlier run",
    () =>
      Effect.gen(function* () {
        const { components, seen } = world()
        const { pipeline } = yield* workflowOf(body("embeddings: subjects", "calls"), components)
        const first = yield* collect(pipeline)
        assert.deepStrictEqual(first.result.outputs, { found: ["transfer"] })
        assert.deepStrictEqual(called(first.events), [["own/subjects", { input: 40, output: 0 }]])
        const second = yield* collect(pipeline, { query: "umbrella" })
        assert.deepStrictEqual(second.result.outputs, { found: ["forecast"] })
        assert.deepStrictEqual(called(second.events), [["own/subjects", { input: 10, output: 0 }]])
        assert.strictEqual(seen.calls, 2)
      }),
  )
})

it.effect("examples of a stage are chosen by meaning", () =>
  Effect.gen(function* () {
    const { components } = world()
    const kept = folder()
    const file = join(kept, "examples.yaml")
    writeFileSync(
      file,
      `apiVersion: planloom/v1
kind: Examples
examples:
  - { inputs: { text: tell me the weather }, output: forecast }
  - { inputs: { text: put some music on }, output: play }
`,
    )
    const asks: Array<string> = []
    const ask = stageKind({
      id: "asks",
      summary: "Asks.",
      input: { type: "object" },
      output: true,
      model: (_, { model }) =>
        Effect.map(
          model.text({ messages: [{ role: "user", content: "now" }] }),
          ({ text }) => text,
        ),
    })
    const { pipeline } = yield* workflowOf(
      `embeddings: subjects
inputs: { text: { type: string } }
stages: [{ id: a, uses: asks, model: near/one, with: {}, examples: { file: "${file}", user: "\${{ inputs.text }}", max_tokens: 8 } }]
`,
      {
        ...components,
        stages: [ask],
        providers: [
          {
            id: "near",
            summary: "Answers.",
            generate: ({ messages }) =>
              Effect.sync(() => {
                asks.push(String(messages[0]!.content))
                const usage = { input: 1, output: 1 }
                return { text: "ok", reasoning: "", toolCalls: [], finish: "stop" as const, usage }
              }),
          },
        ],
      },
    )
    yield* collect(pipeline, { text: "any nice tune" })
    yield* collect(pipeline, { text: "need an umbrella?" })
    assert.deepStrictEqual(asks, ["put some music on", "tell me the weather"])
  }),
)

it.effect(
  "the embedder of provider-openai is called over the wire, by the config of its plugin",
  () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() => wireServer({ answers: [{}] }))
      const root = folder()
      writeFileSync(
        join(root, "planloom.yaml"),
        `apiVersion: planloom/v1
kind: Project
plugins:
  "@planloom/provider-openai":
    servers: { llamacpp: { base_url: "${server.url}/v1" } }
    embeddings: { server: llamacpp, model: bge-small, dimensions: 8 }
`,
      )
      const path = join(root, "w.yaml")
      writeFileSync(
        path,
        `apiVersion: planloom/v1\nkind: Workflow\nname: w\nuse: { plugins: ["@planloom/provider-openai"] }\n${body("embeddings: openai")}`,
      )
      const { embedders: _, ...components } = world().components
      const { pipeline } = yield* load(path, {
        plugins: { "@planloom/provider-openai": async () => openaiPlugin },
        extraPlugins: [plugin(components)],
      })
      const { events } = yield* collect(pipeline, { query: "Plays music." })
      const [request] = server.requests
      assert.strictEqual(request?.path, "/v1/embeddings")
      assert.deepStrictEqual(request?.body["input"], [
        "Plays music.",
        "Sends money to a person.",
        "Tells the weather of a place.",
      ])
      assert.deepStrictEqual(called(events), [["llamacpp/bge-small", { input: 3, output: 0 }]])
      yield* Effect.promise(() => server.close())
    }),
)
