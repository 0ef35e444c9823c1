/** What a call of a tool gives, by what its source returns. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  stageKind,
  type JsonObject,
  type RunEvent,
  type StageKind,
  type Tool,
  type ToolFailed,
  type ToolInvocation,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"
import type { RunOptions } from "../run/RunOptions.ts"

type ToolCalled = Extract<RunEvent, { readonly type: "ToolCalled" }>

/** Calls the tool `look` with its `with`. */
const call = stageKind<JsonObject>({
  id: "call",
  summary: "Calls a tool.",
  input: { type: "object", additionalProperties: true },
  output: true,
  run: (params, { callTool }) => callTool({ tool: "look", params, key: "one" }),
})

/** Runs one stage that calls a tool once. */
const called = (
  answer: (invocation: ToolInvocation) => ToolResult | Effect.Effect<ToolResult, ToolFailed>,
  {
    given = "{}",
    head = "",
    kind = call,
    options = {},
    tool = {},
  }: {
    readonly kind?: StageKind
    readonly tool?: Partial<Tool>
    readonly given?: string
    /** Keys of the workflow, in YAML. */
    readonly head?: string
    readonly options?: RunOptions
  } = {},
) =>
  Effect.gen(function* () {
    const seen: Array<JsonObject> = []
    const source: ToolSource = {
      id: "tools",
      summary: "Tools.",
      list: Effect.succeed({
        tools: [
          {
            name: "look",
            summary: "Looks.",
            capabilities: [],
            inputs: {},
            params: true,
            outputs: [],
            ...tool,
          },
        ],
      }),
      call: (invocation) =>
        Effect.suspend(() => {
          seen.push(invocation.params)
          const made = answer(invocation)
          return Effect.isEffect(made) ? made : Effect.succeed(made)
        }),
    }
    const { pipeline } = yield* workflowOf(
      `${head}\nstages: [{ id: work, uses: call, with: ${given} }]\noutputs: { out: "\${{ stages.work.output }}" }\n`,
      { stages: [kind], tools: [source] },
    )
    const { events, result } = yield* collect(pipeline, {}, options)
    const [event] = events.filter((one): one is ToolCalled => one.type === "ToolCalled")
    const faults = events.flatMap((one) =>
      one.type === "Noted" && one.note === "tool_expression_failed" ? [one.data] : [],
    )
    return { event, events, faults, result, seen }
  })

describe("a call", () => {
  const answer = ({ user }: ToolInvocation) => ({ value: { user } })

  it.effect("has the user of the run, whatever its params are", () =>
    Effect.gen(function* () {
      const { result } = yield* called(answer, {
        head: "user: { type: object, required: [id], properties: { id: { type: string } } }",
        given: "{ user: { id: eve } }",
        options: { user: { id: "ada" } },
      })
      assert.deepStrictEqual(result.outputs["out"], { user: { id: "ada" } })
    }),
  )

  it.effect("in a run without a user has the empty one", () =>
    Effect.gen(function* () {
      const { result } = yield* called(answer)
      assert.deepStrictEqual(result.outputs["out"], { user: {} })
    }),
  )
})

/** Calls the tool `look` as read from a text with an open word. */
const readCall = stageKind<JsonObject>({
  id: "call",
  summary: "Calls a tool.",
  input: { type: "object", additionalProperties: true },
  output: true,
  run: ({ approve = false, settled = false }, { callTool }) =>
    callTool({
      tool: "look",
      params: {},
      key: "one",
      settled: settled === true,
      open: ["tomorrow"],
      approve: approve === true,
    }),
})

describe("a call that was read from a text", () => {
  const read = { kind: readCall }

  it.effect("of a tool that writes is refused with the words that were not understood", () =>
    Effect.gen(function* () {
      const { result, seen } = yield* called(() => ({ value: 1 }), read)
      assert.deepStrictEqual(seen, [])
      assert.deepInclude(result.failure, {
        class: "clarification",
        message: '"look" changes something, and these words were not understood: tomorrow',
      })
    }),
  )

  it.effect(
    "is made if the tool only reads, if the text is settled, or once a person approves",
    () =>
      Effect.gen(function* () {
        const answer = () => ({ value: 1 })
        const reads = yield* called(answer, { ...read, tool: { effect: "read" } })
        const settled = yield* called(answer, { ...read, given: "{ settled: true }" })
        const shown: Array<unknown> = []
        const approved = yield* called(answer, {
          ...read,
          given: "{ approve: true }",
          options: {
            answer: ({ show }) => {
              shown.push(show)
              return Effect.succeed({ approved: true })
            },
          },
        })
        for (const { result, seen } of [reads, settled, approved]) {
          assert.deepStrictEqual(result.outputs, { out: 1 })
          assert.lengthOf(seen, 1)
        }
        assert.deepStrictEqual(shown, [{ tool: "look", not_understood: ["tomorrow"] }])
      }),
  )
})

describe("a call of a tool", () => {
  it.effect("gives the value of the result", () =>
    Effect.gen(function* () {
      const { event, result } = yield* called(() => ({ value: { found: 2 } }))
      assert.deepStrictEqual(result.outputs, { out: { found: 2 } })
      assert.isUndefined(event?.failure)
    }),
  )

  it.effect("fails with class tool_error if the result is an error, with its value as detail", () =>
    Effect.gen(function* () {
      const value = { reason: "quota exceeded", left: 0 }
      const { event, result } = yield* called(() => ({ value, isError: true }))
      assert.strictEqual(result.status, "failed")
      assert.deepInclude(event?.failure, {
        class: "tool_error",
        message: '"look" reported an error',
        detail: value,
      })
    }),
  )

  it.effect("fails with the text of a result that is an error", () =>
    Effect.gen(function* () {
      const { event } = yield* called(() => ({ value: "quota\nexceeded", isError: true }))
      assert.strictEqual(event?.failure?.message, '"look" reported an error: quota exceeded')
    }),
  )

  it.effect("fails with the reason if the tool is unavailable, and is not made", () =>
    Effect.gen(function* () {
      const { event, seen } = yield* called(() => ({ value: 1 }), {
        tool: { available: "no connection" },
      })
      assert.deepInclude(event?.failure, {
        class: "unavailable",
        message: '"look" is unavailable: no connection',
      })
      assert.deepStrictEqual(seen, [])
    }),
  )

  it.effect("fails and names the place if its result does not fit the tool's schema", () =>
    Effect.gen(function* () {
      const result = {
        type: "object",
        properties: { rows: { type: "array", items: { type: "integer" } } },
        required: ["rows"],
      }
      const right = yield* called(() => ({ value: { rows: [1] } }), { tool: { result } })
      assert.deepStrictEqual(right.result.outputs, { out: { rows: [1] } })
      const wrong = yield* called(() => ({ value: { rows: [1, "two"] } }), { tool: { result } })
      assert.strictEqual(wrong.event?.failure?.class, "invalid_output")
      assert.match(
        wrong.event?.failure?.message ?? "",
        /^the result of "look" does not fit: rows\/1 /,
      )
    }),
  )

  it.effect("is made with normalized params, which its schema and its event see", () =>
    Effect.gen(function* () {
      const { event, faults, seen } = yield* called(() => ({ value: 1 }), {
        given: '{ of: " EUR ", n: 2 }',
        tool: {
          params: { type: "object", properties: { of: { enum: ["eur"] }, n: { type: "integer" } } },
          normalize: { of: "params.of.trim().lowerAscii()", missing: "params.missing + 1" },
        },
      })
      assert.deepStrictEqual(seen, [{ of: "eur", n: 2 }])
      assert.deepStrictEqual(event?.params, { of: "eur", n: 2 })
      assert.deepStrictEqual(faults, [])
    }),
  )

  it.effect("has the summary that its tool gives of the result", () =>
    Effect.gen(function* () {
      const { event } = yield* called(() => ({ value: { rows: [1, 2, 3] } }), {
        given: "{ of: EUR }",
        tool: { summarize: 'string(size(result.rows)) + " rates\\nof " + params.of' },
      })
      assert.strictEqual(event?.summary, "3 rates of EUR")
    }),
  )

  it.effect("does not fail if an expression of its tool fails, which is reported once each", () =>
    Effect.gen(function* () {
      const { event, faults, result, seen } = yield* called(() => ({ value: { rows: 1 } }), {
        given: "{ of: 3 }",
        tool: { normalize: { of: "params.of.trim()" }, summarize: "result.rows" },
      })
      assert.deepStrictEqual(result.outputs, { out: { rows: 1 } })
      assert.deepStrictEqual(seen, [{ of: 3 }])
      assert.strictEqual(event?.summary, "rows")
      assert.deepStrictEqual(
        faults.map((fault) => (fault as JsonObject)["expression"]),
        ["normalize.of", "summarize"],
      )
    }),
  )

  it.effect("with long params has a summary of each of them in its event", () =>
    Effect.gen(function* () {
      const { event, seen } = yield* called(() => ({ value: null }), {
        given: `{ text: "${"a".repeat(3000)}", list: [1, 2] }`,
      })
      assert.strictEqual(seen[0]?.["text"], "a".repeat(3000))
      assert.deepStrictEqual(event?.params, { text: `${"a".repeat(199)}…`, list: "2 entries" })
    }),
  )

  it.effect.each([
    ["the person's answer", { answer: () => Effect.succeed("yes") }, {}, "yes by person"],
    [
      "the default if the person does not answer",
      { answer: () => Effect.undefined },
      { default: "no" },
      "no by default",
    ],
    ["null if the host answers no questions", {}, {}, "null by declined"],
  ] as const)(
    "that asks now gets %s, and the run is not suspended",
    ([, options, more, expected]) =>
      Effect.gen(function* () {
        const { events, result } = yield* called(
          ({ askNow }) =>
            Effect.map(askNow({ message: "Sure?", ...more }), ({ by, value }) => ({
              value: `${String(value)} by ${by}`,
            })),
          { options },
        )
        assert.strictEqual(result.status, "succeeded")
        assert.deepStrictEqual(result.outputs, { out: expected })
        assert.deepStrictEqual(result.waits, [])
        assert.deepStrictEqual(
          events.flatMap((one) =>
            one.type === "Asked" || one.type === "Answered" ? [one.type] : [],
          ),
          ["Asked", "Answered"],
        )
      }),
  )

  it.effect("that asks now fails if the answer does not fit the question", () =>
    Effect.gen(function* () {
      const { event } = yield* called(
        ({ askNow }) =>
          Effect.as(askNow({ message: "Sure?", schema: { type: "boolean" } }), { value: 1 }),
        { options: { answer: () => Effect.succeed("perhaps") } },
      )
      assert.strictEqual(event?.failure?.class, "invalid_request")
      assert.match(event?.failure?.message ?? "", /^the answer does not fit/)
    }),
  )

  it.effect("does not count the time in which it asks a person against its timeout", () =>
    Effect.gen(function* () {
      const slowly = { answer: () => Effect.as(TestClock.adjust("5 seconds"), true) }
      const asking = ({ askNow }: ToolInvocation) =>
        Effect.map(askNow({ message: "Sure?" }), ({ value }) => ({ value }))
      const asked = yield* called(asking, { tool: { timeout: "1s" }, options: slowly })
      assert.isUndefined(asked.event?.failure)
      const late = yield* called(
        () => Effect.andThen(TestClock.adjust("5 seconds"), Effect.never),
        { tool: { timeout: "1s" } },
      )
      assert.deepInclude(late.event?.failure, {
        class: "timeout",
        message: '"look" gave no result in 1000 ms',
      })
    }),
  )

  it.effect("is replayed in a resumed run whose workflow no longer has the tool", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      const options = { journal: recordingJournal(recording), run: "r" }
      const calls: Array<string> = []
      const asks = stageKind<JsonObject>({
        id: "asks",
        summary: "Calls a tool, then asks.",
        input: { type: "object", additionalProperties: true },
        output: true,
        run: (_, { ask, callTool }) =>
          Effect.flatMap(callTool({ tool: "look", params: {}, key: "one" }), (seen) =>
            Effect.as(ask({ message: "Go on?" }), seen),
          ),
      })
      const source = (name: string): ToolSource => ({
        id: "tools",
        summary: "Tools.",
        list: Effect.succeed({
          tools: [
            { name, summary: "Looks.", capabilities: [], inputs: {}, params: true, outputs: [] },
          ],
        }),
        call: ({ tool }) =>
          Effect.sync(() => {
            calls.push(tool)
            return { value: "seen" }
          }),
      })
      const body = `stages: [{ id: work, uses: asks }]\noutputs: { out: "\${{ stages.work.output }}" }\n`
      const runWith = (name: string) =>
        Effect.flatMap(
          workflowOf(body, { stages: [asks], tools: [source(name)] }),
          ({ pipeline }) => collect(pipeline, {}, options),
        )
      assert.strictEqual((yield* runWith("look")).result.status, "suspended")
      recording.answers.set("work", { value: true, by: "person", at: 0 })
      const { result } = yield* runWith("other")
      assert.deepStrictEqual(result.outputs, { out: "seen" })
      assert.deepStrictEqual(calls, ["look"])
    }),
  )

  it.effect("fails and names the tool if its source returns something else than a result", () =>
    Effect.gen(function* () {
      const { event } = yield* called(() => "found" as never)
      assert.deepInclude(event?.failure, {
        class: "internal",
        message:
          'the tool source "tools" gave a result without a plain `value` for "look"; return { value: … } of JSON',
      })
    }),
  )
})

describe("the notes of a tool", () => {
  it.effect("are for operators, and bounded in number and size", () =>
    Effect.gen(function* () {
      const { events } = yield* called(({ note }) =>
        Effect.as(
          Effect.forEach(Array.from({ length: 150 }), (_, at) =>
            note("log", at === 0 ? "x".repeat(10_000) : { at }, `line\n${at}`),
          ),
          { value: 1 },
        ),
      )
      const notes = events.flatMap((one) =>
        one.type === "Noted" && one.note === "log" ? [one] : [],
      )
      assert.lengthOf(notes, 100)
      assert.deepInclude(notes[1], {
        path: "work",
        audience: "operator",
        data: { at: 1 },
        text: "line 1",
      })
      assert.lengthOf(notes[0]!.data as string, 4001)
    }),
  )
})

describe("a result of a tool", () => {
  it.effect("keeps the words of the error that it reports, in whichever member they are", () =>
    Effect.gen(function* () {
      for (const value of [
        "quota exceeded",
        { message: "quota exceeded" },
        { error: "quota exceeded" },
        { error: { message: "quota exceeded" } },
        { text: "quota exceeded" },
      ]) {
        const { result } = yield* called(() => ({ value, isError: true }))
        assert.deepInclude(result.failure, {
          class: "tool_error",
          message: '"look" reported an error: quota exceeded',
          detail: value,
        })
      }
      const { result } = yield* called(() => ({ value: { message: "" }, isError: true }))
      assert.strictEqual(result.failure?.message, '"look" reported an error')
    }),
  )

  it.effect("is refused if it is larger than a record holds", () =>
    Effect.gen(function* () {
      const { result } = yield* called(() => ({ value: ["x".repeat(16_000_001)] }))
      assert.deepInclude(result.failure, { class: "invalid_output" })
      assert.include(result.failure?.message, "more than 16,000,000 characters")
      const { result: whole } = yield* called(() => ({ value: "x".repeat(1000) }))
      assert.strictEqual(whole.status, "succeeded")
    }),
  )
})
