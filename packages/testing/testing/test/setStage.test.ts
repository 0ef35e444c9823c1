/** Workflows that reshape values with `set`: their types, and what a run returns. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { problemsOf, runInline, typesOfOutputs } from "./inlineWorkflow.ts"

/** Each ticket with its label and its position: rows joined with their results. */
const joined = `inputs:
  tickets: { type: array, items: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } } }
stages:
  - id: labels
    uses: generate
    for_each: { in: inputs.tickets, as: ticket }
    with: { task: What is it about?, context: "\${{ ticket.text }}" }
  - id: rows
    uses: set
    with: { value: '\${{ zip(inputs.tickets, stages.labels.output).map(r, merge(r.first, {"label": r.second.text})) }}' }
`

const outputsOf = (body: string, inputs: JsonObject) =>
  Effect.map(runInline(body, inputs), ({ outputs }) => outputs)

const tickets = [
  { id: 1, text: "My bill is wrong." },
  { id: 2, text: "I cannot log in." },
]

describe("a set stage", () => {
  it.effect("joins rows with their results", () =>
    Effect.gen(function* () {
      const body = `${joined}outputs: { rows: "\${{ stages.rows.output.sort_by('id', 'desc') }}" }\n`
      assert.deepStrictEqual(yield* problemsOf(body), [])
      assert.deepStrictEqual(yield* outputsOf(body, { tickets }), {
        rows: [
          { id: 2, text: "I cannot log in.", label: "I cannot log in." },
          { id: 1, text: "My bill is wrong.", label: "My bill is wrong." },
        ],
      })
    }),
  )

  it.effect("has an output of the type of its expressions", () =>
    Effect.gen(function* () {
      const [unknown] = yield* problemsOf(
        `${joined}outputs: { out: "\${{ stages.rows.output[0].lable }}" }\n`,
      )
      assert.match(unknown ?? "", /^PL1201 .* has no field "lable"/)
      const [text] = yield* problemsOf(
        `${joined}outputs: { out: "\${{ stages.rows.output[0].label + 1 }}" }\n`,
      )
      assert.match(text ?? "", /^PL1202 "\+" has no meaning for text/)
    }),
  )

  it.effect("gives an output of the workflow its TypeScript type", () =>
    Effect.gen(function* () {
      const body = `${joined}outputs: { rows: "\${{ stages.rows.output }}", count: { description: How many., value: "\${{ size(stages.rows.output) }}" } }\n`
      const types = yield* typesOfOutputs(body)
      assert.include(types, "readonly rows: ReadonlyArray<{")
      assert.include(types, "readonly label: string")
      assert.include(types, "/** How many. */\n    readonly count: number")
    }),
  )

  it.effect("reads what its condition proves", () =>
    Effect.gen(function* () {
      const body = `inputs: { name: { type: [string, "null"] } }
stages:
  - { id: greeting, uses: set, if: inputs.name != null, with: { value: "\${{ inputs.name }}" } }
outputs: { size: '\${{ has(stages.greeting.output) ? size(stages.greeting.output) : 0 }}' }
`
      assert.deepStrictEqual(yield* problemsOf(body), [])
      assert.deepStrictEqual(yield* outputsOf(body, { name: "Ada" }), { size: 3 })
      assert.deepStrictEqual(yield* outputsOf(body, { name: null }), { size: 0 })
    }),
  )

  it.effect("fails with class invalid_request for text that is not JSON", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        outputsOf(
          `inputs: { text: { type: string } }
stages: [{ id: data, uses: set, with: { value: "\${{ parse_json(inputs.text) }}" } }]
`,
          { text: "{oops" },
        ),
      )
      assert.strictEqual(failure._tag, "RunFailed")
      if (failure._tag !== "RunFailed") return
      assert.strictEqual(failure.reason.class, "invalid_request")
      assert.include(failure.reason.message, "not JSON")
    }),
  )
})
