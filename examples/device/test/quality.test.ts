/** How well turns are planned without a model: on utterances never used for tuning, and on odd ones. */
import { Ajv } from "ajv"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { needsTool, outputSchema, type Intent } from "../planning/PlannerOutput.ts"
import { wordsIn } from "../planning/reply.ts"
import { deviceTools, planner, yamlOf } from "./planTurns.ts"

interface Utterance {
  readonly say: string
  readonly intent: Intent
  readonly tool?: string
}

/** What was reached when this was written, less one or two utterances of eighty. */
const LEAST = { intent: 0.93, tool: 0.86 }

describe("a planner without a model", async () => {
  const plan = await planner()
  const names = (await deviceTools()).map(({ name }) => name)

  it("understands people it has not heard before", () => {
    const all = yamlOf<ReadonlyArray<Utterance>>("test/held_out.yaml")
    assert.isAtLeast(all.length, 60)
    const plans = all.map(({ say }) => plan(say))
    const rate = (right: (one: Utterance, at: number) => boolean) =>
      all.filter(right).length / all.length
    const intent = rate((one, at) => plans[at]!.intent === one.intent)
    const tool = rate((one, at) => plans[at]!.candidate_tools[0] === one.tool)
    console.info(
      `${all.length} utterances: intent ${(intent * 100).toFixed(1)} %, first tool ${(tool * 100).toFixed(1)} %`,
    )
    assert.isAtLeast(intent, LEAST.intent)
    assert.isAtLeast(tool, LEAST.tool)
    for (const { candidate_tools: tools, chat_response: reply, confidence } of plans) {
      assert.isAtMost(tools.length, 2)
      assert.isBelow(wordsIn(reply), 20)
      assert.isTrue(confidence >= 0 && confidence <= 1)
    }
  })

  it.each([
    "turn on dark mode",
    "enable airplane mode",
    "disable notifications please",
    "switch the hotspot off",
    "turn on night light",
    "turn on wifi calling",
    "deactivate bluetooth sharing",
    "toggle the location",
    "turn off the alarm",
    "switch on the kitchen light",
  ])("does nothing where no tool is for the setting, and asks: %s", (said) => {
    const { candidate_tools: tools, chat_response: reply } = plan(said)
    assert.deepStrictEqual(tools, [])
    assert.match(reply, /\?$/)
    assert.isBelow(wordsIn(reply), 20)
  })

  it.each([
    ["turn on the wi-fi", "toggle_wifi"],
    ["turn off my bluetooth headset", "toggle_bluetooth"],
    ["disable the internet connection for now", "toggle_wifi"],
    ["switch the torch on so I can see", "toggle_flashlight"],
    ["enable wireless network on my phone", "toggle_wifi"],
  ])("still switches what a tool is for: %s", (said, tool) => {
    assert.deepStrictEqual(plan(said).candidate_tools, [tool])
  })

  it("finds in the turns before what a message leaves out", () => {
    const history = [{ user: "call mom", assistant: "Looking in your address book." }]
    assert.deepStrictEqual(plan("and her email?", history).candidate_tools, ["contact_lookup"])
    assert.deepStrictEqual(plan("zxcvb", history).candidate_tools, [])
  })

  it("gives a plan that holds to its schema, whatever is said", () => {
    const validate = new Ajv({ strict: false }).compile(outputSchema(names))
    const piece = fc.constantFrom(
      ..."find,photo,wifi,off,'\",copy,and,then,last,may,of,3,call,.,?,:,in,../..,\0,\u200d,é".split(
        ",",
      ),
      " ",
      "\n",
    )
    const said = fc.oneof(
      fc.string({ minLength: 1, maxLength: 200 }),
      fc.array(piece, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(" ")),
    )
    fc.assert(
      fc.property(said, fc.array(said, { maxLength: 2 }), (text, before) => {
        const made = plan(
          text,
          before.map((user) => ({ user, assistant: "" })),
        )
        assert.isTrue(validate(made), JSON.stringify(validate.errors))
        assert.isBelow(wordsIn(made.chat_response), 20)
        if (!needsTool(made.intent)) assert.deepStrictEqual(made.candidate_tools, [])
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    "' ",
    "copy to ",
    "x\u0020\u0020\u0020",
    "a b, and then ",
    "«",
    "last ",
    "the my ",
    '"',
    "1 of ",
  ])("is done in time with four thousand characters of %j", (part) => {
    assert.isAtMost(plan(part.repeat(Math.ceil(4000 / part.length))).candidate_tools.length, 2)
  })

  it("is done in time with nothing but space inside", () => {
    const { chat_response: reply } = plan(`copy ${" ".repeat(3990)}y`)
    assert.strictEqual(reply, "What should I copy? Put it in quotes.")
  })

  it.each([
    "is wifi on?",
    "why is bluetooth off?",
    "don't turn off the wifi",
    "no, please don't open the camera",
  ])("changes nothing for: %s", (text) => assert.deepStrictEqual(plan(text).candidate_tools, []))

  it("is not sure of what it does not understand", () => {
    for (const text of ["sdfksdf", "zzz", "…", "the thing"])
      assert.isBelow(plan(text).confidence, 0.4, text)
  })
})
