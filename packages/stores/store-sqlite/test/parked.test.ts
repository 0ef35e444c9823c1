/** Many runs that wait for a person, and a worker that resumes the answered and expired ones. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { answer, giveAnswer } from "@planloom/record"
import { resumeDue } from "@planloom/record/worker"
import { newFile, newFolder, storeAt } from "./store.ts"

const text = (expires: string) => `apiVersion: planloom/v1
kind: Workflow
name: parked
stages:
  - { id: before, uses: count }
  - { id: sign_off, uses: ask, with: { expires: ${expires} } }
  - { id: after, uses: count }
outputs: { said: "\${{ stages.sign_off.output }}" }
`

/** Loads by definition, as a host would, and counts loads and effects. */
const world = () => {
  const counts = { happened: 0, loaded: 0 }
  const anything = { type: "object", additionalProperties: true }
  const plugin = definePlugin({
    id: "test",
    summary: "Asks and counts.",
    components: {
      stages: [
        stageKind<object>({
          id: "count",
          summary: "Counts.",
          input: anything,
          output: true,
          run: () => Effect.sync(() => ++counts.happened),
        }),
        stageKind<{ readonly expires: string }>({
          id: "ask",
          summary: "Asks.",
          input: anything,
          output: true,
          run: ({ expires }, context) =>
            Effect.map(
              context.ask({
                message: "Go on?",
                schema: { type: "boolean" },
                expires,
                default: false,
              }),
              ({ value }) => value,
            ),
        }),
      ],
    },
  })
  const pipelineOf = (expires: unknown) =>
    Effect.suspend(() => {
      counts.loaded++
      const path = join(newFolder(), "workflow.yaml")
      writeFileSync(path, text(String(expires)))
      return load(path, { extraPlugins: [plugin] })
    })
  return { counts, pipelineOf }
}

describe("suspended runs in the SQLite store", () => {
  it.effect("resume in a pass over due runs: answered ones, then expired ones", () =>
    Effect.gen(function* () {
      const { counts, pipelineOf } = world()
      const store = storeAt(newFile())
      const many = 300
      for (const [index, expires] of ["1h", "2h"].entries()) {
        const { pipeline } = yield* pipelineOf(expires)
        for (let n = 0; n < many / 2; n++) {
          const id = `r${index * (many / 2) + n}`
          const { status } = yield* run(pipeline, {}, { store, run: id, definition: expires })
          assert.strictEqual(status, "suspended")
        }
      }
      assert.strictEqual((yield* store.waits()).length, many)
      counts.loaded = 0
      const pass = resumeDue(store, { load: pipelineOf })
      assert.deepStrictEqual(yield* pass, [])
      for (let n = 0; n < many; n += 3) yield* giveAnswer(store, `r${n}`, { value: true })
      const first = yield* pass
      assert.strictEqual(first.length, many / 3)
      assert.strictEqual(counts.loaded, 2)
      assert.isTrue(
        first.every(({ exit }) => Exit.isSuccess(exit) && exit.value.outputs["said"] === true),
      )
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* pass).length, (many * 2) / 3)
      assert.deepStrictEqual(yield* store.due(), [])
      assert.strictEqual((yield* store.list({ status: "succeeded" })).length, many)
      assert.strictEqual(counts.happened, many * 2)
    }),
  )

  it.effect("are answered and resumed in one call, which reports an invalid answer", () =>
    Effect.gen(function* () {
      const { pipelineOf } = world()
      const store = storeAt(newFile())
      const { pipeline } = yield* pipelineOf("1h")
      yield* run(pipeline, {}, { store, run: "r" })
      const refused = (id: string, given: Parameters<typeof giveAnswer>[2]) =>
        Effect.map(Effect.flip(giveAnswer(store, id, given)), ({ message }) => message)
      assert.strictEqual(
        yield* refused("r", { value: "yes" }),
        "the answer does not fit: it must be boolean",
      )
      assert.strictEqual(yield* refused("none", { value: true }), 'there is no run "none"')
      assert.include(yield* refused("r", { name: "x", value: true }), 'no question named "x"')
      const result = yield* answer(pipeline, "r", { value: true, by: "ann" }, { store })
      assert.deepStrictEqual(result?.outputs, { said: true })
      assert.include(yield* refused("r", { value: true }), "waits for no answer")
      assert.isTrue(
        (yield* store.events("r")).some(
          (event) => event.type === "Answered" && event.by === "ann" && event.value === true,
        ),
      )
    }),
  )
})
