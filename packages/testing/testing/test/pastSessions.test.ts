/** Tests and evaluations whose run has a conversation before it. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  array,
  asyncProperty,
  assert as assertProperty,
  constantFrom,
  integer,
  record,
  string,
  type Arbitrary,
} from "fast-check"
import { memorySessions, run, type RunOptions } from "@planloom/core"
import { PAST, pastSession } from "@planloom/core/internal"
import { load } from "@planloom/embed"
import { definePlugin, type JsonObject } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { runEvaluation, stubTools } from "@planloom/testing"
import { cases } from "../../../../.config/cases.ts"
import {
  cached,
  failuresOf,
  folderOf,
  header,
  options,
  params,
  plan,
  safetyModel,
  scout,
} from "./pastWorld.ts"

const lookup = JSON.stringify(
  plan(["find_token", { symbol: "PEPE" }], ["safety", { address: "0x69" }]),
)
describe("a test with a session before it", () => {
  it.effect("shows that a plan uses the token of an earlier turn instead of looking it up", () =>
    Effect.gen(function* () {
      const failures = yield* failuresOf(`
  - name: a token of the conversation is not looked up again
    given:
      inputs: { message: Is it safe? }
      session:
        turns:
          - user: find PEPE
            assistant: PEPE is at 0x69.
            calls: [{ tool: find_token, params: { symbol: PEPE }, result: { symbol: PEPE, address: "0x69" } }]
        state: { asked: 4 }
      models: { plan: [{ when: '"id":"0x69","name":"PEPE","turn":1', json: ${cached} }] }
    expect:
      assert:
        - prompts.plan.text.contains("PEPE is at 0x69.")
        - prompts.plan.text.contains('"asked":4')
        - calls.map(c, c.tool) == ["safety"]
        - outputs.answer == "1 done"
  - name: a token that no turn has is looked up
    given:
      inputs: { message: Is PEPE safe? }
      session: {}
      models: { plan: [{ json: ${lookup} }] }
    expect:
      assert:
        - '!prompts.plan.text.contains("0x69")'
        - calls[0].tool == "find_token" && calls[0].entities == [{"type":"token","id":"0x69","name":"PEPE"}]
        - calls[0].refused == false && calls[0].from == "" && calls[0].identity != calls[1].identity
`)
      assert.deepStrictEqual(failures, [])
    }),
  )
})

/** A session, and what is wrong with it at which place. */
const wrongPasts: ReadonlyArray<readonly [session: string, problem: RegExp]> = [
  ["{ turns: [{ user: a }] }", /PL0102 .*"assistant"/],
  ["{ turn: [] }", /PL0101 .*"turn"/],
  [
    "{ turns: [{ user: a, assistant: b, calls: [{ tool: find_tokens, result: {} }] }] }",
    /PL4008 .*"find_tokens"/,
  ],
  [
    "{ turns: [{ user: a, assistant: b, calls: [{ tool: find_token, result: { id: 1 } }] }] }",
    /PL0103 the expression entities.token of "find_token" failed/,
  ],
  ["{ state: { asked: four } }", /PL0103 the state "asked" must be integer, found the text "four"/],
  ["{ state: { ask: 4 } }", /PL0101 there is no state "ask"/],
  [
    `{ turns: [${Array.from({ length: 5 }, () => "{ user: a, assistant: b }").join(", ")}] }`,
    /PL0106 the session holds at most 3 turns, so the first 2 of 5 have no effect/,
  ],
  [
    `{ entities: [${Array.from({ length: 7 }, (_, n) => `{ type: token, id: "${n}" }`).join(", ")}] }`,
    /PL0106 the session holds at most 5 entities, so the last 2 of 7 have no effect/,
  ],
  ["{ entities: [{ type: token, id: 0x69 }] }", /PL0103 expected an id/],
  ["{ summary: They met. }", /PL0106 the session has no summary/],
]

describe("a session that the workflow cannot have", () => {
  for (const [session, problem] of wrongPasts) {
    it.effect(`${session.slice(0, 60)} is refused at its place by a test and an evaluation`, () =>
      Effect.gen(function* () {
        const inTest = yield* failuresOf(
          `\n  - { name: one, given: { inputs: { message: a }, session: ${session} } }\n`,
        )
        assert.match(inTest.join("\n"), problem)
        assert.match(inTest[0]!, /^6:\d+ /)
        for (const body of [
          `cases: [{ inputs: { message: a }, session: ${session} }]`,
          `cases: [{ inputs: { message: a } }]\ngiven: { session: ${session} }`,
          `cases: [{ inputs: { message: a }, row: { past: ${session} } }]\ngiven: { session: "\${{ row.past }}" }`,
        ]) {
          const { diagnostics } = yield* evaluated(body)
          const said = diagnostics.map(
            ({ code, message, start }) => `${start.line} ${code} ${message}`,
          )
          assert.match(said.join("\n"), new RegExp(problem.source.replace(/^PL\d+ /, "")))
        }
      }),
    )
  }

  it.effect("is refused in a workflow without one", () =>
    Effect.gen(function* () {
      const [problem] = yield* failuresOf(
        "\n  - { name: one, given: { session: {} } }\n",
        `stages: [{ id: one, uses: set, with: { value: 1 } }]\noutputs: { x: "\${{ stages.one.output }}" }\n`,
      )
      assert.match(problem!, /^6:\d+ PL0101 the workflow "scout" keeps no session/)
    }),
  )
})

const evaluated = (body: string) => {
  const folder = folderOf({
    "flow.yaml": header("Workflow", `name: scout\ndefaults: { model: scripted/one }\n${scout}`),
    "flow.eval.yaml": header("Evaluation", `workflow: flow.yaml\n${body}\n`),
  })
  const model = definePlugin({
    id: "model",
    summary: "A model.",
    components: { providers: [safetyModel()] },
  })
  return runEvaluation(join(folder, "flow.eval.yaml"), {
    load: { extraPlugins: [...options.load.extraPlugins, model] },
  })
}

describe("an evaluation", () => {
  it.effect(
    "gives each case its session: its own, that of its row, or none that was there before",
    () =>
      Effect.gen(function* () {
        const said = (answer: string) => `turns: [{ user: find, assistant: "${answer}" }]`
        const { diagnostics, variants } = yield* evaluated(`cases:
  - { name: own, inputs: { message: a }, row: { past: { ${said("row")} }, wanted: alone }, session: { ${said("alone")} } }
  - { name: row, inputs: { message: a }, row: { past: { ${said("row")} }, wanted: row } }
  - { name: first, inputs: { message: a }, row: { past: {}, wanted: '"said":[]' } }
given: { session: "\${{ row.past }}" }
expect:
  assert:
    - prompts.plan.text.contains(row.wanted)
    - '!prompts.plan.text.contains("alone") || row.wanted == "alone"'
score: { calls: size(calls) }
concurrency: 3`)
        assert.deepStrictEqual(diagnostics, [])
        const figures = variants["default"]!
        assert.deepStrictEqual([figures.passed, figures.failed], [3, 0])
        assert.strictEqual(figures.scores["calls"]!.mean, 1)
      }),
  )
})

/** A turn: what was said, and the tokens that calls of it found. */
const aTurn = record({
  user: string({ minLength: 1, maxLength: 5 }),
  tokens: array(constantFrom("a", "b", "c", "d"), { maxLength: 3 }),
})

it.effect("a session that is given equals the one that its turns leave", () =>
  Effect.promise(() =>
    assertProperty(
      asyncProperty(
        array(aTurn, { maxLength: 4 }),
        integer({ min: 1, max: 4 }),
        integer({ min: 0, max: 4 }),
        (turns, window, entities) => Effect.runPromise(sameSession(turns, window, entities)),
      ),
      { numRuns: cases(25) },
    ),
  ),
)

type Turn = typeof aTurn extends Arbitrary<infer A> ? A : never

const lookups = stubTools({
  look: {
    result: {},
    tool: { effect: "read", params: params("of"), entities: { token: "params.of" } },
  },
})

const sameSession = (said: ReadonlyArray<Turn>, window: number, entities: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = folderOf({
        "flow.yaml": header(
          "Workflow",
          `name: looks
inputs: { user: { type: string }, tokens: { type: array, items: { type: string } } }
session:
  window: ${window}
  entities: ${entities}
  request: "\${{ inputs.user }}"
  assistant: "\${{ string(size(inputs.tokens)) }} found"
  state: { asked: { type: integer, default: 0, value: "\${{ session.state.asked + 1 }}" } }
stages:
  - { id: looks, for_each: { in: inputs.tokens, as: token, max_parallel: 1 }, uses: call, with: { tool: look, params: { of: "\${{ token }}" } } }
outputs: { seen: { type: object, value: "\${{ {'turns': session.turns, 'entities': session.entities, 'state': session.state} }}" } }
`,
        ),
      })
      const extra = definePlugin({
        id: "looks",
        summary: "A tool.",
        components: { tools: [lookups] },
      })
      const { pipeline } = yield* load(join(folder, "flow.yaml"), { extraPlugins: [stages, extra] })
      const ask = (turn: Turn, more: RunOptions) =>
        Effect.map(run(pipeline, { ...turn }, more), ({ outputs }) => outputs["seen"])
      const kept = { session: "s", sessions: memorySessions() }
      for (const turn of said) yield* ask(turn, kept)
      const last = { user: "now", tokens: [] }
      // Turns that the window has dropped leave their entities alone.
      const dropped = said.slice(0, -window)
      const given = pastSession(
        {
          summary: "",
          turns: said.slice(-window).map(({ tokens, user }) => ({
            user,
            assistant: `${tokens.length} found`,
            calls: tokens.map((of) => ({ tool: "look", params: { of }, result: {} })),
          })),
          entities: [],
          state: said.length === 0 ? {} : { asked: said.length },
        },
        pipeline,
      )
      const [real, made] = [
        yield* ask(last, kept),
        yield* ask(last, { session: PAST, sessions: given.sessions }),
      ]
      if (dropped.length === 0) assert.deepStrictEqual(made, real)
      else assert.deepInclude(made as JsonObject, { turns: (real as JsonObject)["turns"] })
    }),
  )
