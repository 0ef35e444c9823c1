/** Turns whose replies are blocked: what was done is said, nothing else is claimed, and no flow advances. */
import { assert, describe, it } from "@effect/vitest"
import { validator, type JsonObject } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { routed, type Reply } from "./routeWorld.ts"

const ESCALATE = "A person takes over."
const SENT = "The money is on its way."
const PLAIN = "Send money ran."

const blocker = (isStreamed: boolean) =>
  validator({
    id: "blocker",
    summary: "Blocks a word.",
    can: ["pass", "block"],
    ...(isStreamed ? { window: 12 } : {}),
    validate: (text) =>
      text.includes("forbidden")
        ? { verdict: "block", confidence: 1, reason: "a word" }
        : { verdict: "pass", confidence: 1, reason: "fine" },
  })

const states = ["amount", "confirm"] as const

interface Turn {
  readonly hasModel: boolean
  readonly isStreamed: boolean
  /** A state of the flow, or none. */
  readonly state: (typeof states)[number] | undefined
  readonly tools: ReadonlyArray<"create_quote" | "create_transfer">
  readonly isForbidden: boolean
  readonly receipt: "clean" | "forbidden" | "failed"
}

const turns: fc.Arbitrary<Turn> = fc.record({
  hasModel: fc.boolean(),
  isStreamed: fc.boolean(),
  state: fc.constantFrom(undefined, ...states),
  tools: fc.constantFrom(
    [],
    ["create_quote"],
    ["create_transfer"],
    ["create_quote", "create_transfer"],
  ),
  isForbidden: fc.boolean(),
  receipt: fc.constantFrom("clean", "forbidden", "failed"),
})

/** Replies of the model: a handover where no flow is open, then each call, then a text for each hop that may answer. */
const repliesOf = ({ isForbidden, state, tools }: Turn): ReadonlyArray<Reply> => [
  ...(state === undefined
    ? [
        { calls: [["hand_over", { agent: "transfers", reason: "Money." }] as const] },
        { calls: [["stay", {}] as const] },
      ]
    : []),
  ...tools.map((tool) => ({ calls: [[tool, { amount: 200 }] as const] })),
  { text: isForbidden ? "These are forbidden words." : "All set." },
]

const requests: { readonly [tools: string]: string } = {
  "": "hello",
  create_quote: "quote for 200 dollars",
  create_transfer: "send 200 dollars",
}

const placeIn = (state: string | undefined): JsonObject =>
  state === undefined ? { agent: "transfers" } : { agent: "transfers", flow: "send", state }

const played = (turn: Turn) =>
  Effect.map(
    routed(repliesOf(turn), {
      model: turn.hasModel,
      // Without a model one tool is asked for.
      request: requests[turn.tools.at(-1) ?? ""]!,
      current: turn.hasModel && turn.state === undefined ? null : placeIn(turn.state),
      given: "auto_approve: [create_transfer]",
      head: `texts: { escalate: { en: ${ESCALATE} } }\nshadow: { gate: [blocker] }`,
      language: "en",
      validators: [blocker(turn.isStreamed)],
      results: {
        create_quote: { text: turn.isForbidden ? "A forbidden price." : "The fee is 3 dollars." },
        create_transfer: { text: turn.receipt === "forbidden" ? "A forbidden receipt." : SENT },
      },
      failures: turn.receipt === "failed" ? { create_transfer: "The quote has expired" } : {},
    }),
    (given) => {
      assert.strictEqual(given.outcome._tag, "Success", JSON.stringify(given.outcome))
      const { events, output } = given
      const isBlocked = events.some(
        (event) => event.type === "Noted" && event.note === "reply_blocked",
      )
      const changes = events.filter(
        (event) =>
          event.type === "ToolCalled" &&
          event.tool === "create_transfer" &&
          event.failure === undefined,
      ).length
      return { output, isBlocked, changes }
    },
  )

const holds = (turn: Turn) =>
  Effect.map(played(turn), ({ changes, isBlocked, output }) => {
    const { agent, escalated, flow, place, state, text } = output
    assert.notInclude(text, "forbidden")
    if (changes === 0) {
      assert.notInclude(text, SENT)
      assert.notInclude(text, PLAIN)
    }
    if (!isBlocked) return { isBlocked, changes }
    assert.isTrue(escalated)
    if (changes > 0) {
      const said = turn.receipt === "forbidden" ? PLAIN : SENT
      assert.strictEqual(text, `${said}\n\n${ESCALATE}`)
      assert.deepStrictEqual([agent, flow, state], ["welcome", "", ""])
    } else {
      assert.strictEqual(text, ESCALATE)
      const before =
        turn.hasModel && turn.state === undefined ? { agent: "welcome" } : placeIn(turn.state)
      assert.deepStrictEqual(place, before)
    }
    return { isBlocked, changes }
  })

describe("a turn whose reply is blocked", () => {
  it("says what was done, claims nothing else, and advances no flow", async () => {
    let blocked = 0
    await fc.assert(
      fc.asyncProperty(turns, async (turn) => {
        const { isBlocked } = await Effect.runPromise(Effect.scoped(holds(turn)))
        if (isBlocked) blocked++
      }),
      { numRuns: cases(40) },
    )
    assert.isAbove(blocked, 5)
  })

  const whole = { isStreamed: false, isForbidden: true, receipt: "clean" } as const
  it.effect.each([
    { ...whole, hasModel: true, state: "confirm", tools: ["create_transfer"] },
    {
      ...whole,
      hasModel: false,
      state: "confirm",
      tools: ["create_transfer"],
      receipt: "forbidden",
    },
    { ...whole, hasModel: true, state: undefined, tools: ["create_transfer"], isStreamed: true },
  ] as ReadonlyArray<Turn>)("is tried after a change: %o", (turn) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* holds(turn), { isBlocked: true, changes: 1 })
    }),
  )

  it.effect.each([
    { ...whole, hasModel: true, state: "amount", tools: ["create_quote"] },
    { ...whole, hasModel: false, state: "amount", tools: ["create_quote"] },
  ] as ReadonlyArray<Turn>)("is tried where a flow would advance: %o", (turn) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* holds(turn), { isBlocked: true, changes: 0 })
    }),
  )

  it.effect("says after a later review, too, what was done", () =>
    Effect.gen(function* () {
      const { outcome } = yield* routed(
        [{ calls: [["create_transfer", { amount: 200 }]] }, { text: "Some forbidden words." }],
        {
          request: "send 200 dollars",
          current: placeIn("confirm"),
          given: "auto_approve: [create_transfer]",
          head: `texts: { escalate: { en: ${ESCALATE} } }\nshadow: { async: [blocker] }`,
          language: "en",
          validators: [blocker(false)],
        },
      )
      assert.strictEqual(outcome._tag, "Success")
      if (outcome._tag === "Success") {
        assert.deepStrictEqual(outcome.value.outputs, { text: `${PLAIN}\n\n${ESCALATE}` })
      }
    }),
  )
})

describe("a reviewer of a reply without a model", () => {
  it.effect("sees the calls that the reply is about", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const reader = validator({
        id: "reader",
        summary: "Reads the calls.",
        validate: (_, __, { calls }) => {
          seen.push(...calls.map(({ ok, tool }) => `${tool} ${ok}`))
          return { verdict: "pass", confidence: 1, reason: "fine" }
        },
      })
      const { called } = yield* routed([], {
        model: false,
        request: "what is the exchange rate",
        head: "shadow: { gate: [reader] }",
        language: "en",
        validators: [reader],
      })
      assert.deepStrictEqual(called, ["get_rate"])
      assert.deepStrictEqual(seen, ["get_rate true"])
    }),
  )
})
