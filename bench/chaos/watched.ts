/** A store whose every step is seen by a witness, and may be the last thing its process does. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Failure, Journal, Json, RunStore } from "@planloom/plugin/effect"
import type { openWitness } from "./Witness.ts"

/** The moment to die: before an effect, between its end and its record, after the record, when a run is over, or any of these. */
export type Moment = "started" | "ended" | "recorded" | "over" | "any"

/** SIGKILL to this very process at the so-manieth such moment; 0 is never. */
export const dyingAt = (moment: Moment, count: number) => {
  let left = count
  return (now: Moment): void => {
    if (moment !== "any" && moment !== now) return
    if (--left === 0) process.kill(process.pid, "SIGKILL")
  }
}

export const watched = (
  store: RunStore,
  witness: ReturnType<typeof openWitness>,
  mayDie: (now: Moment) => void,
): RunStore => {
  const open: RunStore["open"] = (start) =>
    Effect.map(store.open(start), (opened) => {
      const { run } = start
      witness.see("began", run)
      const pass = (moment: "started" | "ended" | "recorded", name: string) => {
        witness.see(moment, run, name)
        mayDie(moment)
      }
      const step: Journal["step"] = <A extends Json, E extends Failure, R>(
        name: string,
        effect: Effect.Effect<A, E, R>,
      ) => {
        let executed = false
        const seen = Effect.suspend(() => {
          executed = true
          pass("started", name)
          return Effect.onExit(effect, (exit) =>
            Effect.sync(() => {
              // What dies has come to no outcome that a journal keeps.
              if (!Exit.hasDies(exit)) pass("ended", name)
            }),
          )
        })
        return Effect.onExit(opened.journal.step(name, seen), (exit) =>
          Effect.sync(() => {
            // What the store refuses is a defect.
            if (executed && !Exit.hasDies(exit)) pass("recorded", name)
          }),
        )
      }
      return { ...opened, journal: { ...opened.journal, step } }
    })
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "open") return open
      const found: unknown = Reflect.get(target, name)
      return typeof found === "function" ? (found.bind(target) as unknown) : found
    },
  })
}
