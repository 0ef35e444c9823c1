/** Codes in turns of a conversation without a model: hashes and order numbers reach the tool, and a doubtful one is asked about. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin, type Json, type RunEvent, type Tool } from "@planloom/plugin/effect"
import retrieval from "@planloom/retrieval"
import stages from "@planloom/stages"
import { stubTools } from "../src/double/stubTools.ts"

const object = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
})

const number = { type: "string", pattern: "^[0-9]{6,10}$" }

const tools: { readonly [name: string]: Partial<Tool> } = {
  explain: {
    summary: "Explains a transaction.",
    keywords: ["explain", "transaction"],
    params: object({ tx: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$" } }, ["tx"]),
  },
  track: {
    summary: "Tracks what was sent.",
    keywords: ["track"],
    title: { en: "Track", es: "Rastrear" },
    labels: { invoice: { en: "bill", es: "factura" } },
    params: object({ parcel: number, invoice: number, days: { type: "integer" } }),
  },
  open_seats: {
    summary: "Shows the seats of a ticket.",
    keywords: ["seats", "ticket"],
    title: { en: "Seats of a ticket", es: "Asientos de un billete" },
    params: object({ ticket: { type: "string", examples: ["TK-12345/6"] } }, ["ticket"]),
  },
}

interface Turn {
  readonly text: string
  readonly place: Json
}

/** A turn without a model, and the calls that it made. */
const say = (
  message: string,
  { language = "en", place = null }: { language?: string; place?: Json } = {},
) =>
  Effect.gen(function* () {
    const source = stubTools(
      Object.fromEntries(
        Object.entries(tools).map(([name, tool]) => [
          name,
          { tool: { effect: "read" as const, ...tool }, result: { text: "Found." } },
        ]),
      ),
    )
    const path = join(mkdtempSync(join(tmpdir(), "planloom-codes-")), "workflow.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: desk
user: { type: object, properties: { language: { type: string } } }
inputs: { message: { type: string }, place: { default: null } }
stages:
  - id: turn
    uses: route
    with:
      request: "\${{ inputs.message }}"
      current: "\${{ inputs.place }}"
      start: desk
      agents:
        desk: { description: Transactions parcels and tickets., tools: [${Object.keys(tools).join(", ")}] }
outputs: { text: "\${{ stages.turn.output.text }}", place: "\${{ stages.turn.output.place }}" }
`,
    )
    const plugin = definePlugin({
      id: "desk",
      summary: "Looks up.",
      components: { tools: [source] },
    })
    const { pipeline } = yield* load(path, { extraPlugins: [stages, retrieval, plugin] })
    const events: Array<RunEvent> = []
    const { outputs } = yield* run(
      pipeline,
      { message, place },
      { user: { language }, onEvent: (event) => events.push(event) },
    )
    return {
      ...(outputs as unknown as Turn),
      calls: source.calls.map(({ params, tool }) => `${tool} ${JSON.stringify(params)}`),
    }
  })

const hash = `0x${"aB".repeat(32)}`

describe("a turn without a model", () => {
  it.effect("calls with a code as written, wherever it stands", () =>
    Effect.gen(function* () {
      for (const message of [
        `Explain tx ${hash}`,
        `please explain the transaction (${hash}).`,
        `explain tx:${hash}`,
        `Explain "${hash}"`,
      ]) {
        const { calls } = yield* say(message)
        assert.deepStrictEqual(calls, [`explain {"tx":"${hash}"}`], message)
      }
      const { calls } = yield* say("show the seats of ticket AB-90210/7 now")
      assert.deepStrictEqual(calls, ['open_seats {"ticket":"AB-90210/7"}'])
    }),
  )

  it.effect("asks for a code that is missing or has another form, and takes the answer", () =>
    Effect.gen(function* () {
      const first = yield* say("show the seats of a ticket")
      assert.deepStrictEqual([first.text, first.calls], ["Seats of a ticket: which ticket?", []])
      const second = yield* say("AB-90210/7", { place: first.place })
      assert.deepStrictEqual(second.calls, ['open_seats {"ticket":"AB-90210/7"}'])
      const other = yield* say("show the seats of ticket AB-9")
      assert.deepStrictEqual(
        [other.text, other.calls],
        ['I did not understand "AB-9". Nothing was done.', []],
      )
    }),
  )

  it.effect("asks which param a code is of, in the user's language, and takes the answer", () =>
    Effect.gen(function* () {
      for (const [language, text, answer] of [
        ["en", "Which of these do you mean: parcel 4820917, bill 4820917?", "the bill"],
        [
          "es",
          "¿A cuál de estas opciones se refiere: parcel 4820917, factura 4820917?",
          "la factura",
        ],
      ] as const) {
        const first = yield* say("track 4820917", { language })
        assert.deepStrictEqual([first.text, first.calls], [text, []])
        const second = yield* say(answer, { language, place: first.place })
        assert.deepStrictEqual(second.calls, ['track {"invoice":"4820917"}'])
      }
      const { calls } = yield* say("track parcel 4820917")
      assert.deepStrictEqual(calls, ['track {"parcel":"4820917"}'])
    }),
  )
})
