/** What every gate promises. */
import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  ModelFailed,
  type Draft,
  type Gate,
  type GateContext,
  type Released,
} from "@planloom/plugin/effect"
import { failureOf } from "./expectations.ts"
import { expectFinding } from "./findings.ts"
import { expectInterruptible } from "./interrupted.ts"
import { gateContext } from "./callContext.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

export interface GateCase {
  readonly name: string
  readonly text: string
  /** The text that the gate settles. */
  readonly settled: string
  readonly about?: Partial<Omit<Draft, "text" | "part">>
  readonly context?: Partial<GateContext>
}

/** Registers the tests of one gate. */
export const gateSuite = (
  { describe, it }: SuiteRunner,
  name: string,
  gate: Gate,
  cases: ReadonlyArray<GateCase>,
): void => {
  describe(`gate ${name}`, () => {
    for (const one of cases) {
      it(`${one.name}: settles the same text, once and last, however the reply arrives`, async () => {
        for (const pieces of divisions(one.text)) {
          const parts = await Effect.runPromise(passed(gate, one, Stream.fromIterable(pieces)))
          const settled = parts.filter((part) => part.type === "settled")
          assert.equal(settled.length, 1, `it settled ${settled.length} times`)
          const last = parts.at(-1)!
          assert.ok(last.type === "settled", "it released text after it had settled")
          assert.equal(last.text, one.settled)
          for (const finding of last.findings) expectFinding(finding, one.text, "its finding")
        }
      })

      it(`${one.name}: does not settle a reply that breaks off`, async () => {
        const lost = new ModelFailed({ class: "unavailable", model: "test/one", message: "lost" })
        const failure = await failureOf(passed(gate, one, Stream.fail(lost)), "the gate")
        assert.equal(failure.message, "lost")
      })

      it(`${one.name}: stops at once when it is interrupted`, async () => {
        const started = Effect.runSync(Deferred.make<void>())
        const text = Stream.fromEffect(
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never),
        )
        await expectInterruptible(
          passed(gate, one, text),
          Effect.runPromise(Deferred.await(started)),
          `the gate ${name}`,
        )
      })
    }
  })
}

const passed = (
  gate: Gate,
  { about, context }: GateCase,
  text: Stream.Stream<string, ModelFailed>,
): Effect.Effect<ReadonlyArray<Released>, { readonly message: string }> =>
  Stream.runCollect(
    gate.open(
      { request: "", turns: [], calls: [], data: null, ...about },
      gateContext({ ...context }),
    )(text),
  )

/** The whole, every character by itself, and pieces of three. */
const divisions = (text: string): ReadonlyArray<ReadonlyArray<string>> => [
  [text],
  [...text],
  text.match(/[^]{1,3}/g) ?? [],
]
