/** Assertions of tests on the prompts that were sent, the tool calls, and the end of a loop. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runWorkflowTest } from "@planloom/testing"
import { cached, failuresOf, options, plan, withTests } from "./pastWorld.ts"

describe("what assertions read of a run", () => {
  const flow = (stage: string) => `stages:
  - ${stage}
outputs: { x: "\${{ 1 }}" }
`
  const executing = (steps: ReturnType<typeof plan>, more = "") =>
    flow(
      `{ id: results, uses: execute, with: { plan: ${JSON.stringify(steps)}, on_step_error: keep }${more} }`,
    )

  it.effect(
    "tells a call that was made from one that an equal one answers, and from refused ones",
    () =>
      Effect.gen(function* () {
        const safety = ["safety", { address: "0x69" }] as const
        const steps = plan(safety, safety, ["safety", { wrong: 1 }], ["nothing", {}])
        const failures = yield* failuresOf(
          `
  - name: doubles
    expect:
      assert:
        - calls.filter(c, c.tool == "safety" && c.ok).map(c, c.from) == ["", "made"]
        - calls[0].identity == calls[1].identity && size(calls[0].identity) == 32
        - calls.filter(c, c.refused).map(c, [c.tool, c.class, c.identity]) == [["nothing", "invalid_request", ""], ["safety", "invalid_request", ""]] || calls.filter(c, c.refused).map(c, [c.tool, c.class, c.identity]) == [["safety", "invalid_request", ""], ["nothing", "invalid_request", ""]]
        - calls.all(c, c.stage == "results")
`,
          executing(steps),
        )
        assert.deepStrictEqual(failures, [])
      }),
  )

  it.effect("holds every request of a stage, and the last one in front", () =>
    Effect.gen(function* () {
      const failures = yield* failuresOf(
        `
  - name: a repaired reply and a retry
    given: { models: { ask: [{ text: no }, { text: "no again" }, { json: { n: 1 } }] } }
    expect:
      assert:
        - prompts.ask.attempts.map(a, a.attempt) == [1, 1, 2]
        - prompts.ask.attempts[0].text == "Give n." || prompts.ask.attempts[0].text.contains("Give n.")
        - size(prompts.ask.attempts[1].messages) > size(prompts.ask.attempts[0].messages)
        - prompts.ask.attempts[1].messages.exists(m, m.role == "assistant" && m.content == "no")
        - prompts.ask.text == prompts.ask.attempts[2].text && prompts.ask.attempt == 2
        - prompts.ask.model == "scripted/ask" && prompts.ask.mode == "" && prompts.ask.tools == []
        - prompts.ask.path == "ask"
        - prompts.ask.sections.all(s, prompts.ask.text.contains(s.text))
`,
        flow(
          "{ id: ask, uses: generate, with: { task: Give n., schema: { type: object, required: [n], properties: { n: { type: integer } } } }, retry: [{ on: [invalid_output], max_retries: 1, delay: 0s }] }",
        ),
      )
      assert.deepStrictEqual(failures, [])
    }),
  )

  it.effect("has the reason of a loop's end, and knows its name", () =>
    Effect.gen(function* () {
      const loop = `stages:
  - id: work
    repeat: { carry: { n: 0 }, until: iter.n > 5, next: { n: "\${{ iter.n + 1 }}" }, max_iterations: 4, on_exhausted: continue, on_no_new_call: end }
    stages: [{ id: results, uses: execute, with: { plan: ${cached} } }]
outputs: { x: "\${{ 1 }}" }
`
      const test = (assertion: string) =>
        failuresOf(`\n  - { name: one, expect: { assert: ['${assertion}'] } }\n`, loop)
      const holds =
        'stages.work.output.stopped == "no_new_call" && size(calls) == 2 && calls[1].from == "made"'
      assert.deepStrictEqual(yield* test(holds), [])
      const [typo] = yield* test('stages.work.output.stoped == "done"')
      assert.match(typo!, /PL1201 .*"stoped"/)
    }),
  )

  it.effect("keeps secrets out of prompts", () =>
    Effect.gen(function* () {
      const failures = yield* Effect.map(
        runWorkflowTest(
          withTests(
            `
  - name: one
    given: { inputs: { message: the key is sk-12345678 }, models: { ask: [{ text: fine }] } }
    expect: { assert: ['prompts.ask.text.contains("[secret]")', '!prompts.ask.messages.exists(m, m.content.contains("sk-12345678"))'] }
`,
            `secrets: [WORLD_KEY]
inputs: { message: { type: string } }
stages: [{ id: ask, uses: generate, with: { task: "\${{ inputs.message }}" } }]
outputs: { x: "\${{ 1 }}" }
`,
          ),
          {
            load: {
              ...options.load,
              secret: (name: string) => (name === "WORLD_KEY" ? "sk-12345678" : undefined),
            },
          },
        ),
        ({ diagnostics, tests }) => [...diagnostics, ...tests.flatMap((one) => one.failures)],
      )
      assert.deepStrictEqual(failures, [])
    }),
  )

  it.effect("refuses a prompt of a stage that is not there, and a misspelt field", () =>
    Effect.gen(function* () {
      const test = (assertion: string) =>
        failuresOf(`\n  - { name: one, expect: { assert: ['${assertion}'] } }\n`)
      assert.match((yield* test("prompts.plam.text == ''a''"))[0]!, /^6:\d+ PL2002 .*plam/)
      assert.match((yield* test("prompts.plan.txt == ''a''"))[0]!, /^6:\d+ PL1201 .*txt/)
      assert.match((yield* test("calls[0].ide == ''a''"))[0]!, /^6:\d+ PL1201 .*ide/)
    }),
  )
})
