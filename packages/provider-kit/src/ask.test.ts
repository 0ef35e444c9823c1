/** Limits on a clock of the test's own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { toFailureRecord } from "@planloom/plugin"
import { askParts, askWhole, type Asking } from "./ask.ts"
import { broken } from "./broken.ts"
import type { Wire } from "./Wire.ts"

const asking: Asking = {
  model: "acme/small",
  limits: { timeout: 1000, stall: 100 },
  trouble: broken,
}

const never = () => new Promise<never>(() => {})

describe("a reply in one piece", () => {
  it.effect("that does not begin in time is a timeout, and its request is ended", () =>
    Effect.gen(function* () {
      let given: Wire | undefined
      const call = yield* Effect.forkChild(
        Effect.flip(
          askWhole(asking, (wire) => {
            given = wire
            return never()
          }),
        ),
      )
      yield* TestClock.adjust(999)
      assert.isUndefined(call.pollUnsafe())
      yield* TestClock.adjust(1)
      const failure = yield* Fiber.join(call)
      assert.deepInclude(toFailureRecord(failure), {
        class: "timeout",
        message: "no answer within 1000 ms",
      })
      assert.isTrue(given?.signal.aborted)
    }),
  )

  it.effect("may take as long as it likes while signs of life come", () =>
    Effect.gen(function* () {
      let given: Wire | undefined
      const call = yield* Effect.forkChild(
        Effect.flip(
          askWhole(asking, (wire) => {
            given = wire
            return never()
          }),
        ),
      )
      for (let times = 0; times < 100; times++) {
        yield* TestClock.adjust(50)
        given!.hear()
      }
      assert.isUndefined(call.pollUnsafe())
      yield* TestClock.adjust(100)
      const failure = yield* Fiber.join(call)
      assert.deepInclude(toFailureRecord(failure), {
        class: "timeout",
        message: "the reply stalled: nothing came for 100 ms",
      })
    }),
  )

  it.effect("that begins early and stops is not waited for until it should have begun", () =>
    Effect.gen(function* () {
      const call = yield* Effect.forkChild(
        Effect.flip(
          askWhole(asking, (wire) => {
            wire.hear()
            return never()
          }),
        ),
      )
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(100)
      assert.strictEqual((yield* Fiber.join(call)).class, "timeout")
    }),
  )

  it.effect("that is interrupted ends its request", () =>
    Effect.gen(function* () {
      let given: Wire | undefined
      const call = yield* Effect.forkChild(
        askWhole(asking, (wire) => {
          given = wire
          return never()
        }),
      )
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(call)
      assert.isTrue(given?.signal.aborted)
    }),
  )
})

describe("a reply in pieces", () => {
  it.effect("does not stall while its reader is slow", () =>
    Effect.gen(function* () {
      const pieces = askParts(asking, async (wire) =>
        (async function* () {
          for (const piece of [1, 2, 3]) {
            wire.hear()
            yield piece
          }
        })(),
      )
      const reading = yield* Effect.forkChild(
        Stream.runCollect(Stream.tap(pieces, () => Effect.sleep(60_000))),
      )
      yield* TestClock.adjust(180_000)
      assert.deepStrictEqual(yield* Fiber.join(reading), [1, 2, 3])
    }),
  )

  it.effect("that stops in the middle is a timeout after what came", () =>
    Effect.gen(function* () {
      const pieces = askParts(asking, async (wire) => {
        return (async function* () {
          wire.hear()
          yield 1
          yield await never()
        })()
      })
      const got: Array<number> = []
      const reading = yield* Effect.forkChild(
        Effect.flip(Stream.runForEach(pieces, (piece) => Effect.sync(() => got.push(piece)))),
      )
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(100)
      assert.strictEqual((yield* Fiber.join(reading)).class, "timeout")
      assert.deepStrictEqual(got, [1])
    }),
  )
})

describe("what no service said", () => {
  const wire = (answered?: Wire["answered"]) => ({ answered, head: "" }) as Wire
  const at = (status: number) => ({ status, headers: new Headers({ "retry-after": "2" }) })

  it("tells a host that cannot be reached from a connection that broke off", () => {
    const refused = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })
    const asked = { ...wire(), origin: "http://127.0.0.1:8080" } as Wire
    assert.deepInclude(broken(refused, asked), {
      class: "unavailable",
      message: "http://127.0.0.1:8080 cannot be reached (ECONNREFUSED)",
    })
    assert.strictEqual(
      broken(new TypeError("terminated"), wire(at(200))).message,
      "the connection broke off in the middle of the reply",
    )
  })

  it("knows a request that nobody can have got from one that somebody may have worked on", () => {
    const unsent = (code: string, answered?: Wire["answered"]) =>
      broken(new TypeError("fetch failed", { cause: { code } }), wire(answered)).unsent === true
    for (const code of ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]) {
      assert.isTrue(unsent(code), code)
    }
    for (const code of ["ECONNRESET", "ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT"]) {
      assert.isFalse(unsent(code), code)
    }
    assert.isFalse(unsent("ECONNREFUSED", at(503)))
  })

  it("trusts the status of an error whose body cannot be read", () => {
    assert.deepInclude(broken(new SyntaxError("Unexpected end"), wire(at(429))), {
      status: 429,
      retryAfter: 2000,
    })
  })
})
