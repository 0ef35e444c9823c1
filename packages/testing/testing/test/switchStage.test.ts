/** Workflows that branch with `switch`: types, runs, lists, resumed runs and what commands print. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { estimateRun } from "@planloom/estimate"
import type { RunEvent } from "@planloom/plugin/effect"
import { answer } from "@planloom/record"
import { openStore } from "@planloom/store-sqlite"
import { run } from "@planloom/core"
import { loadInline, problemsOf, runInline, typesOfOutputs } from "./inlineWorkflow.ts"

const route = (on: string, more = "") => `inputs:
  kind: { enum: [refund, complaint, praise] }
  amount: { type: integer, default: 7 }
stages:
  - id: route
    uses: switch
    with:
      on: ${on}
      cases:
        refund: { uses: set, with: { value: { amount: "\${{ inputs.amount }}" } } }
        complaint: { uses: approve, with: { message: May we answer? } }
      else: { uses: set, with: { value: none } }
${more}`

const outputs = `outputs: { case: "\${{ stages.route.output.case }}", value: "\${{ stages.route.output.value }}" }\n`

describe("a switch", () => {
  it.effect("runs the stage of the case whose value the expression has, or else", () =>
    Effect.gen(function* () {
      const body = route("inputs.kind", outputs)
      assert.deepStrictEqual(yield* problemsOf(body), [])
      const events: Array<RunEvent> = []
      const onEvent = (event: RunEvent) => void events.push(event)
      const refund = yield* runInline(body, { kind: "refund" }, { onEvent })
      assert.deepStrictEqual(refund.outputs, { case: "refund", value: { amount: 7 } })
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "StageStarted" ? [event.path] : [])),
        ["route", "route/route_refund"],
      )
      const praise = yield* runInline(body, { kind: "praise" })
      assert.deepStrictEqual(praise.outputs, { case: "else", value: "none" })
    }),
  )

  it.effect("chooses by numbers and booleans, too", () =>
    Effect.gen(function* () {
      const set = (value: string) => `{ uses: set, with: { value: ${value} } }`
      const body = `inputs: { n: { type: integer } }
stages:
  - { id: size, uses: switch, with: { on: inputs.n, cases: { "1": ${set("one")}, "2": ${set("two")} }, else: ${set("many")} } }
  - { id: even, uses: switch, with: { on: inputs.n % 2 == 0, cases: { "true": ${set("even")}, "false": ${set("odd")} } } }
outputs: { said: "\${{ stages.size.output.value + ' ' + stages.even.output.value }}" }
`
      assert.deepStrictEqual(yield* problemsOf(body), [])
      const said = (n: number) => Effect.map(runInline(body, { n }), (one) => one.outputs["said"])
      assert.strictEqual(yield* said(1), "one odd")
      assert.strictEqual(yield* said(2), "two even")
      assert.strictEqual(yield* said(3), "many odd")
    }),
  )

  it.effect("has an output of one type for each case", () =>
    Effect.gen(function* () {
      const output = (expression: string) =>
        route("inputs.kind", `outputs: { out: "\${{ ${expression} }}" }\n`)
      const guarded =
        "stages.route.output.case == 'refund' ? stages.route.output.value.amount + 1 : 0"
      assert.deepStrictEqual(yield* problemsOf(output(guarded)), [])
      const [unguarded] = yield* problemsOf(output("stages.route.output.value.amount"))
      assert.match(unguarded ?? "", /^PL1202 stages\.route\.output\.value may be/)
      const [unknown] = yield* problemsOf(output("stages.route.output.case == 'refnd'"))
      assert.match(unknown ?? "", /^PL1205 /)
      const types = yield* typesOfOutputs(route("inputs.kind", outputs))
      assert.include(types, 'readonly case: "refund" | "complaint" | "else"')
      const [inside] = yield* problemsOf(
        output("has(stages.route_refund.output) ? stages.route_refund.output.amuont : 0"),
      )
      assert.match(inside ?? "", /^PL1201 .*has no field "amuont"/)
      const [doubt] = yield* problemsOf(output("stages.route_refund.output.amount"))
      assert.match(doubt ?? "", /^PL2006 .*it runs only in its case of "route"/)
    }),
  )

  it.effect("reports what is wrong with its expression and its cases", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf(`inputs: { n: { type: number } }
stages:
  - id: one
    uses: switch
    model: one
    with:
      on: "[inputs.n]"
      cases: { a: { uses: set, if: inputs.n > 1, with: { value: "\${{ inputs.m }}" } } }
      default: { uses: set, with: { value: 1 } }
`)
      assert.deepStrictEqual(problems.map((one) => one.slice(0, 6)).toSorted(), [
        "PL0101",
        "PL0110",
        "PL0110",
        "PL1201",
        "PL1204",
      ])
    }),
  )

  it.effect("fails with class invalid_request for a value without a case", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(
        runInline(
          `inputs: { word: { type: string } }
stages: [{ id: one, uses: switch, with: { on: inputs.word, cases: { a: { uses: set, with: { value: 1 } } } } }]
`,
          { word: "b" },
        ),
      )
      if (failed._tag !== "RunFailed") return assert.fail(String(failed))
      assert.include(failed.reason, {
        class: "invalid_request",
        message: 'no case of "one" is "b"',
      })
    }),
  )

  it.effect("chooses for each item of a list", () =>
    Effect.gen(function* () {
      const body = `inputs: { rows: { type: array, items: { type: object, required: [kind, n], properties: { kind: { enum: [a, b] }, n: { type: integer } } } } }
stages:
  - id: each
    for_each: { in: inputs.rows, as: row }
    uses: switch
    with:
      on: row.kind
      cases:
        a: { uses: set, with: { value: "\${{ row.n * 10 }}" } }
        b: { id: second, stages: [{ id: twice, uses: set, with: { value: "\${{ row.n * 2 }}" } }, { id: more, uses: set, with: { value: "\${{ stages.twice.output + 1 }}" } }] }
outputs: { out: "\${{ stages.each.output.map(one, one.case == 'a' ? one.value : one.value.more) }}" }
`
      assert.deepStrictEqual(yield* problemsOf(body), [])
      const rows = [
        { kind: "a", n: 1 },
        { kind: "b", n: 2 },
      ]
      const { outputs: found } = yield* runInline(body, { rows })
      assert.deepStrictEqual(found, { out: [10, 5] })
    }),
  )

  it.effect("resumes in its case after the answer to a question", () =>
    Effect.gen(function* () {
      const file = join(mkdtempSync(join(tmpdir(), "planloom-switch-")), "runs.db")
      const store = yield* openStore(file)
      const { pipeline } = yield* loadInline(route("inputs.kind", outputs))
      const first = yield* run(pipeline, { kind: "complaint" }, { store, run: "r" })
      assert.strictEqual(first.status, "suspended")
      assert.deepStrictEqual(
        first.waits?.map(({ path }) => path),
        ["route/route_complaint"],
      )
      const result = yield* answer(
        pipeline,
        "r",
        { value: { approved: true }, by: "ann" },
        { store },
      )
      assert.deepStrictEqual(result?.outputs, {
        case: "complaint",
        value: { approved: true, comment: "", by: "ann" },
      })
    }).pipe(Effect.scoped),
  )

  it.effect("is estimated with the stages of all its cases", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* loadInline(route("inputs.kind", outputs))
      const { stages } = yield* estimateRun(pipeline, { kind: "refund" })
      assert.deepStrictEqual(
        stages.map(({ path }) => path),
        ["route", "route/route_refund", "route/route_complaint", "route/route_else"],
      )
    }).pipe(Effect.scoped),
  )
})
