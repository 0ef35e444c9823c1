/** Corrections of outputs in a store: a run that ends between two reviews, and its resume. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { definePlugin, sectionKind, stageKind, type Gate } from "@planloom/plugin/effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
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

const summary = "A part of a test."

const pluginOf = (review: (which: string) => ReturnType<NonNullable<Gate["after"]>>) =>
  definePlugin({
    id: "test",
    summary,
    components: {
      providers: [
        {
          id: "fake",
          summary,
          stream: ({ messages }) =>
            Stream.make(
              { type: "text", text: String(messages[0]!.content) },
              { type: "finish", reason: "stop", usage: { input: 1, output: 1 } },
            ),
        },
      ],
      stages: [
        stageKind<{ readonly say: string }>({
          id: "reply",
          summary,
          input: { type: "object", properties: { say: { type: "string" } }, required: ["say"] },
          output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
          streams: "text",
          model: ({ say }, { model }) =>
            Effect.map(
              model.text({ messages: [{ role: "user", content: say }], parts: "reply" }),
              ({ text: said }) => ({ text: said }),
            ),
        }),
      ],
      sections: [
        sectionKind<string>({
          on: "stage",
          key: "late",
          summary,
          schema: { type: "string" },
          bind: (which) => ({
            gate: {
              open: () => (given) =>
                Stream.fromEffect(
                  Effect.map(Stream.mkString(given), (whole) => ({
                    type: "settled" as const,
                    text: whole,
                    findings: [],
                  })),
                ),
              after: () => review(which),
            },
          }),
        }),
      ],
    },
  })

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
        pluginOf((which) =>
          Effect.gen(function* () {
            asked.push(which)
            if (which === "two" && isKilled) {
              yield* Deferred.succeed(second, undefined)
              return yield* Effect.never
            }
            return { action: "replace", text: `Corrected ${which}.`, reason: "wrong", findings: [] }
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
