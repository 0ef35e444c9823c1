/** The evaluation in workflows/, as CI runs it: without a model, on a copy of the sample device. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runEvaluation } from "@planloom/testing"
import { evaluationIn } from "./assistant.ts"

it.effect("the evaluation of the assistant holds its gates, and could miss them", () =>
  Effect.gen(function* () {
    const measure = (edit: (text: string) => string, some: { readonly filter?: string } = {}) =>
      Effect.scoped(
        Effect.flatMap(evaluationIn(edit), ({ file, load }) =>
          runEvaluation(file, { load, ...some }),
        ),
      )
    const report = yield* measure((text) => text)
    assert.deepStrictEqual(report.diagnostics, [])
    assert.deepStrictEqual(
      report.gates.filter(({ holds }) => holds !== true),
      [],
    )
    const { cases, degraded, failures } = report.variants["default"]!
    assert.isAtLeast(cases, 60)
    assert.strictEqual(degraded, cases)
    assert.deepStrictEqual(failures, {})
    const stricter = (text: string) => text.replace(/intent.mean >= [\d.]+/, "intent.mean > 1")
    const strict = yield* measure(stricter, { filter: "wifi" })
    assert.strictEqual(strict.gates[0]!.holds, false)
  }),
)

it.effect("the evaluation of follow-ups holds its gates, and needs the turns before them", () =>
  Effect.gen(function* () {
    const measure = (edit: (text: string) => string) =>
      Effect.scoped(
        Effect.flatMap(evaluationIn(edit, "device_assistant_turns"), ({ file, load }) =>
          runEvaluation(file, { load }),
        ),
      )
    const { diagnostics, gates, variants } = yield* measure((text) => text)
    assert.deepStrictEqual(diagnostics, [])
    assert.deepStrictEqual(
      gates.map(({ holds }) => holds),
      [true, true],
    )
    const firstTurns = yield* measure((text) => text.replaceAll(/session: .*/g, "session: {}"))
    assert.isBelow(firstTurns.variants["default"]!.passed, variants["default"]!.passed)
  }),
)
