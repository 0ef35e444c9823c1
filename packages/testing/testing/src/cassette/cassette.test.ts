/** Recording and replaying whole runs. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import {
  ModelFailed,
  stageKind,
  ToolFailed,
  type Json,
  type Provider,
  type ToolSource,
} from "@planloom/plugin/effect"
import { fromYaml, toYaml } from "@planloom/language"
import type { Pipeline } from "@planloom/core"
import { memoryJournal } from "@planloom/core"
import { collect } from "../../../../engine/core/test/collect.ts"
import { workflowOf } from "../../../../engine/core/test/inline.ts"
import { recordCassette, replayCassette } from "./cassettes.ts"
import { cases } from "../../../../../.config/cases.ts"

/** Counts what really happens. */
const world = (replies: (text: string, count: number) => string = (text) => `about ${text}`) => {
  const seen = { models: 0, tools: 0 }
  const provider: Provider = {
    id: "near",
    summary: "Answers.",
    generate: ({ messages }) =>
      Effect.suspend(() => {
        const text = String(messages[0]!.content)
        const count = ++seen.models
        return text.startsWith("fail") && count === 1
          ? Effect.fail(new ModelFailed({ class: "rate_limit", model: "near/a", message: "slow" }))
          : Effect.as(Effect.yieldNow, {
              text: replies(text, count),
              reasoning: "",
              toolCalls: [],
              finish: "stop" as const,
              usage: { input: 5, output: 7, cached: 1 },
            })
      }),
  }
  const tools: ToolSource = {
    id: "tools",
    summary: "Measures.",
    list: Effect.succeed({
      tools: [
        {
          name: "length",
          summary: "Counts characters.",
          capabilities: [],
          inputs: {},
          params: { type: "object", properties: { text: { type: "string" } } },
          outputs: ["number"],
        },
      ],
    }),
    call: ({ params }) =>
      Effect.suspend(() => {
        seen.tools++
        const text = String(params["text"])
        return text.includes("break")
          ? Effect.fail(new ToolFailed({ tool: "length", class: "tool_error", message: "broke" }))
          : Effect.succeed({ value: { length: text.length, text } })
      }),
  }
  const work = stageKind<{ readonly text: string }>({
    id: "work",
    summary: "Asks, draws and measures.",
    input: { type: "object", properties: { text: { type: "string" } } },
    output: true,
    run: ({ text }, { callTool, id, model, now, random, step }) =>
      Effect.gen(function* () {
        const drawn = [yield* now, yield* random, yield* id]
        const { text: reply } = yield* model.text({
          prompt: { sections: [{ id: "time", text: `At ${drawn[0]}`, stable: false }] },
          messages: [{ role: "user", content: text }],
        })
        const stepped = yield* step(
          "outside",
          Effect.sync(() => {
            seen.tools++
            return Math.random()
          }),
        )
        const [one, two] = yield* Effect.forEach(
          ["one", "two"],
          (key) => callTool({ tool: "length", params: { text: reply }, key }),
          { concurrency: 2 },
        )
        return { drawn, stepped, reply, one: one!, two: two! }
      }),
  })
  return { seen, components: { providers: [provider], tools: [tools], stages: [work] } }
}

const body = `
inputs: { texts: { type: array, items: { type: string } } }
defaults: { model: near/a }
stages:
  - id: each
    uses: work
    for_each: { in: inputs.texts, as: text, max_parallel: 3 }
    with: { text: "\${{ text }}" }
    retry: { max_retries: 1, delay: 1h, on: [rate_limit] }
    on_error: continue
  - { id: last, uses: work, with: { text: last } }
outputs: { last: "\${{ stages.last.output }}" }
`

const folderOf = () => mkdtempSync(join(tmpdir(), "cassette-"))

const files = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".yaml"))
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  )

const recorded = (
  pipeline: Pipeline,
  folder: string,
  inputs: { readonly texts: ReadonlyArray<string> },
) =>
  Effect.flatMap(recordCassette(folder, "test", { secrets: ["hunter22"] }), (cassette) =>
    collect(pipeline, inputs, { cassette, secrets: ["hunter22"], journal: impatient }),
  )

const replayed = (
  pipeline: Pipeline,
  folder: string,
  inputs: { readonly texts: ReadonlyArray<string> },
) =>
  Effect.flatMap(replayCassette(folder, { secrets: ["hunter22"] }), (cassette) =>
    collect(pipeline, inputs, { cassette, secrets: ["hunter22"] }),
  )

const impatient = { ...memoryJournal, sleep: () => Effect.void }

/** Without the times. */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      ["at", "ms", "startedAt", "finishedAt", "delay"].includes(key) ? 0 : one,
    ),
  )

describe("a replayed run", () => {
  it.live("gives the same result and events, and nothing happens", () =>
    Effect.gen(function* () {
      const { components, seen } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const folder = folderOf()
      const inputs = { texts: ["fail first", "b", "break", "multi\nline"] }
      const first = yield* recorded(pipeline, folder, inputs)
      assert.strictEqual(first.result.status, "succeeded", first.result.failure?.message)
      const happened = { ...seen }
      assert.isAbove(happened.tools, 4)
      const again = yield* replayed(pipeline, folder, inputs)
      assert.deepStrictEqual(seen, happened)
      assert.deepStrictEqual(timeless(again.result), timeless(first.result))
      const told = (events: typeof first.events) =>
        events.map((event) => JSON.stringify(timeless({ ...event, seq: 0 }))).toSorted()
      assert.deepStrictEqual(told(again.events), told(first.events))
      assert.deepStrictEqual(Object.keys(files(folder)), [
        "cassette.yaml",
        "each[0].yaml",
        "each[1].yaml",
        "each[2].yaml",
        "each[3].yaml",
        "last.yaml",
      ])
      assert.include(files(folder)["each[3].yaml"], "text: |-\n        about multi\n        line\n")
    }),
  )

  it.live("that is recorded again gives the same files, byte by byte", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 4 }),
          fc.string({ unit: "grapheme", maxLength: 30 }),
          (texts, reply) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const { components } = world((text) => `${reply}${text}`)
                  const { pipeline } = yield* workflowOf(body, components)
                  const [one, two] = [folderOf(), folderOf()]
                  const inputs = { texts: texts.map((text) => text.toWellFormed()) }
                  const first = yield* recorded(pipeline, one, inputs)
                  const again = yield* replayed(pipeline, one, inputs)
                  assert.deepStrictEqual(timeless(again.result), timeless(first.result))
                  // What answers from the recording is recorded again.
                  const player = yield* replayCassette(one)
                  const recorder = yield* recordCassette(two, "test")
                  yield* collect(pipeline, inputs, {
                    cassette: {
                      ...recorder,
                      call: (call, live) => recorder.call(call, player.call(call, live)),
                    },
                    journal: impatient,
                  })
                  assert.deepStrictEqual(files(two), files(one))
                }),
              ),
            ),
        ),
        { numRuns: cases(10, 3) },
      ),
    ),
  )
})

describe("a recording", () => {
  it.live("that is there stays as it was when the run that was to replace it is cancelled", () =>
    Effect.gen(function* () {
      const { components } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const folder = folderOf()
      yield* recorded(pipeline, folder, { texts: ["one"] })
      const before = files(folder)
      const again = yield* recordCassette(folder, pipeline.name)
      yield* again.save(true)
      assert.deepStrictEqual(files(folder), before)
      const fresh = folderOf()
      const first = yield* recordCassette(fresh, pipeline.name)
      yield* first.save(true)
      assert.deepStrictEqual(Object.keys(files(fresh)), ["cassette.yaml"])
    }),
  )

  it.live("holds no secret, and is compared without it", () =>
    Effect.gen(function* () {
      const { components } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const folder = folderOf()
      const inputs = { texts: ["the key is hunter22"] }
      yield* recorded(pipeline, folder, inputs)
      assert.notInclude(JSON.stringify(files(folder)), "hunter22")
      assert.include(files(folder)["each[0].yaml"], "the key is [secret]")
      const { result } = yield* replayed(pipeline, folder, inputs)
      assert.strictEqual(result.status, "succeeded", result.failure?.message)
    }),
  )

  it.live(
    "that is stale is an error that shows what differs, whatever the stage does about it",
    () =>
      Effect.gen(function* () {
        const { components } = world()
        const { pipeline } = yield* workflowOf(body, components)
        const folder = folderOf()
        yield* recorded(pipeline, folder, { texts: ["north"] })
        const { result } = yield* replayed(pipeline, folder, { texts: ["south"] })
        assert.strictEqual(result.status, "failed")
        assert.include(
          result.failure!.message,
          `model:1:near:a of each[0] asks something else than when it was recorded`,
        )
        assert.include(result.failure!.message, "-     content: north\n+     content: south")
      }),
  )

  it.live(
    "without a call that is made is an error that names it, and so is a call that is not made",
    () =>
      Effect.gen(function* () {
        const { components } = world()
        const { pipeline } = yield* workflowOf(body, components)
        const folder = folderOf()
        yield* recorded(pipeline, folder, { texts: ["a", "b"] })
        const more = yield* replayed(pipeline, folder, { texts: ["a", "b", "c"] })
        assert.include(
          more.result.failure!.message,
          "has no recording of now:1 of each[2]; nothing of each[2] was recorded",
        )
        const less = yield* replayed(pipeline, folder, { texts: ["a"] })
        assert.include(
          less.result.failure!.message,
          "the run did not make the call model:1:near:a of each[1]",
        )
      }),
  )

  it.live("names calls readably, and is found by the names it once gave them", () =>
    Effect.gen(function* () {
      const { components } = world((text) => (text.includes("again") ? "[]" : `about ${text}`))
      const both = stageKind<{ readonly text: string }>({
        id: "both",
        summary: "Asks a model, or measures.",
        input: { type: "object", properties: { text: { type: "string" } } },
        output: { type: "string" },
        model: ({ text }, { model, step }) =>
          Effect.gen(function* () {
            yield* step("first", Effect.succeed(1))
            const { text: reply } = yield* model.text({
              messages: [{ role: "user", content: text }],
            })
            return reply === "[]"
              ? yield* new ModelFailed({ class: "unavailable", model: "near/a", message: "gone" })
              : reply
          }),
        mechanical: ({ text }, { step }) => step("first", Effect.succeed(text)),
      })
      const { pipeline } = yield* workflowOf(
        `inputs: { texts: { type: array } }
models: { any: { try: [near/a], otherwise: mechanical } }
stages: [{ id: a, uses: both, model: any, with: { text: again }, retry: { max_retries: 1, delay: 1s } }]
`,
        { ...components, stages: [both] },
      )
      const folder = folderOf()
      const { result } = yield* recorded(pipeline, folder, { texts: [] })
      assert.strictEqual(result.status, "succeeded", result.failure?.message)
      const text = files(folder)["a.yaml"]!
      const names = [
        ["step:first", "model:1/step:first"],
        ["model:1:near:a", "model:1/model:1:near:a"],
        ["attempt:2/step:first", "model:2/step:first"],
        ["attempt:2/model:1:near:a", "model:2/model:1:near:a"],
        ["mechanical/step:first", "mechanical:1/step:first"],
      ] as const
      assert.sameMembers(
        [...text.matchAll(/call: (\S+)/g)].map(([, name]) => name),
        names.map(([name]) => name),
      )
      const before = names.reduce(
        (all, [name, once]) => all.replace(`call: ${name}\n`, `call: ${once}\n`),
        text,
      )
      assert.include(before, "call: model:2/model:1:near:a\n")
      writeFileSync(join(folder, "a.yaml"), before)
      const again = yield* replayed(pipeline, folder, { texts: [] })
      assert.strictEqual(again.result.status, "succeeded", again.result.failure?.message)
      assert.deepStrictEqual(timeless(again.result), timeless(result))
    }),
  )

  it.live("replaces the one before, and never anything else", () =>
    Effect.gen(function* () {
      const { components } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const folder = folderOf()
      yield* recorded(pipeline, folder, { texts: ["a", "b"] })
      yield* recorded(pipeline, folder, { texts: ["a"] })
      assert.deepStrictEqual(Object.keys(files(folder)), [
        "cassette.yaml",
        "each[0].yaml",
        "last.yaml",
      ])
      const other = folderOf()
      writeFileSync(join(other, "thesis.md"), "years of work")
      const failure = yield* Effect.flip(recordCassette(other, "test"))
      assert.include(failure.message, "holds something else")
      const missing = yield* Effect.flip(replayCassette(other))
      assert.include(missing.message, "there is no recording")
      writeFileSync(join(folder, "last.yaml"), "calls: [{ call: x }]")
      assert.strictEqual((yield* Effect.flip(replayCassette(folder))).reason, "corrupt")
    }),
  )

  it.live("that broke off while it was written is not replayed, and the next one replaces it", () =>
    Effect.gen(function* () {
      const { components } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const folder = folderOf()
      const cassette = yield* recordCassette(folder, "test")
      // A folder in the place of a stage's file: the file before it is written, this one is not.
      mkdirSync(join(folder, "last.yaml"))
      const unsaved = yield* Effect.flip(
        Effect.andThen(
          collect(pipeline, { texts: ["a"] }, { cassette, journal: impatient }),
          cassette.save(false),
        ),
      )
      assert.include(String(unsaved), "cannot be written")
      const failure = yield* Effect.flip(replayCassette(folder))
      assert.include(failure.message, "broke off while it was written")
      rmdirSync(join(folder, "last.yaml"))
      yield* recorded(pipeline, folder, { texts: [] })
      assert.deepStrictEqual(Object.keys(files(folder)), ["cassette.yaml", "last.yaml"])
      yield* replayed(pipeline, folder, { texts: [] })
    }),
  )

  it.live.each<readonly [string, string]>([
    ["", "1 is no recording: it is empty"],
    ["garbage\n", "1 is no recording: it is not a mapping"],
    ["stage: last\n", "1 is no recording: it has no list `calls`"],
    ["stage: last\ncalls:\n  - gave: 1\n", "3 is no recording: a call has a name under `call`"],
    [
      "calls:\n  - call: a\n    gave: 1\n\n  - call: b\n",
      "5 is no recording: b says neither what it `gave` nor how it `failed`",
    ],
    ["calls: [\n", "at line 2, column 1"],
  ])("says of the file %j where and why it is none", ([text, said]) =>
    Effect.gen(function* () {
      const { components } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const folder = folderOf()
      yield* recorded(pipeline, folder, { texts: [] })
      writeFileSync(join(folder, "last.yaml"), text)
      const failure = yield* Effect.flip(replayCassette(folder))
      assert.include(failure.message, join(folder, "last.yaml"))
      assert.include(failure.message, said)
    }),
  )
})

describe("YAML text", () => {
  it("is read as it was written, whatever the text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const data = JSON.parse(JSON.stringify({ value, text: text.toWellFormed() })) as Json
        assert.deepStrictEqual(fromYaml(toYaml(data)), data)
      }),
      { numRuns: cases(500) },
    )
  })
})
