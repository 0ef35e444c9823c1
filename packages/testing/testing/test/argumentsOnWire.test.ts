/** Arguments of tool calls as models write them, over real HTTP: read without a guess, or given back to the model. */
import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { definePlugin, type Json, type JsonObject } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import { runOnWire } from "./wireWorkflow.ts"

const apis = [
  { name: "anthropic", model: "anthropic/small", server: {} },
  { name: "google", model: "google/small", server: {} },
  { name: "chat completions", model: "local/small", server: { api: "chat" } },
  { name: "responses", model: "local/small", server: { api: "responses" } },
  { name: "ollama", model: "local/small", server: { api: "ollama" } },
] as const

interface Ran {
  /** Params of the calls that reached the tool. */
  readonly made: ReadonlyArray<JsonObject>
  readonly text: Json | undefined
  readonly failure: string | undefined
  /** The last request, as text. */
  readonly read: string
}

/** Runs an agent whose model answers as given; the tool `keep` takes any params. */
const agent = async (
  { model, server }: (typeof apis)[number],
  streamed: boolean,
  answers: ReadonlyArray<WireAnswer>,
  maxTurns = 4,
): Promise<Ran> => {
  const made: Array<JsonObject> = []
  const tools = definePlugin({
    id: "t",
    summary: "Tools.",
    components: {
      tools: [
        {
          id: "t",
          summary: "Tools.",
          list: Effect.succeed({
            tools: [
              {
                name: "keep",
                summary: "Keeps it.",
                capabilities: [],
                inputs: {},
                outputs: [],
                effect: "read" as const,
                params: { type: "object" },
              },
            ],
          }),
          call: ({ params }) =>
            Effect.sync(() => {
              made.push(params)
              return { value: true }
            }),
        },
      ],
    },
  })
  const { failure, outputs, requests } = await runOnWire(
    `models: { m: { try: [${model}] } }
stages: [{ id: work, uses: agent, model: m, with: { task: Work., tools: [keep], max_turns: ${maxTurns} } }]
outputs: { text: { type: string, value: "\${{ stages.work.output.text }}"${streamed ? ", stream: true" : ""} } }
`,
    { answers, server, reads: streamed, more: [tools] },
  )
  assert.isTrue(requests.every(({ stream }) => stream === streamed))
  return {
    made,
    text: outputs?.["text"],
    failure: failure && `${failure.class}: ${failure.message}`,
    read: JSON.stringify(requests.at(-1)!.body),
  }
}

const written = (text: string): ReadonlyArray<WireAnswer> => [
  { written: [{ name: "keep", text }] },
  { text: "Done." },
]

const word = fc.stringMatching(/^[A-Za-zäß ,.:;!?-]{1,12}$/)
const name = fc.stringMatching(/^[a-z_]{2,8}$/).filter((one) => !(one in {}))
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null))
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(name, scalar))
const params = fc
  .dictionary(name, value, { minKeys: 1, maxKeys: 4 })
  .map((one) => JSON.parse(JSON.stringify(one)) as JsonObject)

/** Writes a value as Python does. */
const python = (given: Json): string => {
  if (given === null) return "None"
  if (typeof given === "boolean") return given ? "True" : "False"
  if (typeof given === "string") return `'${given}'`
  if (Array.isArray(given)) return `[${given.map(python).join(", ")}]`
  if (typeof given === "object") {
    const members = Object.entries(given).map(([key, one]) => `'${key}': ${python(one)}`)
    return `{${members.join(", ")}}`
  }
  return String(given)
}

/** Texts that have one meaning. */
const forms: { readonly [form: string]: (given: JsonObject) => string } = {
  JSON: (given) => JSON.stringify(given, null, 2),
  "with a trailing comma": (given) => JSON.stringify(given).replace(/\}$/, ",}"),
  "in single quotes": python,
  "as JSON in JSON": (given) => JSON.stringify(JSON.stringify(given)),
  "in a fence": (given) => `\`\`\`json\n${JSON.stringify(given)}\n\`\`\``,
}

/** Texts that are not one object, or not without a guess. */
const unreadable = fc.oneof(
  fc.constantFrom("null", "true", "7", '"flint"', "[]", '[{"a":1}]', "flint", "keep(of='flint')"),
  fc.constantFrom('{"a":1} {"b":2}', 'Sure: {"a":1}', '{"a":1}}', '{"a":NaN}', '{"a":}'),
  params.chain((given) => {
    const whole = JSON.stringify(given)
    return fc.integer({ min: 1, max: whole.length - 1 }).map((end) => whole.slice(0, end))
  }),
)

describe.each(apis)("arguments of a call of $name", (api) => {
  it("that have one meaning reach the tool, whole and streamed", async () => {
    await fc.assert(
      fc.asyncProperty(params, fc.constantFrom(...Object.keys(forms)), async (given, form) => {
        const text = forms[form]!(given)
        for (const streamed of [false, true]) {
          const ran = await agent(api, streamed, written(text))
          assert.deepStrictEqual(ran.made, [given], text)
          assert.strictEqual(ran.text, "Done.")
          // The service reads its call again as a call with these arguments.
          assert.notInclude(ran.read, "not a JSON object")
        }
      }),
      { numRuns: cases(10) },
    )
  })

  it("that have no meaning of their own go back to the model, whole and streamed", async () => {
    await fc.assert(
      fc.asyncProperty(unreadable, async (text) => {
        for (const streamed of [false, true]) {
          const ran = await agent(api, streamed, written(text))
          assert.deepStrictEqual(ran.made, [], text)
          assert.strictEqual(ran.text, "Done.", text)
          assert.include(ran.read, "its arguments are not a JSON object", text)
        }
      }),
      { numRuns: cases(10) },
    )
  })

  it.each([false, true])("that were cut are called cut, streamed: %s", async (streamed) => {
    const ran = await agent(api, streamed, [
      { written: [{ name: "keep", text: '{"stone":"fli' }], cut: true },
      { text: "Done." },
    ])
    assert.deepStrictEqual(ran.made, [])
    assert.strictEqual(ran.text, "Done.")
    assert.include(ran.read, "the reply was cut off, so this call was not made; be shorter")
  })

  it.each([false, true])(
    "stop at max_turns if they stay unreadable, streamed: %s",
    async (streamed) => {
      const ran = await agent(api, streamed, [{ written: [{ name: "keep", text: "flint" }] }], 3)
      assert.deepStrictEqual(ran.made, [])
      assert.isUndefined(ran.failure)
    },
  )
})

describe("a call that its service cannot read", () => {
  const api = apis[1]
  const malformed = { reason: "MALFORMED_FUNCTION_CALL" }

  it.each([false, true])("goes back to the model, streamed: %s", async (streamed) => {
    const ran = await agent(api, streamed, [
      malformed,
      { written: [{ name: "keep", text: '{"a":1}' }] },
      { text: "Done." },
    ])
    assert.deepStrictEqual(ran.made, [{ a: 1 }])
    assert.strictEqual(ran.text, "Done.")
    assert.include(ran.read, "Call the tool again, with one JSON object")
  })

  it.each([false, true])("fails the third time in a row, streamed: %s", async (streamed) => {
    const { failure } = await agent(api, streamed, [malformed], 8)
    assert.match(failure!, /^invalid_output: .*MALFORMED_FUNCTION_CALL/)
  })

  it.each([1, 2])("fails at a limit of %i turns", async (turns) => {
    const { failure } = await agent(api, false, [malformed], turns)
    assert.match(failure!, /^invalid_output/)
  })
})
