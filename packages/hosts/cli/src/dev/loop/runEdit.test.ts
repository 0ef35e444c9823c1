/** Runs of the edit loop: which calls are made again after an edit, and that the result is that of a full run. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  hook,
  ModelFailed,
  stageKind,
  type Components,
  type Json,
  type JsonObject,
  type Provider,
  type ToolSource,
} from "@planloom/plugin/effect"
import { workflowOf } from "../../../../../engine/core/test/inline.ts"
import { CallMemory } from "./CallMemory.ts"
import { compareRuns } from "./compareRuns.ts"
import { runEdit, type EditOptions } from "./runEdit.ts"

/** Models, tools and steps that count what really happens. */
const world = () => {
  const seen: Array<string> = []
  const fails = new Set<string>()
  const provider: Provider = {
    id: "near",
    summary: "Answers in capitals.",
    generate: ({ messages, system }) =>
      Effect.suspend(() => {
        const [text = "", ...more] = [...system.map((one) => one.text), messages.at(-1)?.content]
          .map(String)
          .toReversed()
        seen.push(`model ${text}`)
        return fails.delete(text)
          ? Effect.fail(new ModelFailed({ class: "rate_limit", model: "near/a", message: "slow" }))
          : Effect.succeed({
              text: text.includes("constant") ? "same" : [text, ...more].join(" ").toUpperCase(),
              reasoning: "",
              toolCalls: [],
              finish: "stop" as const,
              usage: { input: 5, output: 7 },
            })
      }),
  }
  const tools: ToolSource = {
    id: "tools",
    summary: "Reads and writes.",
    list: Effect.succeed({
      tools: ["look", "save", "open"].map((name) => ({
        name,
        summary: `Does ${name}.`,
        capabilities: [],
        inputs: {},
        params: { type: "object" },
        outputs: ["text"],
        effect: name === "save" ? ("write" as const) : ("read" as const),
        needs_approval: name === "open",
      })),
    }),
    call: ({ params, tool }) =>
      Effect.sync(() => {
        seen.push(`${tool} ${String(params["text"])}`)
        return { value: `${tool} ${String(params["text"])}` }
      }),
  }
  const ask = stageKind<{ readonly text: string }>({
    id: "ask",
    summary: "Asks its model.",
    input: { type: "object", properties: { text: { type: "string" } } },
    output: { type: "string" },
    run: ({ text }, { model }) =>
      Effect.map(
        model.text({ messages: [{ role: "user", content: text }] }),
        (reply) => reply.text,
      ),
  })
  const use = stageKind<{ readonly tool: string; readonly text: string }>({
    id: "use",
    summary: "Calls a tool.",
    input: {
      type: "object",
      properties: { tool: { type: "string" }, text: { type: "string" } },
    },
    output: true,
    run: ({ text, tool }, { callTool }) => callTool({ tool, params: { text }, key: "1" }),
  })
  const step = stageKind<{ readonly text: string }>({
    id: "draw",
    summary: "Draws an id and makes a step.",
    input: { type: "object", properties: { text: { type: "string" } } },
    output: true,
    run: ({ text }, context) =>
      Effect.gen(function* () {
        const drawn = yield* context.id
        const { text: reply } = yield* context.model.text({
          messages: [{ role: "user", content: text }],
        })
        const stepped = yield* context.step(
          "outside",
          Effect.sync(() => {
            seen.push(`step ${reply}`)
            return reply
          }),
        )
        return { drawn, stepped }
      }),
  })
  const question = stageKind<{ readonly text: string }>({
    id: "question",
    summary: "Asks a person.",
    input: { type: "object", properties: { text: { type: "string" } } },
    output: true,
    run: ({ text }, context) => Effect.map(context.ask({ message: text }), ({ value }) => value),
  })
  const polite = hook({
    id: "polite",
    summary: "Adds a word.",
    point: "before_model",
    kind: "transform",
    input: { type: "object", properties: { word: { type: "string" } } },
    run: ({ messages }, { with: options }) => ({
      messages: [
        ...messages.slice(0, -1),
        {
          role: "user" as const,
          content: `${String(messages.at(-1)!.content)} ${String(options["word"])}`,
        },
      ],
    }),
  })
  const components: Components = {
    providers: [provider],
    tools: [tools],
    stages: [ask, use, step, question],
    hooks: [polite],
  }
  return { seen, fails, components }
}

type World = ReturnType<typeof world>

/** Edits of one workflow: each run makes only the calls that no earlier one made. */
const editing = ({ components, seen }: World, more: Partial<EditOptions> = {}) => {
  const memory = new CallMemory()
  const answers = new Map<string, Json>()
  return (
    body: string,
    inputs: JsonObject = {},
    again: Partial<EditOptions> = {},
    texts: ReadonlyMap<string, string> = new Map(),
  ) =>
    Effect.gen(function* () {
      const loaded = yield* workflowOf(body, components)
      seen.length = 0
      const options = {
        memory,
        answers,
        code: "",
        version: () => "",
        mayWrite: () => Effect.succeed(false),
        ...more,
        ...again,
      }
      const edit = yield* runEdit(loaded, inputs, options, texts, [])
      return { ...edit, seen: seen.toSorted() }
    })
}

/** What two runs must have in common. */
const essence = ({
  result,
}: {
  readonly result: Effect.Success<ReturnType<typeof runEdit>>["result"]
}) => ({
  status: result.status,
  outputs: result.outputs,
  failure: result.failure?.message,
  usage: result.usage,
  stages: Object.fromEntries(
    Object.entries(result.stages).map(([path, { ms: _, ...stage }]) => [path, stage]),
  ),
})

const three = (first: string, second: string) => `
defaults: { model: near/a }
stages:
  - { id: one, uses: ask, with: { text: ${first} } }
  - { id: two, uses: ask, with: { text: "${second} \${{ stages.one.output }}" } }
  - { id: three, uses: ask, with: { text: "last \${{ stages.two.output }}" } }
outputs: { last: "\${{ stages.three.output }}" }
`

describe("a run after an edit", () => {
  it.effect("makes no call if nothing has changed, and gives the result of a full run", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      const first = yield* edit(three("a", "b"))
      assert.strictEqual(first.seen.length, 3)
      const again = yield* edit(three("a", "b"))
      assert.deepStrictEqual(again.seen, [])
      assert.deepStrictEqual(essence(again), essence(first))
      assert.deepStrictEqual(
        compareRuns(first, again).map(({ work }) => work),
        ["replayed", "replayed", "replayed"],
      )
      assert.strictEqual(again.stages[0]!.spentTokens, 0)
      assert.strictEqual(again.stages[0]!.tokens, 12)
    }),
  )

  it.effect("makes the calls of the edited stage and of those that read a changed output", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      const first = yield* edit(three("a", "b"))
      const again = yield* edit(three("a", "c"))
      assert.deepStrictEqual(again.seen, ["model c A", "model last C A"])
      const [one, two, last] = compareRuns(first, again)
      assert.deepStrictEqual([one!.work, two!.work, last!.work], ["replayed", "ran", "ran"])
      assert.deepStrictEqual(two!.parts, [
        {
          call: "model:1",
          part: "message 1 user",
          source: undefined,
          before: "b A",
          after: "c A",
          hooks: [],
        },
      ])
      const full = yield* editing(world())(three("a", "c"))
      assert.deepStrictEqual(essence(again), essence(full))
    }),
  )

  it.effect("stops at a stage that gives the same output as before", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      yield* edit(three("a", "constant 1"))
      const again = yield* edit(three("a", "constant 2"))
      assert.deepStrictEqual(again.seen, ["model constant 2 A"])
    }),
  )

  it.effect("makes no call if the edit is undone", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      yield* edit(three("a", "b"))
      yield* edit(three("a", "c"))
      assert.deepStrictEqual((yield* edit(three("a", "b"))).seen, [])
    }),
  )

  it.effect(
    "asks only for new items of a list, wherever they stand, and not for a renamed stage",
    () =>
      Effect.gen(function* () {
        const edit = editing(world())
        const each = (id: string) => `
inputs: { texts: { type: array, items: { type: string } } }
defaults: { model: near/a }
stages:
  - { id: ${id}, uses: ask, for_each: { in: inputs.texts, as: text, max_parallel: 3 }, with: { text: "\${{ text }}" } }
outputs: { all: "\${{ stages.${id}.output }}" }
`
        yield* edit(each("each"), { texts: ["a", "b"] })
        const more = yield* edit(each("each"), { texts: ["new", "a", "b"] })
        assert.deepStrictEqual(more.seen, ["model new"])
        assert.deepStrictEqual(more.result.outputs, { all: ["NEW", "A", "B"] })
        assert.deepStrictEqual((yield* edit(each("every"), { texts: ["a", "b"] })).seen, [])
      }),
  )

  it.effect("runs hooks, and makes the calls that a changed hook changes", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      const hooked = (word: string) => `
use: { plugins: ["@planloom/hooks"] }
defaults: { model: near/a }
stages:
  - { id: one, uses: ask, with: { text: a } }
  - { id: two, uses: ask, with: { text: b }, hooks: [{ use: polite, with: { word: ${word} } }] }
`
      const first = yield* edit(hooked("please"))
      assert.deepStrictEqual(first.result.failure, undefined)
      assert.deepStrictEqual(first.seen, ["model a", "model b please"])
      assert.deepStrictEqual((yield* edit(hooked("please"))).seen, [])
      const again = yield* edit(hooked("kindly"))
      assert.deepStrictEqual(again.seen, ["model b kindly"])
      const [, two] = compareRuns(first, again)
      assert.deepStrictEqual(two!.parts[0]!.hooks, [{ hook: "polite", point: "before_model" }])
    }),
  )

  it.effect("keeps drawn ids, and makes a step again if its stage was answered otherwise", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      const drawing = (text: string) => `
defaults: { model: near/a }
prompts: {}
stages: [{ id: one, uses: draw, with: { text: ${text} } }]
outputs: { one: "\${{ stages.one.output }}" }
`
      const first = yield* edit(drawing("a"))
      const same = yield* edit(drawing("a"))
      assert.deepStrictEqual(same.seen, [])
      assert.deepStrictEqual(same.result.outputs, first.result.outputs)
      const again = yield* edit(drawing("b"))
      assert.deepStrictEqual(again.seen, ["model b", "step B"])
      const drawn = (edited: typeof first) => (edited.result.outputs["one"] as JsonObject)["drawn"]
      assert.strictEqual(drawn(again), drawn(first))
    }),
  )

  it.effect("calls a tool again if its code has changed, and an installed one not", () =>
    Effect.gen(function* () {
      const edit = editing(world())
      const looking = `stages: [{ id: one, uses: use, with: { tool: look, text: a } }]`
      yield* edit(looking)
      assert.deepStrictEqual((yield* edit(looking)).seen, [])
      assert.deepStrictEqual((yield* edit(looking, {}, { version: () => "2" })).seen, ["look a"])
    }),
  )

  it.effect(
    "calls a tool again if the config of its plugin has changed, and of another one not",
    () =>
      Effect.gen(function* () {
        const edit = editing(world())
        const looking = `stages: [{ id: one, uses: use, with: { tool: look, text: a } }]`
        const project = (plugin: string, at: number) =>
          new Map([["/project/planloom.yaml", `plugins: { ${plugin}: { at: ${at} } }`]])
        yield* edit(looking, {}, {}, project("test", 1))
        assert.deepStrictEqual((yield* edit(looking, {}, {}, project("test", 1))).seen, [])
        assert.deepStrictEqual((yield* edit(looking, {}, {}, project("test", 2))).seen, ["look a"])
        yield* edit(looking, {}, {}, project("other", 1))
        assert.deepStrictEqual((yield* edit(looking, {}, {}, project("other", 2))).seen, [])
      }),
  )

  it.effect("asks a question once, and keeps the answer until memory is cleared", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const edit = editing(world(), {
        answer: ({ message }) =>
          Effect.sync(() => {
            asked.push(message)
            return { approved: true }
          }),
      })
      const asking = (message: string) => `
stages: [{ id: one, uses: question, with: { text: ${message} } }]
outputs: { one: "\${{ stages.one.output }}" }
`
      const first = yield* edit(asking("May I?"))
      assert.deepStrictEqual(first.result.outputs, { one: { approved: true } })
      assert.deepStrictEqual(essence(yield* edit(asking("May I?"))), essence(first))
      yield* edit(asking("Really?"))
      assert.deepStrictEqual(asked, ["May I?", "Really?"])
    }),
  )
})

describe("an approval", () => {
  it.effect("is given once for the same call, and asked for again for another one", () =>
    Effect.gen(function* () {
      const asked: Array<Json> = []
      const edit = editing(world(), {
        answer: ({ fields = [] }) =>
          Effect.sync(() => {
            asked.push(fields[0]?.value ?? null)
            return { approved: true }
          }),
      })
      const opening = (text: string) =>
        `stages: [{ id: one, uses: use, with: { tool: open, text: ${text} } }]`
      for (const text of ["a", "a", "b"]) yield* edit(opening(text))
      assert.deepStrictEqual(asked, ["a", "b"])
    }),
  )
})

describe("a tool that changes something", () => {
  const saving = (text: string) => `
stages: [{ id: one, uses: use, with: { tool: save, text: ${text} } }]
outputs: { one: "\${{ stages.one.output }}" }
`

  it.effect("is not called without permission", () =>
    Effect.gen(function* () {
      const { result, seen } = yield* editing(world())(saving("a"))
      assert.deepStrictEqual(seen, [])
      assert.include(result.failure?.message, '"save" changes something')
    }),
  )

  it.effect("is called once for the same request, and asks again for another one", () =>
    Effect.gen(function* () {
      const asked: Array<Json> = []
      const edit = editing(world(), {
        mayWrite: ({ params }) => Effect.sync(() => asked.push(params["text"]!) > 0),
      })
      assert.deepStrictEqual((yield* edit(saving("a"))).seen, ["save a"])
      assert.deepStrictEqual((yield* edit(saving("a"))).seen, [])
      assert.deepStrictEqual((yield* edit(saving("b"))).seen, ["save b"])
      assert.deepStrictEqual(asked, ["a", "b"])
    }),
  )
})

describe("a call that failed", () => {
  const trying = `
defaults: { model: near/a }
stages:
  - { id: one, uses: ask, with: { text: a }, retry: { max_retries: 1, delay: 1ms, on: [rate_limit] } }
  - { id: two, uses: ask, with: { text: b } }
outputs: { one: "\${{ stages.one.output }}" }
`

  it.live("is answered with its failure if its stage succeeded in the end", () =>
    Effect.gen(function* () {
      const made = world()
      const edit = editing(made)
      made.fails.add("a")
      const first = yield* edit(trying)
      assert.deepStrictEqual(first.seen, ["model a", "model a", "model b"])
      const again = yield* edit(trying)
      assert.deepStrictEqual(again.seen, [])
      assert.deepStrictEqual(essence(again), essence(first))
    }),
  )

  it.live("is made again if its stage failed, and the calls before it are not", () =>
    Effect.gen(function* () {
      const made = world()
      const edit = editing(made)
      made.fails.add("b")
      const first = yield* edit(trying)
      assert.strictEqual(first.result.status, "failed")
      const again = yield* edit(trying)
      assert.deepStrictEqual(again.seen, ["model b"])
      assert.strictEqual(again.result.status, "succeeded")
    }),
  )
})
