import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { ModelFailed } from "../run/Failure.ts"
import { streamed } from "./streamed.ts"
import { modelFailure } from "./Thrown.ts"

const lost = new ModelFailed({ class: "unavailable", model: "m/any", message: "lost" })
const thrown = modelFailure("m/any")

describe("an async iterable of a promise-style component", () => {
  it.effect("is asked for the next item once the one before it has been handled", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const items = async function* () {
        for (const name of ["a", "b"]) {
          order.push(`made ${name}`)
          yield name
        }
      }
      yield* Stream.runForEach(streamed(items, thrown), (name) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => order.push(`read ${name}`)),
        ),
      )
      assert.deepStrictEqual(order, ["made a", "read a", "made b", "read b"])
    }),
  )

  it.effect("ends and has its signal aborted when the reader leaves between two items", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const items = async function* ({ signal }: { readonly signal: AbortSignal }) {
        signal.addEventListener("abort", () => seen.push("aborted"))
        try {
          for (let at = 0; ; at++) yield at
        } finally {
          seen.push("ended")
        }
      }
      const read = yield* Stream.runCollect(Stream.take(streamed(items, thrown), 2))
      assert.deepStrictEqual([...read], [0, 1])
      assert.deepStrictEqual(seen, ["ended", "aborted"])
    }),
  )

  it.effect("has its signal aborted when the reader leaves while an item is awaited", () =>
    Effect.gen(function* () {
      const waits = Promise.withResolvers<void>()
      let wasAborted = false
      const items = async function* ({ signal }: { readonly signal: AbortSignal }) {
        yield await new Promise<string>((_, reject) => {
          signal.addEventListener("abort", () => {
            wasAborted = true
            reject(new Error("aborted"))
          })
          waits.resolve()
        })
      }
      const fiber = yield* Effect.forkChild(Stream.runDrain(streamed(items, thrown)))
      yield* Effect.promise(() => waits.promise)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(wasAborted)
    }),
  )

  it.effect("fails with the typed failure that it throws after its items", () =>
    Effect.gen(function* () {
      const read: Array<string> = []
      const items = async function* () {
        yield "a"
        throw lost
      }
      const exit = yield* Effect.exit(
        Stream.runForEach(streamed(items, thrown), (name) => Effect.sync(() => read.push(name))),
      )
      assert.deepStrictEqual(exit, Exit.fail(lost))
      assert.deepStrictEqual(read, ["a"])
    }),
  )

  it.effect("fails with the typed failure that is thrown before the first item", () =>
    Effect.gen(function* () {
      const start = (): AsyncIterable<string> => {
        throw lost
      }
      const exit = yield* Effect.exit(Stream.runDrain(streamed(start, thrown)))
      assert.deepStrictEqual(exit, Exit.fail(lost))
    }),
  )
})
