/** Corrections as the services receive them: roles alternate, and the unusable reply is the model's turn. */
import { definePlugin } from "@planloom/plugin/effect"
import { assert, describe, it } from "vitest"
import { stubTools } from "../src/double/stubTools.ts"
import { deskTools } from "./desk.ts"
import { assertAccepted, sentIn } from "./sentConversation.ts"
import { runOnWire, type WireRun } from "./wireWorkflow.ts"

const schema =
  "{ type: object, additionalProperties: false, required: [n], properties: { n: { type: integer } } }"

/** One model call without a repair, and one retry. */
const asking = (model: string) => `
stages:
  - { id: ask, uses: generate, model: ${model}, repair: false, retry: { max_retries: 1, on: [invalid_output] }, with: { task: Count., schema: ${schema} } }
`

/** Role and text of each turn of a request. */
const turnsOf = ({ requests }: WireRun, index: number) =>
  sentIn(requests[index]!).turns.map(({ role, text }) => [role, text] as const)

const desk = definePlugin({
  id: "desk",
  summary: "A booking desk.",
  components: { tools: [stubTools(deskTools)] },
})

const plan = `{ intent: booking, reasoning_summary: s, chat_response: One moment., candidate_tools: [book_table, book_room], each: true, arguments: {}, confidence: 1, settled: true, open: [] }`

describe("a correction", () => {
  it.each(["anthropic", "google", "openai", "llamacpp"])(
    "sends the unusable reply as the model's turn and its issues as the user's to %s",
    async (service) => {
      const ran = await runOnWire(asking(`${service}/small`), {
        answers: [{ text: '{"n":"many"}' }, { text: '{"n":3}' }],
      })
      assert.isUndefined(ran.failure)
      for (const request of ran.requests) assertAccepted(request)
      const turns = turnsOf(ran, 1)
      assert.deepStrictEqual(turns.slice(0, 2), [
        ["user", "Count."],
        ["assistant", '{"n":"many"}'],
      ])
      assert.match(turns[2]![1], /could not be used: .*\/n must be/s)
    },
  )

  it("of a choice of tools alternates roles", async () => {
    const ran = await runOnWire(
      `
stages:
  - { id: do, uses: act, model: llamacpp/small, repair: false, retry: { max_retries: 1, on: [invalid_output] }, with: { plan: ${plan} } }
`,
      {
        answers: [
          { text: '{"tool":"sell_house","params":{}}' },
          { text: '{"tool":"book_table","params":{"at":"noon"}}' },
        ],
        more: [desk],
      },
    )
    assert.isUndefined(ran.failure)
    for (const request of ran.requests) assertAccepted(request)
    assert.deepStrictEqual(turnsOf(ran, 1)[1], ["assistant", '{"tool":"sell_house","params":{}}'])
  })

  it("after an empty reply is one message of the user", async () => {
    const ran = await runOnWire(asking("llamacpp/small"), {
      answers: [{ text: "" }, { text: '{"n":3}' }],
    })
    assert.isUndefined(ran.failure)
    assertAccepted(ran.requests[1]!)
    const turns = turnsOf(ran, 1)
    assert.lengthOf(turns, 1)
    assert.match(turns[0]![1], /^Count\.\n\nYour last reply could not be used/)
  })
})
