import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { lintPlan, type Plan } from "@planloom/planning"
import type { Clarified, Json, JsonObject } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { makeContext, runKind, type Given } from "../../../stage-kit/test/context.ts"
import { activity, marketTools, pairs } from "../../test/market.ts"
import { randomSteps } from "../../test/randomSteps.ts"
import { plan } from "./plan.ts"

const request = "What is moving on Uniswap?"

const planned = (steps: ReadonlyArray<Json>, more: JsonObject = {}): JsonObject => ({
  plan: { steps },
  ...more,
})

const withModel = (replies: ReadonlyArray<Json>, input: JsonObject = {}, more: Given = {}) => {
  const recorded = makeContext({ tools: marketTools, replies, ...more })
  return { recorded, run: runKind(plan, "model", { request, ...input }, recorded) }
}

const byWords = (said: string, input: JsonObject = {}, answers: ReadonlyArray<Clarified> = []) => {
  const recorded = makeContext({ tools: marketTools, answers })
  return { recorded, run: runKind(plan, "mechanical", { request: said, ...input }, recorded) }
}

/** Tool and params of each step. */
const callsOf = (output: JsonObject): ReadonlyArray<readonly [string, JsonObject]> =>
  (output["plan"] as unknown as Plan).steps.map(({ params, tool }) => [tool, params] as const)

describe("plan with a model", () => {
  it.effect("gives the plan of the reply, with references and `each`, as complete steps", () =>
    Effect.gen(function* () {
      const { recorded, run } = withModel([planned([activity, pairs], { confidence: 0.9 })])
      const output = yield* run
      const empty = { inputs: {}, satisfies: [] }
      assert.deepStrictEqual(output["plan"], {
        steps: [
          { ...empty, ...activity },
          { ...empty, ...pairs },
        ],
      })
      assert.strictEqual(output["confidence"], 0.9)
      assert.deepStrictEqual(output["notes"], [])
      const [asked] = recorded.asks
      const sections = asked!.prompt!.sections!.map(({ text }) => text).join("\n")
      assert.include(sections, '"name":"router_activity"')
      assert.include(sections, '"each": {"over"')
      assert.strictEqual(
        asked!.messages[0]!.content,
        `Request: ${JSON.stringify(request)}\nCalls that were made:\nnone`,
      )
      assert.deepInclude(recorded.notes, { note: "summary", data: "activity → pairs" })
    }),
  )

  it.effect(
    "shows what is known, and the tools that are chosen by name, pattern or group alone",
    () =>
      Effect.gen(function* () {
        const known = { last_router: "sushi_v2" }
        for (const tools of [["find_pairs"], ["find_*"], [{ group: "pairs" }]]) {
          const { recorded, run } = withModel([planned([{ ...activity, tool: "find_pairs" }])], {
            context: known,
            tools,
          })
          yield* Effect.flip(run)
          const [asked] = recorded.asks
          const sections = JSON.stringify(asked!.prompt!.sections)
          assert.include(sections, "find_pairs")
          assert.notInclude(sections, "get_transaction")
          assert.include(String(asked!.messages[0]!.content), 'Known: {"last_router":"sushi_v2"}')
          assert.include(JSON.stringify(asked!.schema), '"enum":["find_pairs"]')
        }
      }),
  )

  it.effect(
    "counts as certain without a confidence, and asks the model's question below the threshold",
    () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* withModel([planned([activity])]).run)["confidence"], 1)
        const unsure = planned([activity], { confidence: 0.6, clarification: "Which router?" })
        const failure = yield* Effect.flip(withModel([unsure]).run)
        assert.strictEqual(failure.class, "clarification")
        assert.strictEqual(failure.message, "Which router?")
        const { recorded, run } = withModel([unsure], { confidence: { threshold: 0.6 } })
        yield* run
        assert.deepInclude(recorded.notes, {
          note: "confidence",
          data: { confidence: 0.6, threshold: 0.6, asks: false },
        })
      }),
  )

  it.effect("asks for an empty plan in the first round, however sure the model is", () =>
    Effect.gen(function* () {
      const sure = planned([], { confidence: 1 })
      const asks = (reply: JsonObject, input: JsonObject = {}) =>
        Effect.map(Effect.flip(withModel([reply], input).run), ({ class: name, message }) => {
          assert.strictEqual(name, "clarification")
          return message
        })
      const engine = "I do not know what to look up for that. What exactly are you looking for?"
      assert.strictEqual(yield* asks(sure), engine)
      assert.strictEqual(yield* asks(sure, { confidence: { threshold: 0 } }), engine)
      assert.strictEqual(yield* asks(sure, { empty: "Name a router." }), "Name a router.")
      const own = { ...sure, clarification: "Which token?" }
      assert.strictEqual(yield* asks(own, { empty: "Name a router." }), "Which token?")
    }),
  )

  it.effect("neither asks for an empty plan nor for a doubtful one in a later round", () =>
    Effect.gen(function* () {
      const later = { round: 1 }
      const none = yield* withModel([planned([], { confidence: 0.2 })], later).run
      assert.deepStrictEqual(none["plan"], { steps: [] })
      const some = yield* withModel([planned([activity], { confidence: 0.2 })], later).run
      assert.strictEqual(callsOf(some).length, 1)
    }),
  )

  it.effect("notes what a message does that asks for nothing new, once a request", () =>
    Effect.gen(function* () {
      const actsOf = (said: string, round = 0) => {
        const { recorded, run } = withModel([planned([])], { request: said, round })
        return Effect.map(Effect.exit(run), () =>
          recorded.notes.flatMap(({ data, note }) => (note === "dialogue_act" ? [data] : [])),
        )
      }
      assert.deepStrictEqual(yield* actsOf("Thanks a lot!"), [{ act: "thank" }])
      assert.deepStrictEqual(yield* actsOf("¡Muchas gracias!"), [{ act: "thank" }])
      assert.deepStrictEqual(yield* actsOf("Thanks, and the price of PEPE"), [])
      assert.deepStrictEqual(yield* actsOf("thanks", 1), [])
    }),
  )

  it.effect("replies to thanks without a model if the workflow has a reply", () =>
    Effect.gen(function* () {
      const acts = { thank: "You are welcome." }
      const replied = { plan: { steps: [] }, confidence: 1, notes: [], reply: acts.thank }
      const run = (message: string, more: JsonObject = {}, replies: ReadonlyArray<Json> = []) =>
        withModel(replies, { request: message, acts, ...more })
      const thanked = run("Thanks a lot!")
      assert.deepStrictEqual(yield* thanked.run, replied)
      assert.deepStrictEqual(thanked.recorded.notes.map(({ note }) => note).slice(0, 1), [
        "dialogue_act",
      ])
      const asked = yield* run("Thanks, and uniswap", {}, [planned([activity])]).run
      assert.strictEqual(callsOf(asked).length, 1)
      assert.isUndefined(asked["reply"])
      const later = yield* run("Thanks!", { round: 1 }, [planned([activity])]).run
      assert.strictEqual(callsOf(later).length, 1)
      const greeted = yield* run("Hello!", {}, [planned([activity])]).run
      assert.strictEqual(callsOf(greeted).length, 1)
    }),
  )

  it.effect("repairs what is unambiguous and notes it", () =>
    Effect.gen(function* () {
      const slips = {
        ...activity,
        params: { router: "Uniswap V3", minutes: "30" },
      }
      const { recorded, run } = withModel([planned([slips])])
      const output = yield* run
      assert.deepStrictEqual(callsOf(output), [
        ["router_activity", { router: "uniswap_v3", minutes: 30 }],
      ])
      const notes = output["notes"] as ReadonlyArray<string>
      assert.strictEqual(notes.length, 2)
      assert.match(notes.join("\n"), /activity, params\.minutes: a number was written as text/)
      assert.strictEqual(recorded.notes.filter(({ note }) => note === "repair").length, 2)
    }),
  )

  it.effect("shows a line of each call of earlier rounds, without data of it", () =>
    Effect.gen(function* () {
      const results = [
        { tool: "router_activity", ok: true, summary: "2 swaps", params: { router: "x" } },
        { tool: "find_pairs", ok: false, summary: "", error: "e".repeat(80) },
      ]
      const { recorded, run } = withModel([planned([])], { results, round: 1 })
      yield* run
      const said = String(recorded.asks[0]!.messages[0]!.content)
      assert.include(said, "- router_activity: 2 swaps\n- find_pairs failed: eee")
      assert.notInclude(said, "e".repeat(51))
      assert.notInclude(said, '"x"')
    }),
  )

  it.effect("plans the native calls of a model that lists tools, and makes none", () =>
    Effect.gen(function* () {
      const calls: NonNullable<Given["toolCalls"]> = [
        { id: "1", name: "find_pairs", arguments: { token: "PEPE" } },
        { id: "2", name: "find_pairs", arguments: { token: "LUNA" } },
      ]
      const native = (text: string, toolCalls = calls, input: JsonObject = {}) =>
        withModel([text], input, { can: true, toolCalls })
      const { recorded, run } = native('{"confidence": 0.8}')
      const output = yield* run
      const { steps } = output["plan"] as unknown as Plan
      assert.deepStrictEqual(
        steps.map(({ id }) => id),
        ["find_pairs", "find_pairs_2"],
      )
      assert.strictEqual(output["confidence"], 0.8)
      assert.deepStrictEqual(recorded.calls, [])
      assert.deepStrictEqual(
        recorded.asks[0]!.tools,
        marketTools.map(({ name }) => name),
      )
      assert.strictEqual((yield* native("").run)["confidence"], 1)
      const unsure = '{"confidence": 0.2, "clarification": "Which one?"}'
      assert.strictEqual((yield* Effect.flip(native(unsure).run)).message, "Which one?")
      assert.strictEqual(
        (yield* Effect.flip(native("Which chain?", []).run)).message,
        "Which chain?",
      )
      const wrong = [{ id: "1", name: "find_pair", arguments: {} }]
      assert.strictEqual((yield* Effect.flip(native("", wrong).run)).class, "invalid_output")
      const json = withModel([planned([activity])], { calling: "json" }, { can: true })
      assert.strictEqual(callsOf(yield* json.run).length, 1)
    }),
  )

  it.effect("refuses steps that cannot be executed, with every issue and the reply", () =>
    Effect.gen(function* () {
      const reply = planned([
        { id: "a", tool: "router_activity", params: {} },
        { id: "b", tool: "find_pairs", params: { token: { $from: "zzz" } } },
      ])
      const failure = yield* Effect.flip(withModel([reply]).run)
      assert.strictEqual(failure.class, "invalid_output")
      const { issues, reply: quoted } = failure.detail as JsonObject
      assert.deepStrictEqual(issues, [
        { path: "steps.a", message: "router is missing" },
        { path: "steps.b", message: "there is no step zzz" },
      ])
      assert.strictEqual(quoted, JSON.stringify(reply))
    }),
  )

  it.effect(
    "refuses a plan that may make more calls than `max_steps`, and states the limit in the plan",
    () =>
      Effect.gen(function* () {
        const reply = planned([activity, pairs])
        const failure = yield* Effect.flip(withModel([reply], { max_steps: 3 }).run)
        assert.match(failure.message, /4 calls, and at most 3/)
        const { recorded, run } = withModel([reply], { max_steps: 4 })
        assert.strictEqual(((yield* run)["plan"] as JsonObject)["max_steps"], 4)
        assert.include(JSON.stringify(recorded.asks[0]!.prompt), "at most 4 calls")
      }),
  )

  it.effect("plans with no tool that is not available", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(withModel([], { tools: ["github.*"] }).run)
      assert.strictEqual(failure.class, "invalid_request")
      assert.include(failure.message, "no tool is available")
    }),
  )

  it.effect("gives no plan that lint refuses, whatever the model replies", () => {
    const reply = fc.record(
      {
        plan: fc.record({ steps: randomSteps }),
        confidence: fc.constantFrom(0, 0.5, 0.7, 1),
      },
      { requiredKeys: ["plan"] },
    )
    let given = 0
    const property = fc.asyncProperty(reply, fc.nat(1), async (one, round) => {
      const { run } = withModel([one as unknown as Json], { round, max_steps: 12 })
      const outcome = await Effect.runPromise(
        Effect.match(run, { onFailure: (failure) => failure, onSuccess: (output) => output }),
      )
      if ("_tag" in outcome) {
        assert.include(["clarification", "invalid_output"], outcome["class"])
        return
      }
      const made = outcome["plan"] as unknown as Plan
      if (made.steps.length === 0) {
        assert.strictEqual(round, 1)
        return
      }
      given++
      assert.deepStrictEqual(lintPlan(made, marketTools), [])
    })
    return Effect.promise(async () => {
      await fc.assert(property, { numRuns: cases(2000), seed: 1 })
      // Replies of which none fits would prove nothing.
      assert.isAbove(given, 50)
    })
  })
})

describe("plan without a model", () => {
  it.effect("plans the call that every word of the request asks for", () =>
    Effect.gen(function* () {
      for (const [said, tool, params] of [
        ["What is moving on Uniswap?", "router_activity", { router: "uniswap_v3" }],
        ["Analyze tx 0xabcdef12", "get_transaction", { hash: "0xabcdef12" }],
        ["price of the token PEPE", "find_pairs", { token: "PEPE" }],
      ] as const) {
        const output = yield* byWords(said).run
        assert.deepStrictEqual(callsOf(output), [[tool, params]], said)
        assert.isAtLeast(output["confidence"] as number, 0.5)
      }
    }),
  )

  it.effect("plans a call for each of two wishes that are understood", () =>
    Effect.gen(function* () {
      const output = yield* byWords("What is moving on Uniswap and analyze tx 0xabcdef12").run
      assert.deepStrictEqual(callsOf(output), [
        ["router_activity", { router: "uniswap_v3" }],
        ["get_transaction", { hash: "0xabcdef12" }],
      ])
      assert.deepStrictEqual(
        (output["plan"] as unknown as Plan).steps.map(({ id }) => id),
        ["router_activity", "get_transaction"],
      )
    }),
  )

  it.effect("asks for what is missing or not understood, and plans with the answer", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(byWords("show the activity").run)
      assert.strictEqual(missing.class, "clarification")
      assert.include(missing.message, "which router")
      const answers = [{ question: missing.message, answer: "sushi" }]
      const output = yield* byWords("show the activity", {}, answers).run
      assert.deepStrictEqual(callsOf(output), [["router_activity", { router: "sushi_v2" }]])
      const empty = { empty: "Please name a router." }
      const odd = yield* Effect.flip(byWords("Tell me something interesting", empty).run)
      assert.strictEqual(odd.message, "Please name a router.")
      const other = [{ question: odd.message, answer: "the activity on uniswap" }]
      const later = yield* byWords("Tell me something interesting", empty, other).run
      assert.deepStrictEqual(callsOf(later), [["router_activity", { router: "uniswap_v3" }]])
    }),
  )

  it.effect("quotes the words that it does not understand, and makes no plan of the others", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(byWords("activity on uniswap unless it rains").run)
      assert.strictEqual(failure.class, "clarification")
      assert.include(failure.message, '"unless", "rains"')
    }),
  )

  it.effect("asks nothing in a later round: what it does not understand is an empty plan", () =>
    Effect.gen(function* () {
      const output = yield* byWords("Tell me something interesting", { round: 1 }).run
      assert.deepStrictEqual(output["plan"], { steps: [] })
    }),
  )
})
