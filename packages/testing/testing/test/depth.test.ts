/** Values that are nested too deep are refused at each border, and values at the limit pass all of them. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { InputsRejected, run, RunFailed } from "@planloom/core"
import { answerIssues, userOf } from "@planloom/core/internal"
import { load } from "@planloom/embed"
import { definePlugin, type Json } from "@planloom/plugin/effect"
import { parseRunFile } from "@planloom/record/export"
import { isTooDeep, MAX_JSON_DEPTH, TOO_DEEP } from "@planloom/schema"
import { handler } from "@planloom/server"
import stages from "@planloom/stages"
import { cases } from "../../../../.config/cases.ts"
import { loadInline, problemsOf, writeWorkflow } from "./inlineWorkflow.ts"
import { send, serve, sign } from "./servedTriggers.ts"
import { runOnWire } from "./wireWorkflow.ts"

/** JSON text of so many levels of lists and objects, as the bits of `shape` alternate. */
const textOf = (levels: number, shape: number): string => {
  const isList = (level: number) => ((shape >> (level % 30)) & 1) === 0
  let open = ""
  let close = ""
  for (let level = 0; level < levels; level++) {
    open += isList(level) ? "[" : '{"a":'
    close = (isList(level) ? "]" : "}") + close
  }
  return `${open}1${close}`
}

/** Levels and shape, so that a counterexample is short. */
type Form = readonly [levels: number, shape: number]

const shapes = fc.nat(2 ** 30)

const tooDeep: fc.Arbitrary<Form> = fc.tuple(
  fc.oneof(
    fc.integer({ min: MAX_JSON_DEPTH + 1, max: MAX_JSON_DEPTH + 40 }),
    fc.constantFrom(4000, 20_000, 100_000),
  ),
  shapes,
)

const atLimit: fc.Arbitrary<Form> = fc.tuple(fc.constant(MAX_JSON_DEPTH), shapes)

const each = (forms: fc.Arbitrary<Form>, holds: (text: string) => Promise<void>, count = 10) =>
  fc.assert(
    fc.asyncProperty(forms, (form) => holds(textOf(...form))),
    { numRuns: cases(count) },
  )

const parse = (text: string): Json => JSON.parse(text) as Json

const open = `inputs: { x: true, y: { type: object, personal: true, default: {} } }
on:
  webhook: { secret: KEY, inputs: { x: "\${{ body }}" } }
secrets: [KEY]
stages: [{ id: one, uses: set, with: { value: "\${{ inputs.x }}" } }]
outputs: { out: "\${{ stages.one.output }}" }
`

const served = Effect.flatMap(loadInline(open), ({ pipeline }) =>
  serve(pipeline, join(mkdtempSync(join(tmpdir(), "planloom-deep-")), "runs.db")),
)

/** The reply of the API to a body, which `value` is in. */
const replies = async (path: string, body: string) => {
  const api = await Effect.runPromise(Effect.scoped(served))
  const response = await handler({ ...api, maxBody: 2 ** 30 })(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
  )
  return { status: response.status, text: await response.text() }
}

const toolGiving = (value: Json, isError: boolean) =>
  definePlugin({
    id: "t",
    summary: "A tool.",
    components: {
      tools: [
        {
          id: "t",
          summary: "A tool.",
          list: Effect.succeed({
            tools: [
              {
                name: "fetch",
                summary: "Gives a value.",
                capabilities: [],
                inputs: {},
                outputs: [],
                effect: "read" as const,
                params: { type: "object" },
              },
            ],
          }),
          call: () => Effect.succeed({ value, isError }),
        },
      ],
    },
  })

const callingTool = `stages: [{ id: one, uses: call, with: { tool: fetch, params: {} } }]
outputs: { out: "\${{ stages.one.output }}" }
`

const fromTool = (value: Json, isError = false) =>
  Effect.scoped(
    Effect.flatMap(
      load(writeWorkflow(callingTool), { extraPlugins: [stages, toolGiving(value, isError)] }),
      ({ pipeline }) => run(pipeline, {}),
    ),
  )

describe("a value that is nested too deep", () => {
  it("is counted by lists and objects, and a cycle is deeper than all", () => {
    const cyclic: Array<unknown> = []
    cyclic.push({ cyclic })
    assert.isTrue(isTooDeep(cyclic))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 * MAX_JSON_DEPTH }),
        fc.nat(2 ** 30),
        (levels, shape) => {
          assert.strictEqual(isTooDeep(parse(textOf(levels, shape))), levels > MAX_JSON_DEPTH)
        },
      ),
      { numRuns: cases(50) },
    )
  })

  it("is no input, no personal input and no part of a user", () =>
    each(tooDeep, async (text) => {
      const { pipeline } = await Effect.runPromise(Effect.scoped(loadInline(open)))
      const value = parse(text)
      for (const inputs of [{ x: value }, { x: 1, y: { y: value } }]) {
        const refused = await Effect.runPromise(Effect.flip(run(pipeline, inputs)))
        assert.instanceOf(refused, InputsRejected)
        assert.include(refused.message, TOO_DEEP)
      }
      const user = userOf({ name: "w", user: { validate: () => [] } } as never, { id: value })
      assert.instanceOf(user, InputsRejected)
    }))

  it("is no answer", () =>
    each(tooDeep, async (text) => {
      const [issue, ...more] = await Effect.runPromise(answerIssues(true, parse(text)))
      assert.deepStrictEqual([issue?.message, more.length], [TOO_DEEP, 0])
    }))

  it("is refused by each route with 422, also in a signed webhook", () =>
    each(
      tooDeep,
      async (text) => {
        for (const path of ["/workflows/inline/runs", "/runs/r/answers/a", "/runs/r/resume"]) {
          for (const body of [text, `{"inputs":{"x":${text}}}`, `{"value":${text}}`]) {
            const { status, text: said } = await replies(path, body)
            assert.deepStrictEqual(
              [status, parse(said)],
              [422, { ...(parse(said) as object), detail: `the body ${TOO_DEEP}` }],
            )
          }
        }
        const api = await Effect.runPromise(Effect.scoped(served))
        const time = Math.floor(Date.now() / 1000)
        const signature = sign("m", time, text)
        const message = { id: "m", time, signature, body: text, maxBody: text.length }
        assert.strictEqual((await Effect.runPromise(send(api, message))).status, 422)
      },
      3,
    ))

  it("is no result of a tool, and no detail of its error", () =>
    each(
      tooDeep,
      async (text) => {
        for (const isError of [false, true]) {
          const failed = await Effect.runPromise(Effect.flip(fromTool(parse(text), isError)))
          assert.instanceOf(failed, RunFailed)
          const { reason: failure } = failed as RunFailed
          assert.strictEqual(failure.class, "invalid_output")
          assert.include(failure.message, TOO_DEEP)
        }
      },
      3,
    ))

  it("is no reply and no argument of a model", () =>
    each(
      tooDeep,
      async (text) => {
        const reply = await runOnWire(
          "stages: [{ id: one, uses: generate, model: llamacpp/small, with: { task: Go., schema: { type: object } } }]\n",
          { answers: [{ text: `{"x":${text}}` }] },
        )
        assert.strictEqual(reply.failure?.class, "invalid_output", reply.failure?.message)
        const call = await runOnWire(
          "stages: [{ id: one, uses: agent, model: llamacpp/small, with: { task: Go., tools: [fetch], max_turns: 3 } }]\n",
          {
            more: [toolGiving(1, false)],
            answers: [
              { written: [{ name: "fetch", text: `{"x":${text}}` }], text: "" },
              { text: "Done." },
            ],
          },
        )
        assert.isUndefined(call.failure, call.failure?.message)
        assert.include(JSON.stringify(call.requests.at(-1)?.body), TOO_DEEP)
      },
      2,
    ))

  it("is no result of parse_json", () =>
    each(
      tooDeep,
      async (text) => {
        const body = `inputs: { x: { type: string } }
stages: [{ id: one, uses: set, with: { value: "\${{ parse_json(inputs.x) }}" } }]
`
        const { pipeline } = await Effect.runPromise(Effect.scoped(loadInline(body)))
        const failed = await Effect.runPromise(Effect.flip(run(pipeline, { x: text })))
        assert.include(failed.message, `nested deeper than ${MAX_JSON_DEPTH} levels`)
      },
      3,
    ))

  it("is no part of a run that is imported", () =>
    each(tooDeep, async (text) => {
      const file = `{"format":"planloom/run/v1","record":{"inputs":${text}}}`
      assert.match(String(parseRunFile(file)), /^is damaged: /)
    }))
})

describe("a value at the limit of nesting", () => {
  it("passes through inputs, expressions, tools and outputs", () =>
    each(
      atLimit,
      async (text) => {
        const value = parse(text)
        const { pipeline } = await Effect.runPromise(Effect.scoped(loadInline(open)))
        const { outputs } = await Effect.runPromise(run(pipeline, { x: value }))
        assert.strictEqual(JSON.stringify(outputs), `{"out":${text}}`)
        const called = await Effect.runPromise(fromTool(value))
        assert.strictEqual(JSON.stringify(called.outputs), `{"out":${text}}`)
      },
      3,
    ))
})

describe("a schema with too many paths through $ref", () => {
  it("is an error of check, in inputs and in questions", async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 34 }, (_, level) => {
        const $ref = `#/$defs/S${level}`
        return [`S${level + 1}`, { allOf: [{ $ref }, { $ref }] }]
      }),
    )
    const schema = JSON.stringify({
      $ref: "#/$defs/S34",
      $defs: { ...$defs, S0: { type: "object" } },
    })
    for (const body of [
      `inputs: { x: ${schema} }\nstages: [{ id: one, uses: set, with: { value: 1 } }]\n`,
      `stages: [{ id: one, uses: wait, with: { message: Go?, schema: ${schema} } }]\n`,
    ]) {
      const [problem] = await Effect.runPromise(problemsOf(body))
      assert.match(String(problem), /^PL\d+ .*more than 10,000 paths through "\$ref"/)
    }
  })
})
