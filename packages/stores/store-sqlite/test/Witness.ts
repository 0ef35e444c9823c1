/** Runs of generated workflows to their end, in virtual time, and what they did on the way. */
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import type { RunStore, Wait } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import type { Pipeline, RunOptions } from "@planloom/core"
import { giveAnswer } from "@planloom/record"
import type { World } from "./workPlugin.ts"

/** Deterministic answers: the same question always gets the same answer. */
export const answerTo = ({ name }: Wait) => name.length

/** The effects that were over at a moment: the start or the end of the last effect. */
export interface Past {
  readonly ended: ReadonlyArray<string>
  readonly last: string
}

/** An interrupted effect is over once its interruption is recorded: a few scheduler turns later. */
const SETTLED = 5

export class Witness implements World {
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
export const untilDone = <A, E>(work: Effect.Effect<A, E>, witness: Witness) =>
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

export const toEnd = (pipeline: Pipeline, options: RunOptions) =>
  Effect.catch(run(pipeline, {}, options), (error) =>
    error._tag === "RunFailed" ? Effect.succeed(error.result) : Effect.die(error),
  )

/** Answers every question and resumes the run until it ends. */
export const recordedToEnd = (pipeline: Pipeline, store: RunStore, witness: Witness) =>
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
