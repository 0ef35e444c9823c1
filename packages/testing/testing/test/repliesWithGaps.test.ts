/** Replies with gaps: missing members, missing reasoning, and what is kept of a reply that was sent back. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin, type JsonObject, type RunEvent } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { scriptedProvider } from "@planloom/testing"
import { writeWorkflow } from "./inlineWorkflow.ts"

const asked = (task: string, schema: string, replies: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const provider = scriptedProvider(replies.map((text) => ({ text })))
      const path = writeWorkflow(`models: { small: { try: [scripted/one] } }
stages:
  - { id: plan, uses: generate, model: small, with: { task: "${task}"${schema === "" ? "" : `, schema: ${schema}`} } }
outputs: { said: "\${{ stages.plan.output }}" }
`)
      const extra = definePlugin({
        id: "scripted",
        summary: "A model.",
        components: { providers: [provider] },
      })
      const { pipeline } = yield* load(path, { extraPlugins: [stages, extra] })
      const events: Array<RunEvent> = []
      const result = yield* run(pipeline, {}, { onEvent: (event) => void events.push(event) }).pipe(
        Effect.catchTag("RunFailed", (failed) => Effect.succeed(failed.result)),
      )
      const notes = events.flatMap((event) =>
        event.type === "Noted" && event.note !== "summary" ? [[event.note, event.data]] : [],
      )
      const rungs = events.flatMap((event) => (event.type === "ReplyRead" ? [event.rung] : []))
      return { events, notes, result, rungs }
    }),
  )

const schema =
  "{ type: object, required: [tools, risk], properties: { tools: { type: array }, risk: { type: integer, default: 3 } } }"

describe("a reply", () => {
  it.effect("gets the defaults of its schema for what it lacks, with a note", () =>
    Effect.gen(function* () {
      const { notes, result, rungs } = yield* asked("Plan.", schema, ['{"tools": []}'])
      assert.deepStrictEqual(result.outputs["said"], { value: { tools: [], risk: 3 } })
      assert.deepStrictEqual(notes, [
        ["filled_reply", { model: "scripted/one", members: ["/risk"] }],
      ])
      assert.deepStrictEqual(rungs, ["salvaged"])
    }),
  )

  it.effect("with reasoning that its prompt asks for is direct, and one without it is noted", () =>
    Effect.gen(function* () {
      const task = "Reason in <reasoning> tags, then plan."
      const whole = yield* asked(task, schema, [
        '<reasoning>Few.</reasoning>\n{"tools": [], "risk": 1}',
      ])
      assert.deepStrictEqual([whole.notes, whole.rungs], [[], ["direct"]])
      const missing = [["missing_reasoning", { model: "scripted/one" }]]
      assert.deepStrictEqual(
        (yield* asked(task, schema, ['{"tools": [], "risk": 1}'])).notes,
        missing,
      )
      assert.deepStrictEqual((yield* asked(task, "", ["A plan."])).notes, missing)
      assert.deepStrictEqual((yield* asked("Plan.", "", ["A plan."])).notes, [])
    }),
  )

  it.effect("that was sent back keeps the reasoning of both attempts with its failure", () =>
    Effect.gen(function* () {
      const replies = [
        '<reasoning>One.</reasoning>{"risk": 1}',
        '<reasoning>Two.</reasoning>{"risk": 2}',
      ]
      const { events, result } = yield* asked("Plan.", schema, replies)
      const detail = result.failure?.detail as JsonObject
      assert.strictEqual(detail["reasoning"], "Two.")
      assert.deepInclude(detail["earlier"] as JsonObject, { reasoning: "One." })
      assert.lengthOf((detail["earlier"] as { readonly issues: ReadonlyArray<unknown> }).issues, 1)
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "Reasoned" ? [event.text] : [])),
        ["One.", "Two."],
      )
    }),
  )
})
