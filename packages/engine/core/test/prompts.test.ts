/** What a model reads: the sections and tools that a prompt, its mode and the stage kind select. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  stageKind,
  type Ask,
  type JsonObject,
  type ModelRequest,
  type Provider,
  type RunEvent,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "../src/run/run.ts"

const tool = (name: string, group?: string): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties: { at: { type: "string" }, count: { type: "integer" } } },
  ...(group === undefined ? {} : { group }),
})

const source: ToolSource = {
  id: "tools",
  summary: "Tools of a test.",
  list: Effect.succeed({
    tools: [tool("rate", "rates"), tool("quote", "rates"), tool("to_support")],
  }),
  call: () => Effect.succeed({ value: null }),
}

/** Runs one stage whose kind asks as `ask` says, and returns the request and the events. */
const requested = (
  head: string,
  ask: Omit<Ask, "messages">,
  prompt = "{ use: planner, mode: full }",
  inputs: JsonObject = {},
) =>
  Effect.gen(function* () {
    const requests: Array<ModelRequest> = []
    const events: Array<RunEvent> = []
    const provider: Provider = {
      id: "scripted",
      summary: "Keeps its requests.",
      generate: (request) =>
        Effect.sync(() => {
          requests.push(request)
          return {
            text: "ok",
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage: { input: 1, output: 1 },
          }
        }),
    }
    const asks = stageKind({
      id: "asks",
      summary: "Asks its model.",
      input: { type: "object", properties: {} },
      output: { type: "string" },
      vars: { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] },
      model: (_, { model }) =>
        Effect.map(
          model.text({ ...ask, messages: [{ role: "user", content: "Hello" }] }),
          ({ text }) => text,
        ),
    })
    const folder = mkdtempSync(join(tmpdir(), "planloom-prompt-"))
    mkdirSync(join(folder, "prompts"))
    const files = {
      base: "You are Ada.\n",
      person: "The user is ${{ inputs.name }}.",
      planner: "Plan it.",
      other: "Answer ${{ vars.tone }}.",
      broken: "${{ inputs.list[3] }}",
      misnamed: "${{ tools.cards({'grup': 'rates'}) }}",
      named: "${{ tools.cards({'group': 'rates', 'max_tokens': 30}) }}",
    }
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, "prompts", `${name}.md`), text)
    }
    const path = join(folder, "workflow.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: prompts
inputs:
  name: { type: string, default: Bo }
  mode: { type: string, default: full }
  list: { type: array, items: { type: string }, default: [] }
prompts: { base: prompts/base.md, person: prompts/person.md, planner: prompts/planner.md, other: prompts/other.md, broken: prompts/broken.md, named: prompts/named.md, misnamed: prompts/misnamed.md }
${head}
stages:
  - { id: one, uses: asks, model: scripted/one, prompt: ${prompt} }
outputs: { text: { type: string, value: "\${{ stages.one.output }}" } }
`,
    )
    const { pipeline } = yield* load(path, {
      extraPlugins: [
        definePlugin({
          id: "test",
          summary: "Test.",
          components: { stages: [asks], providers: [provider], tools: [source] },
        }),
      ],
    })
    const exit = yield* Effect.exit(
      run(pipeline, inputs, { onEvent: (event) => events.push(event) }),
    )
    const failed = events.find((event) => event.type === "StageFailed")
    return {
      exit,
      events,
      request: requests[0],
      failure: failed?.type === "StageFailed" ? failed.failure.message : undefined,
    }
  })

const modes = `modes:
  brief: { sections: [task] }
  full: { sections: [base, task, person] }
  hop: { sections: [task], tools: navigation }
  rates: { sections: [task], tools: [rates] }
  tight: { sections: [base, task], max_tokens: 4 }
  lazy: { sections: [task], tools: { load: lazy } }
  tools: { sections: [base, tools, task] }
  some: { sections: [tools], tools: [quote] }
  cut: { sections: [base, task, person], max_tokens: 9, truncate: [person, task] }`

it.effect("sections without expressions are one block that a provider may keep", () =>
  Effect.gen(function* () {
    const sections = [{ id: "rule", text: "Be kind.", stable: true }]
    const { request } = yield* requested(modes, { prompt: { sections } })
    assert.deepStrictEqual(request?.system, [
      { text: "You are Ada.\n\nPlan it.", cache: true },
      { text: "The user is Bo." },
      { text: "Be kind." },
    ])
  }),
)

it.effect("a stage kind chooses prompt, mode and variables for one call", () =>
  Effect.gen(function* () {
    const prompt = { use: "other", mode: "brief", vars: { tone: "calmly" } }
    const { request } = yield* requested(modes, { prompt })
    assert.deepStrictEqual(request?.system, [{ text: "Answer calmly." }])
  }),
)

it.effect("a variable that a prompt reads but no one gives fails the call by name", () =>
  Effect.gen(function* () {
    const { failure, request } = yield* requested(modes, {
      prompt: { use: "other", mode: "brief" },
    })
    assert.isUndefined(request)
    assert.match(failure!, /^the section "task" of the prompt \(.*other\.md\) cannot be evaluated/)
  }),
)

it.effect("an expression that fails in a prompt is a failure of the workflow, not a defect", () =>
  Effect.gen(function* () {
    const { events, failure } = yield* requested(modes, {
      prompt: { use: "broken", mode: "brief" },
    })
    assert.include(failure!, 'the section "task" of the prompt')
    const ended = events.find((event) => event.type === "StageFailed")
    assert.strictEqual(ended?.type === "StageFailed" && ended.failure.class, "invalid_request")
  }),
)

it.effect("a prompt that the workflow does not declare fails the call", () =>
  Effect.gen(function* () {
    const { failure } = yield* requested(modes, { prompt: { use: "nothing" } })
    assert.strictEqual(failure, 'there is no prompt "nothing"')
  }),
)

const noted = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) =>
    event.type === "Noted" ? [{ data: event.data, text: event.text }] : [],
  )

it.effect("an unknown mode falls back to full with a warning event", () =>
  Effect.gen(function* () {
    const { events, request } = yield* requested(modes, { prompt: { mode: "fancy" } })
    assert.strictEqual(request?.system[0]?.text, "You are Ada.\n\nPlan it.")
    assert.deepStrictEqual(noted(events), [
      {
        data: { mode: "fancy", used: "full" },
        text: 'there is no prompt mode "fancy"; "full" is used',
      },
    ])
  }),
)

it.effect("an unknown mode falls back to full in a workflow that declares no such mode", () =>
  Effect.gen(function* () {
    const declared = "modes: { brief: { sections: [base] } }"
    const { events, request } = yield* requested(
      declared,
      { prompt: { mode: "fancy" } },
      "{ use: planner, mode: brief }",
    )
    assert.deepStrictEqual(request?.system, [{ text: "Plan it.", cache: true }])
    assert.deepStrictEqual(noted(events)[0]?.data, { mode: "fancy", used: "full" })
  }),
)

it.effect(
  "a prompt longer than its mode allows fails, without counting the stage kind's part",
  () =>
    Effect.gen(function* () {
      const sections = [{ id: "rule", text: "word ".repeat(200), stable: true }]
      const tight = "{ use: planner, mode: tight }"
      const { failure } = yield* requested(modes, { prompt: { sections } }, tight)
      assert.strictEqual(failure, 'the prompt "planner" has about 5 tokens, its mode allows 4')
    }),
)

it.effect(
  "a prompt that a mode shortens says so in an event, with the tokens of each section",
  () =>
    Effect.gen(function* () {
      const { events, request } = yield* requested(modes, { prompt: { mode: "cut" } }, undefined, {
        name: "Bartholomew",
      })
      assert.deepStrictEqual(request?.system, [
        { text: "You are Ada.\n\nPlan it.", cache: true },
        { text: "The user is …" },
      ])
      assert.deepStrictEqual(noted(events), [
        {
          data: { mode: "cut", cuts: [{ section: "person", from: 6, to: 4 }] },
          text: 'the prompt is shortened for mode "cut": person from 6 to 4 tokens',
        },
      ])
    }),
)

const offers: Ask["tools"] = ["rate", "quote", { tool: "to_support", form: "schema", ends: true }]
const declared = (request: ModelRequest | undefined) => request?.tools?.map(({ name }) => name)

it.effect("tools are offered by name, with the summary and parameters of the tool", () =>
  Effect.gen(function* () {
    const { request } = yield* requested(modes, { tools: ["rate"] })
    assert.deepStrictEqual(request?.tools, [
      { name: "rate", description: "Does rate.", parameters: tool("rate").params },
    ])
  }),
)

it.effect("a tool that the workflow does not have fails the call", () =>
  Effect.gen(function* () {
    const { failure, request } = yield* requested(modes, { tools: ["rates"] })
    assert.isUndefined(request)
    assert.strictEqual(failure, 'the stage offers a tool "rates", which the workflow does not have')
  }),
)

it.effect("the mode's tools select among the offers", () =>
  Effect.gen(function* () {
    const inMode = (mode: string) =>
      Effect.map(requested(modes, { tools: offers, prompt: { mode } }), ({ request }) =>
        declared(request),
      )
    assert.deepStrictEqual(yield* inMode("full"), ["rate", "quote", "to_support"])
    assert.deepStrictEqual(yield* inMode("hop"), ["to_support"])
    assert.deepStrictEqual(yield* inMode("rates"), ["rate", "quote"])
    const task = "modes: { full: { sections: [task], tools: task } }"
    const { request } = yield* requested(task, { tools: offers })
    assert.deepStrictEqual(declared(request), ["rate", "quote"])
    const none = yield* requested("modes: { full: { sections: [task], tools: none } }", {
      tools: offers,
    })
    assert.isUndefined(none.request?.tools)
  }),
)

it.effect("a lazy mode declares its tools to a model that is in no tool loop", () =>
  Effect.gen(function* () {
    const { request } = yield* requested(modes, { tools: offers, prompt: { mode: "lazy" } })
    assert.deepStrictEqual(declared(request), ["rate", "quote", "to_support"])
    assert.deepStrictEqual(request?.system, [{ text: "Plan it.", cache: true }])
  }),
)

it.effect("a tool of form index is one line of the prompt and is not declared", () =>
  Effect.gen(function* () {
    const { request } = yield* requested(modes, {
      tools: [{ tool: "rate", form: "index" }, "quote"],
      prompt: { mode: "brief" },
    })
    assert.deepStrictEqual(declared(request), ["quote"])
    assert.deepStrictEqual(request?.system, [
      { text: "Plan it.", cache: true },
      { text: "Tools:\n- rate(at, count): Does rate.", cache: true },
    ])
  }),
)

it.effect("a prompt that a stage kind refers to is checked like the prompt of the stage", () =>
  Effect.gen(function* () {
    const names = stageKind<{ readonly prompt: string }>({
      id: "names",
      summary: "Names a prompt.",
      input: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
      output: { type: "string" },
      refers: ({ prompt }) => [{ to: "prompt", id: String(prompt), at: ["prompt"] }],
      run: () => Effect.succeed(""),
    })
    const folder = mkdtempSync(join(tmpdir(), "planloom-prompt-"))
    writeFileSync(join(folder, "wrong.md"), "Hello ${{ inputs.nam }}.")
    const path = join(folder, "workflow.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: names
inputs: { name: { type: string } }
prompts: { wrong: wrong.md }
stages: [{ id: one, uses: names, with: { prompt: wrong } }]
`,
    )
    const plugin = definePlugin({ id: "test", summary: "Test.", components: { stages: [names] } })
    const failure = yield* Effect.flip(load(path, { extraPlugins: [plugin] }))
    assert.deepStrictEqual(
      failure.diagnostics.flatMap(({ code, severity }) => (severity === "error" ? [code] : [])),
      ["PL1201"],
    )
    assert.notInclude(
      failure.diagnostics.map(({ code }) => code),
      "PL2012",
    )
  }),
)

it.effect("a prompt names the tools of the workflow, whether or not its stage offers any", () =>
  Effect.gen(function* () {
    const { request } = yield* requested(modes, {}, "{ use: named }")
    assert.deepStrictEqual(request?.system, [
      {
        text: "- quote(at: string, count: integer): Does quote.\n- rate(at: string, count: integer): Does rate.",
        cache: true,
      },
    ])
    assert.isUndefined(request?.tools)
  }),
)

it.effect(
  "the section `tools` names those that the mode lets through, in a block that a provider may keep",
  () =>
    Effect.gen(function* () {
      const all = yield* requested(modes, {}, "{ use: planner, mode: tools }")
      assert.deepStrictEqual(all.request?.system, [
        { text: "You are Ada.", cache: true },
        {
          text: "Tools:\n- quote(at: string, count: integer): Does quote.\n- rate(at: string, count: integer): Does rate.\n- to_support(at: string, count: integer): Does to_support.",
          cache: true,
        },
        { text: "Plan it.", cache: true },
      ])
      const some = yield* requested(modes, {}, "{ use: planner, mode: some }")
      assert.deepStrictEqual(some.request?.system, [
        { text: "Tools:\n- quote(at: string, count: integer): Does quote.", cache: true },
      ])
    }),
)

it.effect("an option that cards() does not have is reported", () =>
  Effect.gen(function* () {
    const found = yield* Effect.flip(requested(modes, {}, "{ use: misnamed }"))
    assert.include(found.message, 'cards() has no option "grup"')
  }),
)
