/** Documents: texts that tools give to expressions and to prompts. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { run } from "@planloom/core"
import { estimateRun } from "../../estimate/src/index.ts"
import { artefactOf, checkWorkflow } from "@planloom/language"
import {
  definePlugin,
  stageKind,
  ToolFailed,
  type Json,
  type JsonObject,
  type ModelReply,
  type ModelRequest,
  type RunEvent,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { cases } from "../../../../.config/cases.ts"
import {
  emptyRecording,
  recordingJournal,
  type Recording,
} from "../../core/src/run/journal/journals.ts"
import { stageChanges } from "@planloom/record/reset"
import { openArtefact } from "./artefact.ts"
import { check, load } from "./Workflow.ts"

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: `Gives ${name}.`,
  capabilities: [],
  inputs: {},
  params: {
    type: "object",
    properties: { uri: { type: "string" } },
    required: ["uri"],
    additionalProperties: false,
  },
  outputs: [],
  effect: "read",
  ...more,
})

/** A shelf whose texts are given by `read`; asks of a model answer with the tools `turns` times before the text. */
const world = (read: (params: JsonObject, count: number) => Json | ToolFailed, turns = 0) => {
  const called: Array<JsonObject> = []
  const requests: Array<ModelRequest> = []
  const source: ToolSource = {
    id: "shelf",
    summary: "A shelf.",
    list: Effect.succeed({
      tools: [
        tool("shelf.read"),
        tool("shelf.prompts.review", { offered: false }),
        tool("shelf.write", { effect: "write" }),
        tool("shelf.ask", { needs_approval: true }),
      ],
    }),
    call: ({ params }) =>
      Effect.suspend(() => {
        called.push(params)
        const value = read(params, called.length)
        return value instanceof ToolFailed ? Effect.fail(value) : Effect.succeed({ value })
      }),
  }
  const generate = (request: ModelRequest) =>
    Effect.sync((): Omit<ModelReply, "model"> => {
      requests.push(request)
      const turn = request.messages.filter(({ role }) => role === "assistant").length
      return {
        text: turn < turns ? "" : "Done.",
        reasoning: "",
        toolCalls:
          turn < turns
            ? [{ id: `${turn}`, name: "shelf.read", arguments: { uri: `of the model ${turn}` } }]
            : [],
        finish: turn < turns ? "tool_calls" : "stop",
        usage: { input: 1, output: 1 },
      }
    })
  const several = stageKind<JsonObject>({
    id: "several",
    summary: "Asks several times at once.",
    input: { type: "object" },
    output: true,
    model: (_, { model }) => {
      const one = model.text({ messages: [{ role: "user", content: "Go on." }] })
      return Effect.as(Effect.all([one, one, one], { concurrency: "unbounded" }), null)
    },
  })
  const plugin = definePlugin({
    id: "test",
    summary: "A shelf and a model.",
    components: {
      tools: [source],
      stages: [several],
      providers: [{ id: "one", summary: "One.", generate }],
    },
  })
  return { called, requests, plugins: [stages, plugin] }
}

const pathOf = (body: string, prompts: { readonly [name: string]: string } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  for (const [name, text] of Object.entries(prompts)) writeFileSync(join(folder, name), text)
  const path = join(folder, "w.yaml")
  writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: test\n${body}`)
  return path
}

interface Options {
  readonly recording?: Recording
  readonly inputs?: JsonObject
  readonly prompts?: { readonly [name: string]: string }
}

const ran = (
  body: string,
  { plugins }: ReturnType<typeof world>,
  { inputs = {}, prompts, recording }: Options = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const events: Array<RunEvent> = []
      const { pipeline } = yield* load(pathOf(body, prompts), { extraPlugins: plugins })
      const { outputs, status, failure } = yield* Effect.catch(
        run(pipeline, inputs, {
          ...(recording && { journal: recordingJournal(recording) }),
          onEvent: (event) => void events.push(event),
        }),
        (error) => Effect.succeed("result" in error ? error.result : (Effect.die(error) as never)),
      )
      return { outputs, status, failure, events }
    }),
  )

const systemOf = ({ system = [] }: ModelRequest): string =>
  system.map(({ text }) => text).join("\n--\n")

const inTask = `
documents:
  guide: { tool: shelf.read, params: { uri: "\${{ inputs.uri }}" } }
inputs: { uri: { type: string, default: a } }
stages:
  - { id: say, uses: set, with: { value: "Of it: \${{ documents.guide }}" } }
outputs: { said: "\${{ stages.say.output }}" }
`

const asSection = `
prompts: { base: base.md }
modes: { full: { sections: [base, review] } }
documents:
  review: { tool: shelf.prompts.review, params: { uri: r } }
defaults: { model: one/any }
stages:
  - id: say
    uses: agent
    prompt: { use: base, mode: full }
    with: { task: Say it., tools: ["shelf.*"], auto_approve: ["shelf.*"] }
outputs: { said: "\${{ stages.say.output.text }}" }
`

const prompts = { "base.md": "Be brief.\n" }

describe("a document", () => {
  it.effect("is a text of an expression", () =>
    Effect.gen(function* () {
      for (const [value, text] of [
        ["plain", "plain"],
        [{ text: "inside", attachments: [] }, "inside"],
        [{ rows: [1, 2] }, '{"rows":[1,2]}'],
      ] as const) {
        const shelf = world(() => value as Json)
        const { outputs } = yield* ran(inTask, shelf, { inputs: { uri: "b" } })
        assert.deepStrictEqual(outputs, { said: `Of it: ${text}` })
        assert.deepStrictEqual(shelf.called, [{ uri: "b" }])
      }
    }),
  )

  it.effect("is the member of the result that `field` names, and nothing else", () =>
    Effect.gen(function* () {
      const body = inTask.replace("} }\ninputs", "}, field: content }\ninputs")
      const shelf = world(() => ({ text: "Ten lines.", content: "the words" }))
      assert.deepStrictEqual((yield* ran(body, shelf)).outputs, { said: "Of it: the words" })
      for (const value of ["text", { text: "x" }, { content: 1 }]) {
        const { failure } = yield* ran(
          body,
          world(() => value as Json),
        )
        assert.strictEqual(failure?.class, "invalid_output")
        assert.include(failure?.message, 'the result of "shelf.read" has no text "content"')
      }
    }),
  )

  it.effect("is a section of a mode, read once however often the model is asked", () =>
    Effect.gen(function* () {
      const shelf = world(({ uri }) => `Text of ${uri}.`, 3)
      const { outputs } = yield* ran(asSection, shelf, { prompts })
      assert.deepStrictEqual(outputs, { said: "Done." })
      assert.deepStrictEqual(shelf.called, [
        { uri: "r" },
        ...[0, 1, 2].map((turn) => ({ uri: `of the model ${turn}` })),
      ])
      assert.deepStrictEqual(
        shelf.requests.map(systemOf),
        Array.from({ length: 4 }, () => "Be brief.\n--\nText of r."),
      )
    }),
  )

  it.effect("offers no tool that only an author names", () =>
    Effect.gen(function* () {
      const shelf = world(() => "x")
      yield* ran(asSection, shelf, { prompts })
      assert.deepStrictEqual(
        shelf.requests[0]!.tools?.map(({ name }) => name),
        ["shelf.read", "shelf.write", "shelf.ask"],
      )
    }),
  )

  it.effect("is read once by asks at the same time", () =>
    Effect.gen(function* () {
      const shelf = world(({ uri }) => `Text of ${uri}.`)
      const body = asSection.replace(/uses: agent/, "uses: several").replace(/with: .*/, "with: {}")
      const { status } = yield* ran(body.replace(/outputs:.*/, ""), shelf, { prompts })
      assert.strictEqual(status, "succeeded")
      assert.strictEqual(shelf.requests.length, 3)
      assert.deepStrictEqual(shelf.called, [{ uri: "r" }])
    }),
  )

  it.effect("is the same text when the run is resumed, and its tool is not called again", () =>
    Effect.gen(function* () {
      for (const body of [inTask, asSection]) {
        const recording = emptyRecording()
        const first = world(() => "as it was")
        const before = yield* ran(body, first, { prompts, recording })
        const later = world(() => "changed")
        const after = yield* ran(body, later, { prompts, recording })
        assert.deepStrictEqual(after.outputs, before.outputs)
        assert.deepStrictEqual(later.called, [])
        assert.deepStrictEqual(later.requests, [])
      }
    }),
  )

  it.live("is read again by a retry if reading it failed", () =>
    Effect.gen(function* () {
      const retried = `${inTask}
policies: { retry: { again: { max_retries: 2, delay: 1ms, on: [unavailable] } } }
`.replace("uses: set,", "uses: set, retry: again,")
      const down = new ToolFailed({ tool: "shelf.read", class: "unavailable", message: "no route" })
      const shelf = world((_, count) => (count < 3 ? down : "there"))
      const { outputs } = yield* ran(retried, shelf)
      assert.deepStrictEqual(outputs, { said: "Of it: there" })
      assert.strictEqual(shelf.called.length, 3)
    }),
  )

  it.effect("fails the stage with the class of its tool", () =>
    Effect.gen(function* () {
      const down = new ToolFailed({ tool: "shelf.read", class: "auth", message: "log in first" })
      for (const body of [inTask, asSection]) {
        const { failure, status } = yield* ran(
          body,
          world(() => down),
          { prompts },
        )
        assert.strictEqual(status, "failed")
        assert.strictEqual(failure?.class, "auth")
        assert.include(failure?.message, "log in first")
      }
    }),
  )

  it.effect("has at most 200,000 characters, none of them invisible, and the rest is noted", () =>
    Effect.gen(function* () {
      const shelf = world(() => `\u202Eevil\u0007${"x".repeat(300_000)}`)
      const { events, outputs } = yield* ran(inTask, shelf)
      const said = String((outputs as JsonObject)["said"])
      assert.strictEqual(said.length, "Of it: ".length + 200_000)
      assert.isTrue(said.startsWith("Of it: evilxxx"))
      const notes = events.flatMap((event) => (event.type === "Noted" ? [event.note] : []))
      assert.deepStrictEqual(notes, ["shortened_document"])
    }),
  )

  it.effect("never brings characters that a reader does not see", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
          const { outputs } = await Effect.runPromise(
            ran(
              inTask,
              world(() => text),
            ),
          )
          const said = String((outputs as JsonObject)["said"])
          assert.notMatch(
            said,
            /[[\p{Cc}\p{Cf}]--[\t\n\r\u0600-\u0605\u06DD\u070F\u08E2\u200C\u200D]]/v,
          )
        }),
        { numRuns: cases(20) },
      ),
    ),
  )
})

describe("a workflow with documents", () => {
  const loaded = (body: string) =>
    load(pathOf(body, prompts), { extraPlugins: world(() => "x").plugins })

  it.effect("is estimated with a call for each document of its `with` and of its prompt", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* loaded(inTask)
        const [given] = (yield* estimateRun(pipeline, {})).stages
        assert.deepStrictEqual(given?.total.toolCalls, { least: 1, most: 1 })
        const once = asSection.replace(
          /with: .*/,
          "with: { task: Say it., tools: [], max_calls: 1 }",
        )
        const section = yield* loaded(once)
        const [prompted] = (yield* estimateRun(section.pipeline, {})).stages
        assert.deepStrictEqual(prompted?.total.toolCalls, { least: 1, most: 2 })
      }),
    ),
  )

  it.effect("is built as an artefact that reads them", () =>
    Effect.gen(function* () {
      const shelf = world(({ uri }) => `Text of ${uri}.`)
      const path = pathOf(asSection, prompts)
      const built = yield* Effect.scoped(
        checkWorkflow(path, { extraPlugins: shelf.plugins }, "check"),
      )
      const artefact = yield* Effect.promise(() =>
        artefactOf({ workflow: built.workflow!, sources: built.sources, folder: join(path, "..") }),
      )
      const { outputs } = yield* Effect.scoped(
        Effect.flatMap(openArtefact(artefact, { extraPlugins: shelf.plugins }), ({ pipeline }) =>
          run(pipeline, {}),
        ),
      )
      assert.deepStrictEqual(outputs, { said: "Done." })
      assert.deepStrictEqual(shelf.requests.map(systemOf), ["Be brief.\n--\nText of r."])
    }),
  )

  it.effect("has a changed stage where a document that the stage reads is another one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const before = yield* loaded(inTask)
        const changed = (body: string) =>
          Effect.map(loaded(body), (after) =>
            stageChanges(before, after).map(({ parts, stage }) => [stage, parts]),
          )
        assert.deepStrictEqual(yield* changed(inTask), [])
        const other = inTask.replace("${{ inputs.uri }}", "other")
        assert.deepStrictEqual(yield* changed(other), [["say", ["with"]]])
      }),
    ),
  )
})

describe("the check of documents", () => {
  const found = (body: string) =>
    Effect.map(
      check(pathOf(body, prompts), { extraPlugins: world(() => "x").plugins }),
      ({ diagnostics }) =>
        diagnostics.map(
          ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
        ),
    )
  const reading = (document: string, value = "${{ documents.guide }}") => `
documents: { guide: ${document} }
stages: [{ id: say, uses: set, with: { value: "${value}" } }]
`

  it.effect.each([
    ["{ tool: shelf.read, params: { uri: a } }", []],
    ["{ tool: shelf.raed, params: { uri: a } }", ['5:29 PL4008 there is no tool "shelf.raed"']],
    [
      "{ tool: shelf.write, params: { uri: a } }",
      ['5:29 PL4050 "shelf.write" may change something'],
    ],
    [
      "{ tool: shelf.ask, params: { uri: a } }",
      ['5:29 PL4050 "shelf.ask" needs an approval, and a document is read without one'],
    ],
    ["{ tool: shelf.read }", ['5:14 PL4006 "params" needs "uri"']],
    ["{ tool: shelf.read, params: { uri: 1 } }", ['5:56 PL4007 "uri" is text, found the number 1']],
    [
      '{ tool: shelf.read, params: { uri: "${{ stages.say.output }}" } }',
      ['5:68 PL2003 "say" cannot read its own output before it has run'],
    ],
  ] as const)("%s", ([document, problems]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found(reading(document)), [...problems])
    }),
  )

  it.effect("reports each problem of a document once, however many stages read it", () =>
    Effect.gen(function* () {
      const body = `
documents: { guide: { tool: shelf.read, params: { uri: "\${{ inputs.no }}" } } }
stages:
  - { id: one, uses: set, with: { value: "\${{ documents.guide }}" } }
  - { id: two, uses: set, with: { value: "\${{ documents.guide }}" } }
`
      assert.deepStrictEqual(
        (yield* found(body)).map((text) => text.slice(0, 11)),
        ["5:68 PL1201"],
      )
    }),
  )

  it.effect("knows its name, and says where it exists", () =>
    Effect.gen(function* () {
      const unknown = yield* found(
        reading("{ tool: shelf.read, params: { uri: a } }", "${{ documents.gide }}"),
      )
      assert.isTrue(unknown.some((text) => text.includes("PL1201")))
      const body = `${reading("{ tool: shelf.read, params: { uri: a } }")}outputs: { x: "\${{ documents.guide }}" }\n`
      const [elsewhere] = yield* found(body)
      assert.include(elsewhere, 'PL1101 there is nothing called "documents" here')
    }),
  )

  it.effect("does not exist where no stage has read it: in conditions and modes", () =>
    Effect.gen(function* () {
      for (const [from, to] of [
        ["with: { task: Say it.,", "with: { task: Say it., stop_when: size(documents.review) > 1,"],
        ["mode: full", 'mode: "${{ documents.review }}"'],
      ] as const) {
        const problems = yield* found(asSection.replace(from, to))
        assert.isTrue(
          problems.some((text) => text.includes('PL1101 there is nothing called "documents" here')),
          problems.join("\n"),
        )
      }
    }),
  )

  it.effect("reports one that nothing reads, and one with the name of a prompt", () =>
    Effect.gen(function* () {
      const rest = "stages: [{ id: say, uses: set, with: { value: 1 } }]\n"
      assert.deepStrictEqual(
        yield* found(`documents: { guide: { tool: shelf.read, params: { uri: a } } }\n${rest}`),
        ['4:14 PL2012 the document "guide" is not used'],
      )
      const both = `documents: { base: { tool: shelf.read, params: { uri: a } } }\nprompts: { base: base.md }\n`
      assert.include(
        yield* found(`${both}${rest}`),
        '4:14 PL0110 "base" is a prompt and a document',
      )
    }),
  )
})
