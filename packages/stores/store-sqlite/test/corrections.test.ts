/** Corrections of outputs in a store: a run that ends between two reviews, and its resume. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { reviewedBy } from "./reviewedBy.ts"
import { newFile, newFolder, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: talk
session: { request: hi, assistant: "\${{ stages.one.output.text }}" }
stages:
  - { id: one, uses: reply, model: fake/any, with: { say: One. }, late: one }
  - { id: two, uses: reply, model: fake/any, with: { say: Two. }, late: two }
outputs:
  one: { type: string, value: "\${{ stages.one.output.text }}" }
  two: { type: string, value: "\${{ stages.two.output.text }}" }
`

it.effect("a run that ends between two reviews is resumed with the second one alone", () =>
  Effect.gen(function* () {
    const path = join(newFolder(), "talk.yaml")
    writeFileSync(path, text)
    const store = storeAt(newFile())
    const second = yield* Deferred.make<void>()
    const asked: Array<string> = []
    let isKilled = true
    const { pipeline } = yield* load(path, {
      extraPlugins: [
        reviewedBy((which) =>
          Effect.gen(function* () {
            asked.push(which)
            if (which === "two" && isKilled) {
              yield* Deferred.succeed(second, undefined)
              return yield* Effect.never
            }
            return { action: "replace", text: `Corrected ${which}.` }
          }),
        ),
      ],
    })
    const options = { store, run: "r", session: "s" }
    const corrections = Effect.map(store.events("r"), (events) =>
      events.flatMap((event) =>
        event.type === "OutputReady" || event.type === "OutputCorrected"
          ? [`${event.type} ${event.name}`]
          : [],
      ),
    )
    const first = yield* Effect.forkChild(run(pipeline, {}, options))
    yield* Deferred.await(second)
    // The first correction is recorded before the run ends: its event is the last one until then.
    while (!(yield* corrections).includes("OutputCorrected one")) yield* Effect.yieldNow
    yield* Fiber.interrupt(first)
    assert.isUndefined(yield* store.sessions.load("s"))
    isKilled = false
    const { outputs } = yield* run(pipeline, {}, options)
    assert.deepStrictEqual(outputs, { one: "Corrected one.", two: "Corrected two." })
    assert.deepStrictEqual(asked, ["one", "two", "two"])
    assert.deepStrictEqual(yield* corrections, [
      "OutputReady one",
      "OutputReady two",
      "OutputCorrected one",
      "OutputCorrected two",
    ])
    const kept = yield* store.sessions.load("s")
    assert.deepStrictEqual(kept?.turns[0]?.assistant, "Corrected one.")
  }),
)
