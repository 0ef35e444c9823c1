/** Time limits, interruption and transport errors of requests, on a test clock. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { toFailureRecord } from "@planloom/plugin/effect"
import { streamRequest, sendRequest, type RequestOptions } from "./sendRequest.ts"
import { transportError } from "./http/transportError.ts"
import type { HttpExchange } from "./http/HttpExchange.ts"

const options: RequestOptions = {
  model: "acme/small",
  limits: { timeout: 1000, stall: 100 },
  toProviderError: transportError,
}

const never = () => new Promise<never>(() => {})

describe("sendRequest", () => {
  it.effect("fails with timeout and aborts the request if no byte comes within `timeout`", () =>
    Effect.gen(function* () {
      let sent: HttpExchange | undefined
      const call = yield* Effect.forkChild(
        Effect.flip(
          sendRequest(options, (exchange) => {
            sent = exchange
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
      assert.isTrue(sent?.signal.aborted)
    }),
  )

  it.effect("waits past `timeout` as long as bytes keep coming", () =>
    Effect.gen(function* () {
      let sent: HttpExchange | undefined
      const call = yield* Effect.forkChild(
        Effect.flip(
          sendRequest(options, (exchange) => {
            sent = exchange
            return never()
          }),
        ),
      )
      for (let times = 0; times < 100; times++) {
        yield* TestClock.adjust(50)
        sent!.recordByte()
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

  it.effect("applies `stall` instead of `timeout` from the first byte on", () =>
    Effect.gen(function* () {
      const call = yield* Effect.forkChild(
        Effect.flip(
          sendRequest(options, (exchange) => {
            exchange.recordByte()
            return never()
          }),
        ),
      )
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(100)
      assert.strictEqual((yield* Fiber.join(call)).class, "timeout")
    }),
  )

  it.effect("aborts the request when interrupted", () =>
    Effect.gen(function* () {
      let sent: HttpExchange | undefined
      const call = yield* Effect.forkChild(
        sendRequest(options, (exchange) => {
          sent = exchange
          return never()
        }),
      )
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(call)
      assert.isTrue(sent?.signal.aborted)
    }),
  )
})

describe("streamRequest", () => {
  it.effect("does not count a slow consumer as a stall", () =>
    Effect.gen(function* () {
      const chunks = streamRequest(options, async (exchange) =>
        (async function* () {
          for (const chunk of [1, 2, 3]) {
            exchange.recordByte()
            yield chunk
          }
        })(),
      )
      const reading = yield* Effect.forkChild(
        Stream.runCollect(Stream.tap(chunks, () => Effect.sleep(60_000))),
      )
      yield* TestClock.adjust(180_000)
      assert.deepStrictEqual(yield* Fiber.join(reading), [1, 2, 3])
    }),
  )

  it.effect("emits the received chunks, then fails with timeout if the stream stalls", () =>
    Effect.gen(function* () {
      const chunks = streamRequest(options, async (exchange) => {
        return (async function* () {
          exchange.recordByte()
          yield 1
          yield await never()
        })()
      })
      const got: Array<number> = []
      const reading = yield* Effect.forkChild(
        Effect.flip(Stream.runForEach(chunks, (chunk) => Effect.sync(() => got.push(chunk)))),
      )
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(100)
      assert.strictEqual((yield* Fiber.join(reading)).class, "timeout")
      assert.deepStrictEqual(got, [1])
    }),
  )
})

describe("transportError", () => {
  const exchange = (response?: HttpExchange["response"]) => ({ response, head: "" }) as HttpExchange
  const at = (status: number) => ({ status, headers: new Headers({ "retry-after": "2" }) })

  it("distinguishes an unreachable host from a connection closed within the reply", () => {
    const refused = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })
    const requested = { ...exchange(), origin: "http://127.0.0.1:8080" } as HttpExchange
    assert.deepInclude(transportError(refused, requested), {
      class: "unavailable",
      message: "http://127.0.0.1:8080 cannot be reached (ECONNREFUSED)",
    })
    const killed = new TypeError("fetch failed", { cause: { code: "UND_ERR_SOCKET" } })
    assert.strictEqual(
      transportError(killed, requested).message,
      "http://127.0.0.1:8080 ended the connection before it answered (UND_ERR_SOCKET)",
    )
    assert.strictEqual(
      transportError(new TypeError("terminated"), exchange(at(200))).message,
      "the connection broke off in the middle of the reply",
    )
  })

  it("marks a request as unsent only if no connection was established", () => {
    const unsent = (code: string, response?: HttpExchange["response"]) =>
      transportError(new TypeError("fetch failed", { cause: { code } }), exchange(response))
        .unsent === true
    for (const code of ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]) {
      assert.isTrue(unsent(code), code)
    }
    for (const code of ["ECONNRESET", "ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT"]) {
      assert.isFalse(unsent(code), code)
    }
    assert.isFalse(unsent("ECONNREFUSED", at(503)))
  })

  it("keeps the status and retry delay of an error response with an unreadable body", () => {
    assert.deepInclude(transportError(new SyntaxError("Unexpected end"), exchange(at(429))), {
      status: 429,
      retryAfter: 2000,
    })
  })
})
