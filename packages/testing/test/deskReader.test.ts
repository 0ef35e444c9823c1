/** The suite of readers, on a reader that keeps its promises and on careless ones. */
import { describe, it, expect } from "vitest"
import type { Reader, Tool } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { stubTools } from "../src/double/stubTools.ts"
import { readerSuite } from "../src/conformance/readerSuite.ts"
import { deskReader, deskTools } from "./deskReader.ts"

const tools: ReadonlyArray<Tool> = Effect.runSync(stubTools(deskTools).list).tools
const cases = [{ text: "book a room" }, { text: "what time is it" }, { text: "hm" }]

readerSuite({ describe, it }, deskReader, cases, { tools })

/** Titles of the tests that fail for a reader. */
const failing = async (reader: Reader): Promise<ReadonlyArray<string>> => {
  const failed: Array<string> = []
  const pending: Array<Promise<void>> = []
  const collect = (title: string, test: () => Promise<void>) => {
    pending.push(test().catch(() => void failed.push(title)))
  }
  readerSuite(
    { describe: (_, register) => register(), it: collect },
    reader,
    [{ text: "book a room" }],
    { tools },
  )
  await Promise.all(pending)
  return failed
}

describe("the suite of readers", () => {
  const altered = (change: object): Reader => ({
    ...deskReader,
    read: (request, context) =>
      Effect.map(deskReader.read(request, context), (plan) => ({ ...plan, ...change })),
  })
  const planning = 'plans the same for the same request: "book a room"'

  it.each([
    ["proposes a tool that does not exist", { candidate_tools: ["sell_house"] }],
    ["gives an intent of its own invention", { intent: "small_talk" }],
    ["talks for too long", { chat_response: "word ".repeat(20) }],
    ["is surer than sure", { confidence: 2 }],
  ])("rejects a reader that %s", async (_, change) => {
    expect(await failing(altered(change))).toContain(planning)
  })

  it("rejects a reader whose plan changes from call to call", async () => {
    let calls = 0
    const read: Reader["read"] = (request, context) =>
      Effect.map(deskReader.read(request, context), (plan) => ({
        ...plan,
        reasoning_summary: `${++calls}`,
      }))
    expect(await failing({ ...deskReader, read })).toEqual([planning])
  })

  it("rejects a reader whose intent has no tool and whose reply states a result", async () => {
    const sale = { id: "sale", tools: "actions", reply: "It is booked." } as const
    expect(await failing({ ...deskReader, intents: [...deskReader.intents, sale] })).toEqual([
      "has an id, a summary and intents that differ",
      "has replies that are short and state no result",
    ])
  })
})
