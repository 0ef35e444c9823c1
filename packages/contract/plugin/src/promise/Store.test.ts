/** Stores in promise style: events are written in order, and nothing is recorded after a failure. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import type { RunEvent } from "../run/Event.ts"
import { StoreFailed } from "../run/StoreFailed.ts"
import type { Journal } from "./Journal.ts"
import { store, type RunStore } from "./Store.ts"

const event = (seq: number): RunEvent => ({ type: "RunCancelled", reason: "", seq, at: seq })

const opened = (journal: Partial<Journal>, calls: Array<string> = []) =>
  Effect.runPromise(
    store({
      id: "test",
      summary: "A store of a test.",
      open: async () => ({
        epoch: 1,
        events: [],
        onCancel: () => {},
        journal: {
          lookup: () => undefined,
          record: (name: string) => void calls.push(`record ${name}`),
          ...journal,
        },
        close: () => {
          calls.push("close")
          return "closed"
        },
      }),
    } as unknown as RunStore).open({ run: "r", workflow: "w", inputs: {} }),
  )

it("A store in promise style writes one event after the other, all of them before it closes the run", async () => {
  const calls: Array<string> = []
  const waiting: Array<() => void> = []
  const { close, journal } = await opened(
    {
      event: ({ seq }) => {
        calls.push(`begin ${seq}`)
        return new Promise<void>((resolve) => {
          waiting.push(() => {
            calls.push(`end ${seq}`)
            resolve()
          })
        })
      },
    },
    calls,
  )
  for (const seq of [0, 1]) journal.event(event(seq))
  expect(calls).toEqual(["begin 0"])
  const closed = Effect.runPromise(close)
  waiting.shift()!()
  await Promise.resolve()
  while (waiting.length === 0) await Promise.resolve()
  waiting.shift()!()
  expect(await closed).toBe("closed")
  expect(calls).toEqual(["begin 0", "end 0", "begin 1", "end 1", "close"])
})

it.each([
  ["an event cannot be written", { event: () => Promise.reject(new Error("disk full")) }],
  [
    "a step cannot be recorded",
    {
      record: () => {
        throw new Error("disk full")
      },
    },
  ],
] as const)("A store in promise style records nothing more after %s", async (_, broken) => {
  const calls: Array<string> = []
  const { close, journal } = await opened({ event: () => {}, ...broken }, calls)
  journal.event(event(0))
  // A rejected write is known to the journal when its promise has settled.
  await new Promise((resolve) => setImmediate(resolve))
  await Effect.runPromiseExit(journal.step("a", Effect.succeed(1)))
  let effects = 0
  const exit = await Effect.runPromiseExit(
    journal.step(
      "b",
      Effect.sync(() => ++effects),
    ),
  )
  expect([Exit.isFailure(exit), effects]).toEqual([true, 0])
  const failure = await Effect.runPromise(Effect.flip(close))
  expect(failure).toBeInstanceOf(StoreFailed)
  expect([failure.reason, failure.message]).toEqual(["unavailable", "disk full"])
  expect(calls).toEqual([])
})

it("A store in promise style keeps the reason of a StoreFailed, and gets the time of the engine's clock", async () => {
  const one = store({
    show: (run: string, { now }: { readonly now: number }) => {
      throw new StoreFailed({ reason: "missing", message: `${run} ${typeof now}` })
    },
  } as unknown as RunStore)
  const failure = await Effect.runPromise(Effect.flip(one.show("r")))
  expect([failure.reason, failure.message]).toEqual(["missing", "r number"])
})
