/** Turns of a session: a message starts a run, or answers the last run's question. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { StageFailed, definePlugin, stageKind } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { turn } from "@planloom/record"
import { newFolder, storeAt } from "./store.ts"

const text = { type: "string" } as const

const rooms = definePlugin({
  id: "test",
  summary: "Asks which room.",
  components: {
    stages: [
      stageKind<{ readonly message: string }>({
        id: "room",
        summary: "Asks for the room when none is named.",
        input: { type: "object", properties: { message: text }, required: ["message"] },
        output: text,
        run: ({ message }, { answers: [first] }) =>
          message.includes("hall") || first !== undefined
            ? Effect.succeed(String(first?.answer ?? "hall"))
            : Effect.fail(new StageFailed({ class: "clarification", message: "Which room?" })),
      }),
      stageKind({
        id: "sign_off",
        summary: "Wants a yes.",
        input: { type: "object" },
        output: true,
        run: (_, { ask }) =>
          Effect.map(ask({ kind: "approval", message: "Is that so?" }), ({ value }) => value),
      }),
    ],
  },
})

const talkIn = (folder: string, kind = "room", more = "") => {
  const path = join(folder, "workflow.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: rooms
inputs: { message: { type: string }${more} }
stages: [{ id: room, uses: ${kind}, with: ${kind === "room" ? '{ message: "${{ inputs.message }}" }' : "{}"} }]
session: { request: "\${{ inputs.message }}", assistant: "\${{ string(stages.room.output) }}" }
outputs: { room: "\${{ stages.room.output }}" }
`,
  )
  return load(path, { extraPlugins: [rooms] })
}

describe("a turn in the SQLite store", () => {
  it.effect("answers the previous turn's question, and both are saved as one", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const { pipeline } = yield* talkIn(folder)
      const store = storeAt(join(folder, "runs.db"))
      const say = (message: string) => turn(pipeline, "s", { message }, { store })
      const asked = yield* say("light, please")
      assert.strictEqual(asked.status, "clarification")
      assert.strictEqual(asked.waits[0]?.message, "Which room?")
      const done = yield* say("kitchen")
      assert.strictEqual(done.run, asked.run)
      assert.deepStrictEqual(done.outputs, { room: "kitchen" })
      assert.deepStrictEqual((yield* store.sessions.load("s"))?.turns, [
        { user: "light, please", assistant: "kitchen" },
      ])
      assert.strictEqual((yield* say("the hall, too")).outputs["room"], "hall")
      assert.strictEqual((yield* store.sessions.load("s"))?.version, 2)
    }),
  )

  it.live("brings the personal inputs of the run that asked again, and no others", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const { pipeline } = yield* talkIn(folder, "room", ", key: { type: string, personal: true }")
      const store = storeAt(join(folder, "runs.db"))
      const say = (message: string, key: string) => turn(pipeline, "s", { message, key }, { store })
      const asked = yield* say("light, please", "4711")
      assert.strictEqual(asked.status, "clarification")
      const refused = yield* Effect.flip(say("kitchen", "4712"))
      assert.strictEqual(refused._tag, "InputsRejected")
      assert.strictEqual((yield* store.waits({ run: asked.run })).length, 1)
      const done = yield* say("kitchen", "4711")
      assert.deepStrictEqual([done.run, done.outputs], [asked.run, { room: "kitchen" }])
    }),
  )

  it.effect(
    "is refused, with the run's name, while a run of the session waits for an approval",
    () =>
      Effect.gen(function* () {
        const folder = newFolder()
        const { pipeline } = yield* talkIn(folder, "sign_off")
        const store = storeAt(join(folder, "runs.db"))
        const say = (message: string) => turn(pipeline, "s", { message }, { store })
        const waiting = yield* say("one")
        assert.strictEqual(waiting.status, "suspended")
        const refused = yield* Effect.flip(say("two"))
        assert.strictEqual(refused._tag, "RunFailed")
        assert.include(refused.message, `waits for an answer to its run ${waiting.run}`)
        assert.strictEqual(yield* store.sessions.waiting("s"), waiting.run)
      }),
  )
})
