/** Replies of providers that break their contract. */
import { assert, describe, it } from "@effect/vitest"
import type { ModelPart, ModelReply, Provider } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { fromProvider } from "./fromProvider.ts"

const whole = {
  text: "Hello.",
  reasoning: "",
  toolCalls: [],
  finish: "stop",
  usage: { input: 1, output: 1 },
} satisfies Omit<ModelReply, "model">

const asked = (reply: unknown) => {
  const provider: Provider = {
    id: "plain",
    summary: "Plain JavaScript.",
    generate: () => Effect.succeed(reply as typeof whole),
  }
  const request = { model: "one", system: [], messages: [] }
  return fromProvider(
    { name: "plain/one", provider } as never,
    request as never,
    { received: undefined },
    () => Effect.succeed(false),
  )
}

const streamed = (part: unknown) => {
  const provider: Provider = {
    id: "plain",
    summary: "Plain JavaScript.",
    stream: () => Stream.make({ type: "text", text: "Hello." }, part as ModelPart),
  }
  const request = { model: "one", system: [], messages: [] }
  return fromProvider(
    { name: "plain/one", provider } as never,
    request as never,
    { received: undefined },
    () => Effect.succeed(false),
  )
}

describe("a part of a provider's stream", () => {
  it.effect.each([
    [{ type: "text" }, "text"],
    [{ type: "reasoning", text: 5 }, "text"],
    [{ type: "tool_call", id: "1", name: "find", arguments: {} }, "call"],
    [{ type: "tool_call", call: { id: "1" } }, "call"],
    [{ type: "finish", usage: {} }, "reason"],
    [{ type: "finish", reason: "stop" }, "usage"],
    [{ type: "token", text: "a" }, "type"],
    [undefined, "type"],
  ])("that is %o fails and names the field", ([part, field]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(streamed(part))
      assert.strictEqual(failure.class, "internal")
      assert.include(failure.message, `provider "plain" streamed a part without a valid "${field}"`)
    }),
  )
})

describe("a provider's reply", () => {
  it.effect("with every field is given back", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asked(whole), whole)
    }),
  )

  it.effect.each(Object.keys(whole))("without %s fails and names the field", (field) =>
    Effect.gen(function* () {
      for (const value of [undefined, 5]) {
        const failure = yield* Effect.flip(asked({ ...whole, [field]: value }))
        assert.strictEqual(failure.class, "internal")
        assert.include(
          failure.message,
          `provider "plain" returned a reply without a valid "${field}"`,
        )
      }
    }),
  )

  it.effect("that is undefined fails", () =>
    Effect.gen(function* () {
      assert.include((yield* Effect.flip(asked(undefined))).message, '"text"')
    }),
  )
})
