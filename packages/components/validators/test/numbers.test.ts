/** The validator `numbers`: where a number of a text may come from. */
import type { Draft, JsonObject } from "@planloom/plugin/effect"
import { validatorSuite } from "@planloom/testing"
import { assert, describe, it } from "vitest"
import { draft, of } from "./of.ts"
import { longTexts, streamedOtherwise } from "./streamLaw.ts"

const call = (result: JsonObject): Draft["calls"][number] => ({
  tool: "get_exchange_rate",
  params: { from: "USD", amount: 200 },
  key: "1",
  path: "answer",
  ok: true,
  summary: "1 USD = 17.4532 MXN",
  result,
})
const known = {
  request: "Send $200 to my sister on March 15",
  turns: [{ user: "My limit?", assistant: "Your limit is 2,999." }],
  calls: [
    call({ rate: 17.4532, fee: 3.99, total: 3490.64, share: 0.05, at: "2026-03-15T17:30:00Z" }),
  ],
  data: { id: "00734" },
}
const text = "You send $200 at 17.45 and pay 3,99 €."

validatorSuite({ describe, it }, of("numbers"), [
  { name: "passes numbers of results and the request", text, draft: known, verdict: "pass" },
  {
    name: "flags a rate that nothing has",
    text: "The rate is 18.20.",
    draft: known,
    verdict: "flag",
  },
  {
    name: "blocks an amount that nothing has",
    text: "You get $3,600.",
    draft: known,
    with: { action: "block" },
    verdict: "block",
  },
  {
    name: "passes an allowed number",
    text: "The limit is 10,000.",
    with: { allow: [10000] },
    verdict: "pass",
  },
  { name: "passes small whole numbers", text: "It takes 3 steps and 2 days.", verdict: "pass" },
  { name: "flags a small amount of money", text: "The fee is $3.", verdict: "flag" },
  {
    name: "flags small numbers above the author's limit",
    text: "It takes 3 steps.",
    with: { small: 2 },
    verdict: "flag",
  },
])

const cases: ReadonlyArray<readonly [text: string, ...unknown: ReadonlyArray<string>]> = [
  ["Recibes 3.490,64 pesos"],
  ["Recibes 3,490.64 MXN, unos 3491"],
  ["A fee of 5 %, number 00734"],
  ["On 15 March 2026 at 5:30 pm"],
  ["Your limit is 2.999"],
  ["On 16 March 2025", "16", "2025"],
  ["It is 17.46, not 17.5 or 17", "17.46"],
  ["Una comisión de 4,99 y 6 %", "4,99", "6"],
]

describe("numbers", () => {
  it.each(cases.map(([given, ...unknown]) => ({ given, unknown })))(
    "in $given",
    ({ given, unknown }) => {
      const { spans = [] } = of("numbers").validate(given, {}, { ...draft(given), ...known })
      assert.deepStrictEqual(
        spans.map(({ end, start }) => given.slice(start, end)),
        unknown,
      )
    },
  )

  it("are read in linear time", () => {
    for (const long of longTexts("1,", "1.000,", "$", "1 000 ")) {
      assert.isDefined(of("numbers").validate(long, {}, draft(long)).verdict)
    }
  })

  it("are the same in a streamed text", () => {
    const fragments = [
      "$1,234.56",
      "17,45",
      "%",
      "3 million",
      "1",
      ",",
      "000",
      "USD ",
      "pesos",
      "word ",
    ]
    assert.isNull(streamedOtherwise(of("numbers"), {}, fragments))
  })
})
