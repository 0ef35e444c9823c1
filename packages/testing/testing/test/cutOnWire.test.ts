/** Text cut at its maximum length: what each service reports, and what `on_cut` does about it. */
import { assert, describe, it } from "vitest"
import { runOnWire, type WireRun } from "./wireWorkflow.ts"

const say = (model: string, onCut: string, more = "") => `
models: { m: { try: [${model}]${onCut === "" ? "" : `, on_cut: ${onCut}`}, max_tokens: 20 } }
stages: [{ id: say, uses: generate, model: m, with: { task: Say it.${more} } }]
outputs: { text: { type: string, value: "\${{ stages.say.output.text }}"${more === "" ? ", stream: true" : ""} } }
`

const finishes = ({ events }: WireRun) =>
  events.flatMap((event) => (event.type === "ModelCalled" ? [event.finish] : []))
const notes = ({ events }: WireRun) =>
  events.flatMap((event) =>
    event.type === "Noted" && event.note === "cut_reply" ? [event.text] : [],
  )

describe.each(["anthropic", "google", "openai"])("text of %s that was cut", (service) => {
  const model = `${service}/small`

  it("is reported in the event of the call, and noted by default", async () => {
    const ran = await runOnWire(say(model, ""), { answers: [{ text: "One two", cut: true }] })
    assert.deepStrictEqual(ran.outputs, { text: "One two" })
    assert.deepStrictEqual(finishes(ran), ["length"])
    assert.deepStrictEqual(notes(ran), [
      `the reply of ${model} was cut at its maximum length (max_tokens)`,
    ])
  })

  it("fails the stage with on_cut: fail", async () => {
    const ran = await runOnWire(say(model, "fail"), { answers: [{ text: "One two", cut: true }] })
    assert.strictEqual(ran.failure?.class, "invalid_output")
    assert.include(ran.failure?.message, "cut at its maximum length")
  })

  it("is continued with on_cut: continue, without doubled words", async () => {
    const ran = await runOnWire(say(model, "continue"), {
      answers: [
        { text: "One two thr", cut: true },
        { text: "two three four", cut: true },
        { text: " five." },
      ],
    })
    assert.deepStrictEqual(ran.outputs, { text: "One two three four five." })
    assert.deepStrictEqual(finishes(ran), ["length", "length", "stop"])
    assert.lengthOf(notes(ran), 0)
  })

  it("is continued at most four times", async () => {
    const ran = await runOnWire(say(model, "continue"), {
      answers: [1, 2, 3, 4, 5].map((n) => ({ text: ` word${n}`, cut: true })),
    })
    assert.lengthOf(ran.requests, 5)
    assert.deepStrictEqual(ran.outputs, { text: "word1 word2 word3 word4 word5" })
    assert.match(notes(ran)[0]!, /after 4 continuations$/)
  })

  it("keeps what it has if the continuation fails", async () => {
    const ran = await runOnWire(say(model, "continue"), {
      answers: [
        { text: "One two", cut: true },
        { status: 400, message: "too much" },
      ],
    })
    assert.deepStrictEqual(ran.outputs, { text: "One two" })
    assert.match(notes(ran)[0]!, /its continuation failed \(invalid_request\)/)
  })
})

describe("JSON that was cut", () => {
  it.each([
    ["12", "integer"],
    ['["a", "b', "array"],
  ])("is never accepted: %s", async (text, type) => {
    const ran = await runOnWire(
      `stages: [{ id: say, uses: generate, model: llamacpp/small, with: { task: Say it., schema: { type: ${type} } } }]`,
      { answers: [{ text, cut: true }] },
    )
    assert.strictEqual(ran.failure?.class, "invalid_output")
    assert.include(ran.failure?.message, "cut at its maximum length")
  })
})

describe("the number of model calls of a run", () => {
  it("counts calls that reached a service", async () => {
    const { events, usage } = await runOnWire(
      `models: { m: { try: [lmstudio/small, llamacpp/small] } }
stages: [{ id: say, uses: generate, model: m, with: { task: Say it. } }]`,
      { answers: [{ text: "hello" }] },
    )
    assert.lengthOf(
      events.filter(({ type }) => type === "ModelCalled"),
      2,
    )
    assert.strictEqual(usage.modelCalls, 1)
  })
})
