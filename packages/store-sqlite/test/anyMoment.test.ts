/** Generated workflows, killed at any moment: they end as without a kill, and recorded work does not happen again. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { RunStore, Wait } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import type { Pipeline, RunOptions, RunResult } from "@planloom/core"
import { giveAnswer } from "@planloom/record"
import { openStore } from "../src/index.ts"
import { anyWorkflow, loadAny, type Whole, type World } from "./anyWorkflow.ts"
import { newFolder } from "./store.ts"
import { cases } from "../../../.config/cases.ts"

/** Deterministic answers: the same question always gets the same answer. */
const answerTo = ({ name }: Wait) => name.length

/** The effects that were over at a moment: the start or the end of the last effect. */
interface Past {
  readonly ended: ReadonlyArray<string>
  readonly last: string
}

/** An interrupted effect is over once its interruption is recorded: a few scheduler turns later. */
const SETTLED = 5

class Witness implements World {
  begun: Array<string> = []
  private ended: Array<string> = []
  /** By effect, the turn in which it was interrupted. */
  private stopped = new Map<string, number>()
  moment = 0
  turn = 0
  at: (moment: number, past: Past) => void = () => undefined
  begins = (effect: string) => this.happens(this.begun, effect)
  ends = (effect: string) => this.happens(this.ended, effect)
  stops = (effect: string) => void this.stopped.set(effect, this.turn)
  reset(): void {
    this.begun = []
    this.ended = []
    this.stopped = new Map()
    this.moment = 0
    this.at = () => undefined
  }
  private happens(list: Array<string>, effect: string): void {
    list.push(effect)
    const stopped = [...this.stopped].flatMap(([name, turn]) =>
      this.turn - turn > SETTLED ? [name] : [],
    )
    this.at(this.moment++, { ended: [...this.ended, ...stopped], last: effect })
  }
}

/** Advances the clock only if nothing else can happen. */
const untilDone = <A, E>(work: Effect.Effect<A, E>, witness: Witness) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    while (fiber.pollUnsafe() === undefined) {
      let before = -1
      for (let still = 0; still < 8 && fiber.pollUnsafe() === undefined; still++) {
        if (witness.moment !== before) still = 0
        before = witness.moment
        witness.turn++
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      if (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(1)
    }
    return yield* Fiber.join(fiber)
  })

const toEnd = (pipeline: Pipeline, options: RunOptions) =>
  Effect.catch(run(pipeline, {}, options), (error) =>
    error._tag === "RunFailed" ? Effect.succeed(error.result) : Effect.die(error),
  )

/** Answers every question and resumes the run until it ends. */
const recordedToEnd = (pipeline: Pipeline, store: RunStore, witness: Witness) =>
  untilDone(
    Effect.gen(function* () {
      for (;;) {
        const result = yield* toEnd(pipeline, { store, run: "r" })
        if (result.status !== "suspended") return result
        for (const wait of result.waits) {
          yield* giveAnswer(store, "r", { name: wait.name, value: answerTo(wait) })
        }
      }
    }),
    witness,
  )

/** Removes timing differences: which of two failures comes first, and what it cancels. */
const ending = ({ outputs, status }: RunResult) => ({ status, outputs })

/** Repeats what the process did until it was killed at this moment. */
const copyStore = (from: string, to: string): void => {
  mkdirSync(to)
  for (const name of ["runs.db", "runs.db-wal"]) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  }
}

const inStore = <A, E>(folder: string, use: (store: RunStore) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(openStore(join(folder, "runs.db")), use))

const holds = (whole: Whole, kills: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const witness = new Witness()
    const folder = newFolder()
    const { pipeline } = yield* loadAny(whole, folder, witness)
    const unrecorded = yield* untilDone(
      toEnd(pipeline, { run: "r", answer: (wait) => Effect.succeed(answerTo(wait)) }),
      witness,
    )
    const expected = ending(unrecorded)
    const moments = witness.moment
    witness.reset()
    const at = new Map(kills.map((share) => [Math.floor(share * moments), 0] as const))
    const pasts = new Map<number, Past>()
    const live = join(folder, "live")
    mkdirSync(live)
    witness.at = (moment, past) => {
      if (!at.has(moment)) return
      copyStore(live, join(folder, `killed-${moment}`))
      pasts.set(moment, past)
    }
    const recorded = yield* inStore(live, (store) => recordedToEnd(pipeline, store, witness))
    assert.deepStrictEqual(ending(recorded), expected, "recorded")
    assert.deepStrictEqual(witness.begun.length, new Set(witness.begun).size, "each effect once")
    for (const [moment, past] of pasts) {
      witness.reset()
      const dead = join(folder, `killed-${moment}`)
      const again = yield* inStore(dead, (store) => recordedToEnd(pipeline, store, witness))
      assert.deepStrictEqual(ending(again), expected, `killed at ${moment}`)
      const repeated = witness.begun.filter(
        (effect) => effect !== past.last && past.ended.includes(effect),
      )
      assert.deepStrictEqual(repeated, [], `killed at ${moment}, done again`)
    }
  })

describe("a generated workflow on the SQLite store", { timeout: 120_000 }, () => {
  // oxlint-disable-next-line vitest/expect-expect -- `holds` asserts
  it("killed at any moment ends the same and repeats only work in flight", () =>
    fc.assert(
      fc.asyncProperty(
        anyWorkflow,
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 4 }),
        (whole, kills) =>
          Effect.runPromise(
            Effect.scoped(holds(whole, kills)).pipe(Effect.provide(TestClock.layer())),
          ),
      ),
      { numRuns: cases(20, 2) },
    ))
})
