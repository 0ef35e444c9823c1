/** The conversation of the repository: what its hooks and experiment make of the prompt, user by user. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { memorySessions, run, type RunOptions } from "@planloom/core"
import { load } from "@planloom/embed"
import hooks from "@planloom/hooks"
import { definePlugin, type JsonObject, type RunEvent } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"
import { runWorkflowTest } from "../src/workflow/runWorkflowTest.ts"

const ada = { id: "u_1", name: "Ada", tier: "free", language: "en", zone: "UTC" }
const MORNING_MS = 8 * 3_600_000

/** The system prompt and the request of one run, and its events. */
const asked = (
  user: JsonObject,
  inputs: JsonObject = { message: "What is the rate?" },
  options: RunOptions = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* TestClock.setTime(MORNING_MS)
      const provider = scriptedProvider([{ text: "It is 17.45." }])
      const empty = definePlugin({ id: "anthropic", summary: "No models." })
      const { pipeline } = yield* load(
        join(import.meta.dirname, "../../../../workflows/conversation.yaml"),
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
      yield* run(pipeline, inputs, {
        ...options,
        user,
        onEvent: (event) => void events.push(event),
      })
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

/** A text of each section, as it is assembled. */
const sectionTexts: { readonly [section: string]: RegExp } = {
  base_prompt: /You are a .* assistant/,
  agent_description: /You take part in one conversation/,
  navigation: /another colleague/,
  language_directive: /Answer in the language/,
  user_profile: /The person is Ada, customer/,
  product_context: /One loan of 800 USD/,
  compacted_history: /Person: Hello\nYou: It is 17.45/,
  flow_state: /Step: confirm/,
  routing_identity: /You are routing/,
  agent_summary: /Explains rates, quotes and transfers\./,
  user_name: /The person is called Ada/,
  task_instructions: /Do the task below/,
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

  it.effect.each([
    ["morning", "UTC", "It's morning. Be energetic and positive."],
    ["afternoon", "Asia/Tokyo", "It's afternoon. Be efficient and focused."],
    ["evening", "Asia/Anadyr", "It's evening. Be relaxed and patient."],
  ] as const)("has a tone for the %s where it is one for the user, in %s", ([, zone, tone]) =>
    Effect.map(asked({ ...ada, zone }), ({ system }) => {
      const [description] = system.match(/You take part in one conversation[^]*?\n\n.*/)!
      assert.include(description, tone)
    }),
  )

  it.effect.each(["test_user_123", "diego@felixpago.com"])(
    "has instructions to explain each choice for the debug user %s alone",
    (id) =>
      Effect.gen(function* () {
        assert.include((yield* asked({ ...ada, id })).system, "DEBUG MODE ACTIVE")
        assert.notInclude((yield* asked(ada)).system, "DEBUG MODE ACTIVE")
      }),
  )

  it.effect("has the features of premium users for users of that tier alone", () =>
    Effect.gen(function* () {
      const offer = "Offer priority support."
      assert.include((yield* asked({ ...ada, tier: "premium" })).system, offer)
      assert.notInclude((yield* asked(ada)).system, offer)
    }),
  )

  it.effect("has the language of users who have another one", () =>
    Effect.gen(function* () {
      const { system } = yield* asked({ ...ada, language: "es" })
      assert.include(system, "Answer in Spanish (es).")
      assert.notInclude((yield* asked(ada)).system, "Answer in English")
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

  it.effect.each([
    [
      "full",
      "base_prompt agent_description navigation language_directive user_profile product_context compacted_history flow_state",
    ],
    ["routing", "routing_identity agent_summary navigation language_directive user_name"],
    ["minimal", "task_instructions language_directive"],
  ] as const)("has in the mode %s these sections alone, in this order: %s", ([mode, sections]) =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      const context = { product_context: "One loan of 800 USD.", flow_state: "Step: confirm." }
      yield* asked(ada, { message: "Hello" }, { session: "s", sessions })
      const inputs = { message: "Yes", mode, ...context }
      const { system } = yield* asked(ada, inputs, { session: "s", sessions })
      const found = Object.entries(sectionTexts)
        .map(([section, text]) => ({ section, at: system.search(text) }))
        .filter(({ at }) => at !== -1)
        .toSorted((a, b) => a.at - b.at)
      assert.strictEqual(found.map(({ section }) => section).join(" "), sections)
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

it.effect("passes its own tests, which give it turns before", () =>
  Effect.gen(function* () {
    const empty = definePlugin({ id: "anthropic", summary: "No models." })
    const { diagnostics, tests } = yield* runWorkflowTest(
      join(import.meta.dirname, "../../../../workflows/conversation.test.yaml"),
      {
        load: {
          plugins: {
            "@planloom/stages": async () => stages,
            "@planloom/hooks": async () => hooks,
            "@planloom/provider-anthropic": async () => empty,
          },
        },
      },
    )
    assert.deepStrictEqual(diagnostics, [])
    assert.deepStrictEqual(
      tests.flatMap(({ failures }) => failures),
      [],
    )
    assert.lengthOf(tests, 2)
  }),
)
