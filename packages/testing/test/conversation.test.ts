/** The conversation of the repository: what its hooks and experiment make of the prompt, user by user. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import hooks from "@planloom/hooks"
import { definePlugin, type JsonObject, type RunEvent } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"

const ada = { id: "u_1", name: "Ada", tier: "free", language: "en", zone: "UTC" }
const MORNING_MS = 8 * 3_600_000

/** The system prompt and the request of one run, and its events. */
const asked = (user: JsonObject, inputs: JsonObject = { message: "What is the rate?" }) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* TestClock.setTime(MORNING_MS)
      const provider = scriptedProvider([{ text: "It is 17.45." }])
      const empty = definePlugin({ id: "anthropic", summary: "No models." })
      const { pipeline } = yield* load(
        join(import.meta.dirname, "../../../workflows/conversation.yaml"),
        {
          plugins: {
            "@planloom/stages": async () => stages,
            "@planloom/hooks": async () => hooks,
            "@planloom/provider-anthropic": async () => empty,
          },
          extraPlugins: [
            definePlugin({
              id: "script",
              summary: "Replies.",
              components: { providers: [provider] },
            }),
          ],
          modelsOverride: ["scripted/one"],
        },
      )
      const events: Array<RunEvent> = []
      yield* run(pipeline, inputs, { user, onEvent: (event) => void events.push(event) })
      const [request] = provider.requests
      const system = request!.system!.map(({ text }) => text).join("\n\n")
      return { system, messages: request!.messages, events }
    }),
  )

const variantOf = (events: ReadonlyArray<RunEvent>): string =>
  events.flatMap((event) => (event.type === "VariantAssigned" ? [event.variant] : []))[0]!

const tones: { readonly [variant: string]: string } = {
  control: "You are a helpful assistant",
  friendly: "You are a warm, friendly assistant",
  professional: "You are a professional financial assistant",
}

describe("the prompt of the conversation", () => {
  it.effect("has the tone of the user's variant, which is the same in every run", () =>
    Effect.gen(function* () {
      const seen = new Set<string>()
      for (let number = 1; number <= 8; number++) {
        const user = { ...ada, id: `u_${number}` }
        const { events, system } = yield* asked(user)
        const variant = variantOf(events)
        seen.add(variant)
        assert.isTrue(system.startsWith(tones[variant]!), `${variant}: ${system}`)
        assert.strictEqual(variantOf((yield* asked(user)).events), variant)
      }
      assert.deepStrictEqual([...seen].toSorted(), ["control", "friendly", "professional"])
    }),
  )

  it.effect("has the tone of the user's time of day", () =>
    Effect.gen(function* () {
      assert.include((yield* asked(ada)).system, "It's morning. Be energetic and positive.")
      const { system } = yield* asked({ ...ada, zone: "Asia/Tokyo" })
      assert.include(system, "It's afternoon. Be efficient and focused.")
    }),
  )

  it.effect("has more for users of a tier, for debug users and in another language", () =>
    Effect.gen(function* () {
      const { system: plain } = yield* asked(ada)
      for (const [more, text] of [
        [{ tier: "premium" }, "Offer priority support."],
        [{ id: "diego@felixpago.com" }, "DEBUG MODE ACTIVE"],
        [{ language: "es" }, "Answer in Spanish (es)."],
      ] as const) {
        assert.notInclude(plain, text)
        assert.include((yield* asked({ ...ada, ...more })).system, text)
      }
    }),
  )

  it.effect("and the messages have no personal data, even if a hook or the user wrote it", () =>
    Effect.gen(function* () {
      const { messages, system } = yield* asked(
        { ...ada, id: "ada@example.org" },
        { message: "Write to ada@example.org, not help@example.org." },
      )
      assert.include(JSON.stringify(messages), "Write to [email], not help@example.org.")
      assert.include(system, "customer [email]")
    }),
  )

  it.effect("is shorter in the modes routing and minimal", () =>
    Effect.gen(function* () {
      const inMode = (mode: string) =>
        Effect.map(asked(ada, { message: "Hello", mode }), ({ system }) => system)
      const [full, routing, minimal] = yield* Effect.all([
        inMode("full"),
        inMode("routing"),
        inMode("minimal"),
      ])
      assert.include(routing, "You are routing")
      assert.notInclude(routing, "helpful assistant")
      assert.include(minimal, "Do the task below")
      assert.isAbove(full.length, routing.length)
      assert.isAbove(routing.length, minimal.length)
    }),
  )

  it.effect("is explained by the patches of its hooks", () =>
    Effect.gen(function* () {
      const { events } = yield* asked({ ...ada, tier: "premium" })
      const ran = events.filter((event) => event.type === "HookRan")
      assert.deepInclude(
        ran.map(({ hook, of, patch }) => ({ hook, of, path: patch?.[0]?.path })),
        { hook: "segment", of: "user_profile", path: "/text" },
      )
    }),
  )
})
