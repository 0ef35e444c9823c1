/** Versions of prompts in the store of the runs: which text a run uses, and which one it records. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin, stageKind, type RunStore } from "@planloom/plugin/effect"
import { answer } from "@planloom/record"
import { PromptRegistry } from "@planloom/record/prompts"
import { replay } from "@planloom/record/replay"
import { newFile, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: letters
inputs: { to: { type: string, default: Bo } }
prompts: { base: base.md }
stages:
  - { id: sign_off, uses: ask, with: {} }
  - { id: write, uses: write, model: scripted/one, prompt: base }
outputs: { system: { type: string, value: "\${{ stages.write.output }}" } }
`

/** The output of the workflow is the system prompt that its model gets. */
const plugin = definePlugin({
  id: "test",
  summary: "Test.",
  components: {
    stages: [
      stageKind<object>({
        id: "ask",
        summary: "Asks.",
        input: { type: "object" },
        output: true,
        run: (_, context) =>
          Effect.map(
            context.ask({ message: "?", schema: { type: "boolean" } }),
            ({ value }) => value,
          ),
      }),
      stageKind<object>({
        id: "write",
        summary: "Writes.",
        input: { type: "object" },
        output: { type: "string" },
        model: (_, { model }) =>
          Effect.map(
            model.text({ messages: [{ role: "user", content: "?" }] }),
            ({ text: reply }) => reply,
          ),
      }),
    ],
    providers: [
      {
        id: "scripted",
        summary: "Replies with its system prompt.",
        generate: ({ system }) =>
          Effect.succeed({
            text: system.map((block) => block.text).join("\n"),
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage: { input: 1, output: 1 },
          }),
      },
    ],
  },
})

const loaded = load("letters.yaml", {
  extraPlugins: [plugin],
  texts: new Map([
    ["letters.yaml", text],
    ["base.md", "To ${{ inputs.to }}, of the file."],
  ]),
})

const file = "0".repeat(64)

/** Starts a run, which waits for an answer. */
const started = (store: RunStore, id: string) =>
  Effect.gen(function* () {
    const { pipeline } = yield* loaded
    const prompts = PromptRegistry.of(store)!
    const waiting = yield* run(pipeline, {}, { store, run: id, prompts })
    assert.strictEqual(waiting.status, "suspended")
  })

/** Answers it in another process, which is given no prompts; returns the system prompt of its model. */
const finished = (store: RunStore, id: string) =>
  Effect.gen(function* () {
    const { pipeline } = yield* loaded
    const [wait] = yield* store.waits({ run: id })
    const result = yield* answer(
      pipeline,
      id,
      { name: wait!.wait.name, value: true, by: "ann" },
      { store },
    )
    return result?.outputs["system"]
  })

const pinnedBy = (store: RunStore, id: string) =>
  Effect.map(store.events(id), (events) =>
    events.flatMap((event) => (event.type === "PromptsPinned" ? [event.versions] : [])),
  )

describe("a prompt whose versions are in the store of the runs", () => {
  it.live("is that of the start of a run, also when the run resumes after an edit", () =>
    Effect.gen(function* () {
      const path = newFile()
      const [store, other] = [storeAt(path), storeAt(path)]
      const registry = PromptRegistry.of(other)!
      yield* started(store, "of-file")
      yield* registry.edit("letters", "base", { file, text: "To ${{ inputs.to }}, version 1." })
      yield* started(store, "of-first")
      yield* registry.edit("letters", "base", { file, text: "Version 2." })
      yield* started(store, "of-second")
      yield* registry.use("letters", "base", 1)
      yield* started(store, "of-first-again")
      yield* registry.use("letters", "base", "file")
      yield* started(store, "of-file-again")
      assert.strictEqual(yield* finished(other, "of-file"), "To Bo, of the file.")
      assert.strictEqual(yield* finished(other, "of-first"), "To Bo, version 1.")
      assert.strictEqual(yield* finished(other, "of-second"), "Version 2.")
      assert.strictEqual(yield* finished(other, "of-first-again"), "To Bo, version 1.")
      assert.strictEqual(yield* finished(other, "of-file-again"), "To Bo, of the file.")
      assert.deepStrictEqual(yield* pinnedBy(store, "of-second"), [{ base: "2" }])
      assert.deepStrictEqual(yield* pinnedBy(store, "of-file"), [])
    }).pipe(Effect.scoped),
  )

  it.live("costs a run no step while the workflow has none", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      yield* started(store, "r")
      const steps = yield* store.steps("r")
      assert.deepStrictEqual(
        steps.map(({ name }) => name).filter((name) => name.startsWith("prompts:")),
        [],
      )
    }).pipe(Effect.scoped),
  )

  it.live("is the recorded one in a replay", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const registry = PromptRegistry.of(store)!
      yield* registry.edit("letters", "base", { file, text: "Version 1." })
      yield* started(store, "r")
      yield* finished(store, "r")
      const { pipeline } = yield* loaded
      const replayed = yield* replay(pipeline, yield* store.read("r"))
      assert.deepInclude(replayed, { same: true })
      assert.isUndefined(replayed.unused)
      assert.strictEqual(replayed.result.outputs["system"], "Version 1.")
    }).pipe(Effect.scoped),
  )
})
