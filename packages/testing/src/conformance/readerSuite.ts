/** What every reader of messages promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Index,
  type PastTurn,
  type Reader,
  type Tool,
  type TurnPlan,
  type TurnRequest,
} from "@planloom/plugin/effect"
import { deepFrozen, expectId, expectPlainData, expectSummary } from "./expectations.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

/** A message whose plan is known. */
export interface ReaderCase {
  readonly text: string
  readonly history?: ReadonlyArray<PastTurn>
  readonly check?: (plan: TurnPlan) => void
}

export interface ReaderSuiteOptions {
  /** Tools that serve the reader's intents. */
  readonly tools: ReadonlyArray<Tool>
  readonly index?: Index
}

const MAX_WORDS = 19

/** Messages that no reader may fail on. */
const hostile = ["?", "…", "\u0000", "\ud800", "a ".repeat(2000), "'\"«", "✈️"]

/** Registers the tests of one reader. */
export const readerSuite = (
  { describe, it }: SuiteRunner,
  reader: Reader,
  cases: ReadonlyArray<ReaderCase>,
  { index, tools }: ReaderSuiteOptions,
): void => {
  const intents = new Map(reader.intents.map((intent) => [intent.id, intent]))
  const request = ({ history = [], text }: ReaderCase): TurnRequest =>
    deepFrozen({
      text,
      history: structuredClone(history),
      today: "2026-11-21",
      time: "14:05",
      tools: structuredClone(tools),
    })
  const read = (one: ReaderCase): Promise<TurnPlan> =>
    Effect.runPromise(
      reader.read(request(one), {
        index: (documents) =>
          index?.build(documents) ??
          Effect.fail(new StageFailed({ class: "unavailable", message: "there is no index" })),
      }),
    )

  describe(`reader ${reader.id}`, () => {
    it("has an id, a summary and intents that differ", async () => {
      expectId(reader.id)
      expectSummary(reader.summary, `reader ${reader.id}`)
      assert.equal(intents.size, reader.intents.length, "intents repeat")
      assert.equal(
        intents.get(reader.unclear)?.tools,
        "none",
        "`unclear` is no intent without tools",
      )
      const served = new Set(tools.map(({ group }) => group))
      for (const { id, tools: use } of reader.intents)
        assert.ok(use === "none" || served.has(id), `no tool serves the intent ${id}`)
    })

    it("has replies that are short and state no result", async () => {
      for (const { id, reply } of reader.intents) {
        expectReply(reply, `the reply of ${id}`)
        assert.ok(!reader.claimsResult(reply), `the reply of ${id} states a result`)
      }
    })

    const expectPlan = (plan: TurnPlan): void => {
      expectPlainData(plan, "the plan")
      const intent = intents.get(plan.intent)
      assert.ok(intent, `the plan's intent ${plan.intent} is not one of the reader's`)
      expectReply(plan.chat_response, "the reply")
      assert.ok(plan.candidate_tools.length <= 2, "more than two tools are proposed")
      assert.ok(
        intent.tools !== "none" || plan.candidate_tools.length === 0,
        `a tool is proposed for ${plan.intent}, which has none`,
      )
      for (const name of plan.candidate_tools)
        assert.ok(
          tools.some((tool) => tool.name === name),
          `there is no tool ${name}`,
        )
      assert.ok(plan.confidence >= 0 && plan.confidence <= 1, "the confidence is not 0 to 1")
    }

    for (const one of cases)
      it(`plans the same for the same request: ${JSON.stringify(one.text)}`, async () => {
        const plan = await read(one)
        expectPlan(plan)
        assert.deepStrictEqual(await read(one), plan)
        one.check?.(plan)
        const known = reader.withoutModel?.(request(one))
        if (known !== undefined) assert.deepStrictEqual(known, plan)
      })

    it("plans any text", async () => {
      for (const text of hostile) expectPlan(await read({ text }))
    })
  })
}

const expectReply = (reply: string, what: string): void => {
  assert.match(reply, /\S/, `${what} is empty`)
  const words = reply.split(/\s+/).filter((one) => one !== "").length
  assert.ok(words <= MAX_WORDS, `${what} has more than ${MAX_WORDS} words`)
}
