/** How JSON is requested from each service, and what happens if the service refuses a form or a schema. */
import type { JsonObject } from "@planloom/plugin/effect"
import { assert, describe, it } from "vitest"
import { runOnWire, type WireRun } from "./wireWorkflow.ts"

const closed = "type: object, additionalProperties: false, required: [n]"
const count = `{ ${closed}, properties: { n: { type: integer } } }`

const ask = (id: string, model: string, schema: string, more = "") =>
  `  - { id: ${id}, uses: generate, model: ${model}, ${more}with: { task: Count ${id}., schema: ${schema} } }\n`

const textOf = (body: JsonObject): string => JSON.stringify(body).replaceAll("\\", "")

/** Messages of progress of a run. */
const progress = ({ events }: WireRun) =>
  events.flatMap((event) => (event.type === "Progressed" ? [event.message] : []))

/** Where each service receives a schema. */
const native: { readonly [service: string]: RegExp } = {
  anthropic: /"output_config"/,
  google: /"responseJsonSchema"/,
  openai: /"json_schema"/,
  llamacpp: /"json_schema"/,
}

describe.each(Object.keys(native))("JSON of %s", (service) => {
  const model = `${service}/small`

  it("falls back for a refused schema only, with an event and the schema in the prompt", async () => {
    const other = `{ ${closed}, properties: { n: { type: string } } }`
    const stages = [
      ask("one", model, count),
      ask("two", model, other, "needs: [one], "),
      ask("three", model, count, "needs: [two], "),
    ]
    const ran = await runOnWire(`stages:\n${stages.join("")}`, {
      answers: [
        {
          status: 400,
          message: "Invalid schema: failed to parse grammar",
          when: native[service]!.source.slice(1, -1),
        },
        { text: '{"n":1}', when: "Count one" },
        { text: '{"n":"1"}', when: "Count two" },
        { text: '{"n":1}' },
      ],
    })
    assert.isUndefined(ran.failure)
    const [refused, again, second, third, ...rest] = ran.requests.map(({ body }) => textOf(body))
    assert.lengthOf(rest, 0)
    assert.match(refused!, native[service]!)
    assert.notMatch(again!, native[service]!)
    assert.match(second!, native[service]!)
    assert.notMatch(third!, native[service]!)
    const reports = progress(ran).filter((message) => message.includes("failed to parse grammar"))
    assert.lengthOf(reports, 2)
    assert.match(reports[0]!, new RegExp(`^${model} refused JSON as `))
  })

  it("has the schema and the word JSON in the prompt if the form is text", async () => {
    const ran = await runOnWire(
      `models: { m: { try: [${model}], structured: text } }\nstages:\n${ask("one", "m", count)}`,
      { answers: [{ text: '{"n":1}' }] },
    )
    assert.isUndefined(ran.failure)
    const body = textOf(ran.requests[0]!.body)
    assert.notMatch(body, native[service]!)
    assert.include(body, "Reply with JSON and nothing else")
    assert.include(body, '"properties":{"n":{"type":"integer"}}')
  })
})

describe("JSON of a server with OpenAI's protocol", () => {
  it("has the schema in the prompt with json_object", async () => {
    const ran = await runOnWire(`stages:\n${ask("one", "local/small", count)}`, {
      answers: [{ text: '{"n":1}' }],
      server: { structured: ["json_object"] },
    })
    const { body } = ran.requests[0]!
    assert.deepStrictEqual(body["response_format"], { type: "json_object" })
    assert.include(textOf(body), '"properties":{"n":{"type":"integer"}}')
  })

  it.each([
    ["llamacpp", "required"],
    ["openai", { type: "function", function: { name: "value" } }],
  ])("forces the tool of %s in the form that it reads", async (service, expected) => {
    const ran = await runOnWire(
      `models: { m: { try: [${service}/small], structured: tool } }\nstages:\n${ask("one", "m", count)}`,
      { answers: [{ tool_calls: [{ name: "value", arguments: { n: 1 } }] }] },
    )
    assert.isUndefined(ran.failure)
    assert.deepStrictEqual(ran.requests[0]!.body["tool_choice"], expected)
  })
})

describe("JSON of OpenAI", () => {
  it.each([
    ["a choice of objects", `{ anyOf: [${count}, ${count}] }`, '{"n":1}', "json_object"],
    ["a list", "{ type: array, items: { type: integer } }", "[1]", undefined],
  ])("whose root is %s is not requested natively", async (_, schema, text, form) => {
    const ran = await runOnWire(`stages:\n${ask("one", "openai/small", schema)}`, {
      answers: [{ text }],
    })
    assert.isUndefined(ran.failure)
    assert.lengthOf(ran.requests, 1)
    const { body } = ran.requests[0]!
    assert.strictEqual((body["response_format"] as JsonObject | undefined)?.["type"], form)
    assert.include(textOf(body), "JSON Schema")
  })
})
