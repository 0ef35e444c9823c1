/** Texts of a workflow in a run: what expressions, stages and questions read of them in each language. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { stageKind, type JsonObject, type ToolSource } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

const say = stageKind<{ readonly name: string }>({
  id: "say",
  summary: "Gives a text of its context.",
  input: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  output: { type: "string" },
  run: ({ name }, { text }) => Effect.sync(() => text(name)),
})

const guess = stageKind({
  id: "guess",
  summary: "Calls a tool that writes on words that it does not understand.",
  input: { type: "object" },
  output: true,
  run: (_, { callTool }) =>
    callTool({ tool: "pay", params: {}, key: "pay", settled: false, open: ["soon"] }),
})

const careful = stageKind({
  id: "careful",
  summary: "Calls a tool that a person has to approve.",
  input: { type: "object" },
  output: true,
  run: (_, { callTool }) => callTool({ tool: "pay", params: {}, key: "pay", approve: true }),
})

const tools: ToolSource = {
  id: "bank",
  summary: "A tool that writes.",
  list: Effect.succeed({
    tools: [
      {
        name: "pay",
        summary: "Pays.",
        capabilities: [],
        inputs: {},
        outputs: [],
        params: { type: "object" },
        effect: "write" as const,
      },
    ],
  }),
  call: () => Effect.succeed({ value: null }),
}

const user = "user: { type: object, properties: { language: { type: string } } }\n"

const outcome = (body: string, given: JsonObject) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(`${user}${body}`, {
      stages: [say, guess, careful],
      tools: [tools],
    })
    const { events, result } = yield* collect(pipeline, {}, { user: given })
    return { ...result, asked: events.flatMap((one) => (one.type === "Asked" ? [one.wait] : [])) }
  })

const greeting = `
texts: { greeting: { es: Hola, en: Hello } }
stages:
  - { id: own, uses: say, with: { name: clarify } }
outputs: { text: "\${{ texts.greeting }}: \${{ stages.own.output }}" }
`

describe("texts of a workflow", () => {
  it.effect("are read by expressions and stages in the language of the user", () =>
    Effect.gen(function* () {
      const texts: Array<unknown> = []
      for (const language of ["es-MX", "en", "fr"]) {
        texts.push((yield* outcome(greeting, { language })).outputs?.["text"])
      }
      assert.deepStrictEqual(texts, [
        "Hola: ¿Qué desea exactamente? Por favor, dígame algo más.",
        "Hello: What exactly do you want? Please say more.",
        "Hola: What exactly do you want? Please say more.",
      ])
    }),
  )

  it.effect("replace the engine's words, with its values in place of placeholders", () =>
    Effect.gen(function* () {
      const refused = yield* outcome(
        `
texts: { unsettled: { es: "No haré {tool}: ¿qué es {words}?" } }
stages: [{ id: one, uses: guess }]
`,
        { language: "es" },
      )
      assert.strictEqual(refused.failure?.message, "No haré pay: ¿qué es soon?")
    }),
  )

  it.effect("of the engine are in Spanish for a user of that language without a section", () =>
    Effect.gen(function* () {
      const { asked } = yield* outcome("stages: [{ id: one, uses: careful }]", { language: "es" })
      assert.strictEqual(asked[0]?.message, "pay: ¿lo aprueba?")
    }),
  )

  it.effect("that neither engine nor workflow has fail the stage that asks for them", () =>
    Effect.gen(function* () {
      const { failure } = yield* outcome(
        "stages: [{ id: one, uses: say, with: { name: farewell } }]",
        {},
      )
      assert.include(failure?.message, 'there is no text "farewell"')
    }),
  )
})
