/** The tool loop of the `agent` stage: what the model reads, which calls run, and how the loop ends. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ModelFailed, type Json } from "@planloom/plugin/effect"
import { emptyRecording, recordingJournal } from "@planloom/core"
import { lastResults, world, type Form } from "./agentWorld.ts"

const sizeOf = (list: Json | undefined) => (Array.isArray(list) ? list.length : undefined)

const forms: ReadonlyArray<Form> = ["native", "text"]

describe.each(forms)("an agent whose model gives its calls as %s", (form) => {
  it.effect("calls a tool, reads its result and answers", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["rate", { of: "EUR" }]] }, { text: "It is 1.25." }],
        "tools: [rate]",
      )
      const { output } = yield* agent.run()
      assert.deepStrictEqual(agent.called, ["rate EUR"])
      assert.include(lastResults(agent.requests[1]!), "1.25")
      assert.deepStrictEqual(output, {
        text: "It is 1.25.",
        stopped: "answer",
        calls: [{ tool: "rate", params: { of: "EUR" }, ok: true, summary: "EUR" }],
      })
    }),
  )

  it.effect("runs the calls of one reply at the same time, within `parallel`", () =>
    Effect.gen(function* () {
      const calls = ["a", "b", "c", "d"].map((of) => ["rate", { of }] as const)
      const agent = world(form, [{ calls }, { text: "Done." }], "tools: [rate], parallel: 3")
      yield* agent.run()
      assert.strictEqual(agent.called.length, 4)
      assert.strictEqual(agent.mostAtOnce(), 3)
    }),
  )

  it.effect("reports an unknown tool to the model with the tools that there are", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["rates", { of: "EUR" }]] }, { text: "No." }],
        "tools: [{ group: rates }]",
      )
      const { output } = yield* agent.run()
      assert.deepStrictEqual(agent.called, [])
      assert.include(
        lastResults(agent.requests[1]!),
        'there is no tool "rates"; there are: rate, history',
      )
      assert.deepStrictEqual(output?.["calls"], [])
    }),
  )

  it.effect("reports a tool that the agent was not offered as unknown", () =>
    Effect.gen(function* () {
      const agent = world(form, [{ calls: [["send", { of: "x" }]] }, { text: "" }], "tools: [rate]")
      yield* agent.run()
      assert.deepStrictEqual(agent.called, [])
      assert.include(lastResults(agent.requests[1]!), 'there is no tool "send"')
    }),
  )

  it.effect("reports arguments that do not fit to the model and runs nothing", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["rate", { off: 1 }]] }, { calls: [["rate", { of: "EUR" }]] }, { text: "Ok." }],
        "tools: [rate]",
      )
      yield* agent.run()
      assert.include(lastResults(agent.requests[1]!), 'the arguments of "rate" do not fit')
      assert.deepStrictEqual(agent.called, ["rate EUR"])
    }),
  )

  it.effect("gives a failure of a tool to the model as data", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["breaks", { of: "x" }]] }, { text: "Closed." }],
        "tools: [breaks]",
      )
      const { output } = yield* agent.run()
      assert.include(lastResults(agent.requests[1]!), "the exchange is closed")
      assert.deepStrictEqual(output?.["calls"], [
        {
          tool: "breaks",
          params: { of: "x" },
          ok: false,
          summary: "failed: tool_error",
          error: "the exchange is closed",
          class: "tool_error",
        },
      ])
    }),
  )

  it.effect("does not offer a tool that is unavailable", () =>
    Effect.gen(function* () {
      const script = [{ calls: [["closed", { of: "x" }] as const] }, { text: "No." }]
      const agent = world(form, script, "tools: [rate, closed]")
      yield* agent.run()
      assert.notInclude(
        JSON.stringify([agent.requests[0]!.tools, agent.requests[0]!.system]),
        "closed",
      )
      assert.deepStrictEqual(agent.called, [])
      assert.include(lastResults(agent.requests[1]!), 'there is no tool "closed"; there are: rate')
    }),
  )

  it.effect("gives the data of an error that a tool reports to the model", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["reports", { of: "x" }]] }, { text: "No quota." }],
        "tools: [reports]",
      )
      yield* agent.run()
      const read = lastResults(agent.requests[1]!)
      assert.include(read, '"detail":{"reason":"quota exceeded","left":0}')
    }),
  )

  it.effect("keeps the text of a tool's defect from the model", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["throws", { of: "x" }]] }, { text: "Sorry." }],
        "tools: [throws]",
      )
      yield* agent.run()
      assert.include(lastResults(agent.requests[1]!), '"throws" failed')
      assert.notInclude(JSON.stringify(agent.requests), "/home/me")
    }),
  )

  it.effect("does not make the same call twice, whatever the order of its arguments", () =>
    Effect.gen(function* () {
      const again = { calls: [["send", { of: "x" }]] } as const
      const agent = world(
        form,
        [again, again, { text: "Sent." }],
        "tools: [send], auto_approve: [send]",
      )
      yield* agent.run()
      assert.deepStrictEqual(agent.called, ["send x"])
      assert.include(lastResults(agent.requests[2]!), "already made")
    }),
  )

  it.effect("repeats a failed call that only reads, but not a failed write", () =>
    Effect.gen(function* () {
      const reads = { calls: [["breaks", { of: "x" }]] } as const
      const agent = world(form, [reads, reads, { text: "" }], "tools: [breaks]")
      yield* agent.run()
      assert.deepStrictEqual(agent.called, ["breaks x", "breaks x"])
    }),
  )

  it.effect("repeats calls with `repeat_calls`", () =>
    Effect.gen(function* () {
      const again = { calls: [["rate", { of: "x" }]] } as const
      const agent = world(form, [again, again, { text: "" }], "tools: [rate], repeat_calls: true")
      yield* agent.run()
      assert.deepStrictEqual(agent.called, ["rate x", "rate x"])
    }),
  )

  it.effect("stops an endless loop at `max_turns` and keeps what it did", () =>
    Effect.gen(function* () {
      const script = Array.from({ length: 9 }, (_, n) => ({
        calls: [["rate", { of: `c${n}` }] as const],
      }))
      const agent = world(form, script, "tools: [rate], max_turns: 3")
      const { output } = yield* agent.run()
      assert.strictEqual(output?.["stopped"], "max_turns")
      assert.strictEqual(sizeOf(output?.["calls"]), 2)
      assert.strictEqual(agent.requests.length, 3)
    }),
  )

  it.effect("stops at `max_calls` after the calls within it", () =>
    Effect.gen(function* () {
      const calls = ["a", "b", "c"].map((of) => ["rate", { of }] as const)
      const agent = world(form, [{ calls }, { text: "" }], "tools: [rate], max_calls: 2")
      const { output } = yield* agent.run()
      assert.strictEqual(output?.["stopped"], "budget")
      assert.deepStrictEqual(agent.called, ["rate a", "rate b"])
      assert.strictEqual(agent.requests.length, 2)
    }),
  )

  it.effect("stops at `max_tokens` of its own calls", () =>
    Effect.gen(function* () {
      const script = Array.from({ length: 9 }, (_, n) => ({
        calls: [["rate", { of: `c${n}` }] as const],
      }))
      const agent = world(form, script, "tools: [rate], max_tokens: 30")
      const { output } = yield* agent.run()
      assert.strictEqual(output?.["stopped"], "budget")
      assert.strictEqual(agent.requests.length, 2)
    }),
  )

  it.effect("keeps what it did when the workflow's budget of tool calls is spent", () =>
    Effect.gen(function* () {
      const script = Array.from({ length: 9 }, (_, n) => ({
        calls: [["rate", { of: `c${n}` }] as const],
      }))
      const agent = world(form, script, "tools: [rate]", "policies: { budget: { tool_calls: 2 } }")
      const { output } = yield* agent.run()
      assert.strictEqual(output?.["stopped"], "budget")
      assert.strictEqual(sizeOf(output?.["calls"]), 2)
    }),
  )

  it.effect("ends once `stop_when` holds", () =>
    Effect.gen(function* () {
      const script = Array.from({ length: 9 }, (_, n) => ({
        calls: [["rate", { of: `c${n}` }] as const],
      }))
      const agent = world(
        form,
        script,
        "tools: [rate], stop_when: \"calls.exists(c, c.params.of == 'c1')\"",
      )
      const { output } = yield* agent.run()
      assert.strictEqual(output?.["stopped"], "stop_when")
      assert.deepStrictEqual(agent.called, ["rate c0", "rate c1"])
    }),
  )

  it.effect("hands over by a tool that ends it, and runs no call of that reply", () =>
    Effect.gen(function* () {
      const calls = [
        ["rate", { of: "EUR" }],
        ["to_support", { of: "card" }],
      ] as const
      const agent = world(form, [{ calls }], "tools: [rate, { name: to_support, ends: true }]")
      const { output } = yield* agent.run()
      assert.strictEqual(output?.["stopped"], "handover")
      assert.deepStrictEqual(output?.["handover"], { tool: "to_support", params: { of: "card" } })
      assert.deepStrictEqual(agent.called, [])
    }),
  )

  it.effect("answers in the shape of `result`, and is corrected when it does not fit", () =>
    Effect.gen(function* () {
      const shape =
        "result: { type: object, required: [rate], additionalProperties: false, properties: { rate: { type: number } } }"
      const agent = world(
        form,
        [
          { calls: [["rate", { of: "EUR" }]] },
          { calls: [["answer", { rate: "much" }]] },
          { calls: [["answer", { rate: 1.25 }]] },
        ],
        `tools: [rate], ${shape}`,
      )
      const { output } = yield* agent.run()
      assert.include(lastResults(agent.requests[2]!), "the answer does not fit")
      assert.deepStrictEqual(output?.["value"], { rate: 1.25 })
      assert.strictEqual(output?.["stopped"], "answer")
    }),
  )

  it.effect(
    "takes an answer in text that fits `result`, and asks again for one that does not",
    () =>
      Effect.gen(function* () {
        const agent = world(
          form,
          [{ text: "about one" }, { text: "[1, 2]" }],
          "tools: [rate], result: { type: array, items: { type: integer } }",
        )
        const { output } = yield* agent.run()
        assert.deepStrictEqual(output?.["value"], [1, 2])
        assert.strictEqual(agent.requests.length, 2)
      }),
  )

  it.effect("stops as cut off at an answer of the greatest length, and keeps it", () =>
    Effect.gen(function* () {
      const agent = world(form, [{ text: "One euro is 1.0", finish: "length" }], "tools: [rate]")
      const { output } = yield* agent.run()
      assert.deepInclude(output, { stopped: "cut_off", text: "One euro is 1.0" })
    }),
  )

  it.effect("fails when the service refuses the content", () =>
    Effect.gen(function* () {
      const refusal = new ModelFailed({
        class: "content_filter",
        model: "scripted/native",
        message: "refused",
      })
      const agent = world(form, [{ calls: [["rate", { of: "x" }]] }, refusal], "tools: [rate]")
      const { failure } = yield* agent.run()
      assert.strictEqual(failure?.class, "content_filter")
    }),
  )

  it.effect("waits for approval of a tool that writes; a refusal is data for the model", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [["send", { of: "x" }]] }, { text: "Not sent." }],
        "tools: [send]",
      )
      const asked: Array<Json> = []
      const { output } = yield* agent.run({
        answer: ({ fields = [], show = null }) =>
          Effect.sync(() => {
            asked.push(show, ...fields.map(({ label, value }) => [label, value]))
            return { approved: false, comment: "too much" }
          }),
      })
      assert.deepStrictEqual(asked, [{ tool: "send" }, ["of", "x"]])
      assert.deepStrictEqual(agent.called, [])
      assert.include(lastResults(agent.requests[1]!), "too much")
      assert.strictEqual(output?.["text"], "Not sent.")
    }),
  )

  it.effect("repeats no recorded call when the run is resumed after any of them", () =>
    Effect.gen(function* () {
      const script = [
        { calls: [["rate", { of: "a" }] as const, ["rate", { of: "b" }] as const] },
        { calls: [["send", { of: "c" }] as const] },
        { text: "Done." },
      ]
      const whole = emptyRecording()
      yield* world(form, script, "tools: [rate, send], auto_approve: [send]").run({
        run: "r",
        journal: recordingJournal(whole),
      })
      const names = [...whole.steps.keys()].filter((name) => name.startsWith("work/model:1/"))
      assert.strictEqual(names.length, 6)
      for (let kept = 0; kept <= names.length; kept++) {
        const part = emptyRecording()
        for (const name of names.slice(0, kept)) part.steps.set(name, whole.steps.get(name)!)
        const asksKept = names
          .slice(0, kept)
          .filter((name) => name.startsWith("work/model:1/model:")).length
        const agent = world(
          form,
          script.slice(asksKept),
          "tools: [rate, send], auto_approve: [send]",
        )
        const { output } = yield* agent.run({ run: "r", journal: recordingJournal(part) })
        assert.strictEqual(agent.requests.length + agent.called.length, names.length - kept)
        assert.strictEqual(output?.["text"], "Done.")
        assert.strictEqual(sizeOf(output?.["calls"]), 3)
      }
    }),
  )
})

it.live("an interrupted agent ends although its tool ignores the interruption", () =>
  Effect.gen(function* () {
    const agent = world("native", [{ calls: [["endless", { of: "x" }]] }], "tools: [endless]")
    const fiber = yield* Effect.forkChild(agent.run())
    yield* Effect.repeat(Effect.yieldNow, { until: () => agent.called.length === 1 })
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(agent.called, ["endless x"])
  }),
)

describe("the tools of an agent", () => {
  it.effect("are reported by name, with a suggestion, where the workflow has none of it", () =>
    Effect.gen(function* () {
      const { loaded } = world("native", [], "tools: [rat, { name: histori }], approve: [sendd]")
      const { diagnostics } = yield* Effect.flip(loaded)
      assert.deepStrictEqual(
        diagnostics.map(({ message, start }) => `${start.line}:${start.col} ${message}`),
        [
          '9:37 there is no tool "rat"',
          '9:50 there is no tool "histori"',
          '9:72 there is no tool "sendd"',
        ],
      )
    }),
  )

  it.effect("fail the stage when a group has none", () =>
    Effect.gen(function* () {
      const { failure } = yield* world("native", [{}], "tools: [{ group: rate }]").run()
      assert.strictEqual(failure?.message, 'no tool of the workflow is in the group "rate"')
    }),
  )

  it.effect("make an unknown name in a condition an error that suggests `calls`", () =>
    Effect.gen(function* () {
      const { loaded } = world("native", [], 'tools: [rate], stop_when: "size(call) > 2"')
      const { diagnostics } = yield* Effect.flip(loaded)
      assert.deepStrictEqual(
        diagnostics.map(({ code, help }) => `${code} ${help?.split("?")[0]}`),
        ["PL1101 did you mean calls"],
      )
    }),
  )

  it.effect("make a condition with an unknown field an error at its position", () =>
    Effect.gen(function* () {
      const { loaded } = world("native", [], 'tools: [rate], stop_when: "calls[0].param == 1"')
      const { diagnostics } = yield* Effect.flip(loaded)
      assert.deepStrictEqual(
        diagnostics.map(({ code, help }) => `${code} ${help}`),
        ['PL1201 did you mean "params"? it has: tool, params, ok, summary, error, class'],
      )
    }),
  )
})
