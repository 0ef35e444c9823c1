/** Prompt texts of a host: a run uses those in force when it started, whatever changes later. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  stageKind,
  StoreFailed,
  type Prompts,
  type PromptText,
  type RunEvent,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import type { RunOptions } from "../RunOptions.ts"
import { run } from "../run.ts"

/** Two stages with the prompts `base` and `task`; the second fails until `broken` is false. */
const world = () => {
  const systems: Array<string> = []
  const events: Array<RunEvent> = []
  const state = { broken: false }
  const asks = stageKind({
    id: "asks",
    summary: "Asks its model.",
    input: { type: "object", properties: {} },
    output: { type: "string" },
    model: (_, { model }) =>
      Effect.map(
        model.text({ messages: [{ role: "user", content: "Hello" }] }),
        ({ text }) => text,
      ),
  })
  const folder = mkdtempSync(join(tmpdir(), "planloom-prompts-"))
  writeFileSync(join(folder, "base.md"), "Base of the file.")
  writeFileSync(join(folder, "task.md"), "Task of the file.")
  const path = join(folder, "workflow.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: pinned
inputs: { name: { type: string, default: Bo } }
prompts: { base: base.md, task_text: task.md }
modes: { full: { sections: [base, task] } }
stages:
  - { id: one, uses: asks, model: scripted/one, prompt: { use: task_text, mode: full } }
  - { id: two, uses: asks, model: scripted/one, prompt: { use: task_text, mode: full } }
outputs: { text: { type: string, value: "\${{ stages.two.output }}" } }
`,
  )
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: {
      stages: [asks],
      providers: [
        {
          id: "scripted",
          summary: "Keeps what it reads.",
          generate: ({ system }) =>
            Effect.suspend(() => {
              if (state.broken && systems.length === 1) return Effect.die(new Error("killed"))
              systems.push(system.map(({ text }) => text).join("\n\n"))
              return Effect.succeed({
                text: "ok",
                reasoning: "",
                toolCalls: [],
                finish: "stop" as const,
                usage: { input: 1, output: 1 },
              })
            }),
        },
      ],
    },
  })
  return {
    plugin,
    systems,
    events,
    state,
    run: (options: RunOptions) =>
      Effect.flatMap(load(path, { extraPlugins: [plugin] }), ({ pipeline }) =>
        Effect.exit(run(pipeline, {}, { ...options, onEvent: (event) => events.push(event) })),
      ),
  }
}

/** A host whose texts can change. */
const host = (texts: { [prompt: string]: PromptText }) => {
  const asked: Array<string> = []
  const prompts: Prompts = {
    current: (workflow) =>
      Effect.sync(() => {
        asked.push(workflow)
        return { ...texts }
      }),
  }
  return { asked, prompts, texts }
}

it.effect("a text of the host replaces that of the file, and the event names its version", () =>
  Effect.gen(function* () {
    const { events, run: runIt, systems } = world()
    const { asked, prompts } = host({
      base: { version: "7", text: "You help ${{ inputs.name }}." },
      other: { version: "1", text: "Not a prompt of the workflow." },
    })
    yield* runIt({ prompts })
    assert.deepStrictEqual(systems[0], "You help Bo.\n\nTask of the file.")
    assert.deepStrictEqual(asked, ["pinned"])
    const pinned = events.flatMap((event) => (event.type === "PromptsPinned" ? [event] : []))
    assert.deepStrictEqual(
      pinned.map(({ versions, workflow }) => ({ versions, workflow })),
      [{ workflow: "pinned", versions: { base: "7" } }],
    )
  }),
)

it.effect("a workflow without prompts asks for no texts", () =>
  Effect.gen(function* () {
    const { asked, prompts } = host({})
    const { pipeline } = yield* load("w.yaml", {
      plugins: { p: () => Promise.resolve(world().plugin) },
      texts: new Map([
        [
          "w.yaml",
          "apiVersion: planloom/v1\nkind: Workflow\nname: w\nuse: { plugins: [p] }\nstages: [{ id: one, uses: asks, model: scripted/one }]\n",
        ],
      ]),
    })
    assert.strictEqual((yield* run(pipeline, {}, { prompts })).status, "succeeded")
    assert.deepStrictEqual(asked, [])
  }),
)

it.effect("a resumed run keeps the texts with which it started", () =>
  Effect.gen(function* () {
    const one = world()
    const texts = host({ base: { version: "1", text: "First." } })
    const recording = emptyRecording()
    one.state.broken = true
    yield* one.run({ run: "r", prompts: texts.prompts, journal: recordingJournal(recording) })
    assert.deepStrictEqual(one.systems, ["First.\n\nTask of the file."])
    const kept = emptyRecording()
    for (const [name, step] of recording.steps) {
      if (!name.startsWith("two")) kept.steps.set(name, step)
    }
    texts.texts["base"] = { version: "2", text: "Second." }
    const two = world()
    yield* two.run({ run: "r", prompts: texts.prompts, journal: recordingJournal(kept) })
    assert.deepStrictEqual(two.systems, ["First.\n\nTask of the file."])
    const later = world()
    yield* later.run({ prompts: texts.prompts })
    assert.strictEqual(later.systems[0], "Second.\n\nTask of the file.")
  }),
)

const failureOf = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) => (event.type === "RunFailed" ? [event.failure] : []))[0]

it.effect("a text that does not compile fails the run before a model is called", () =>
  Effect.gen(function* () {
    const { events, run: runIt, systems } = world()
    const { prompts } = host({ base: { version: "3", text: "You help ${{ inputs. }}." } })
    yield* runIt({ prompts })
    assert.deepStrictEqual(systems, [])
    const failure = failureOf(events)
    assert.strictEqual(failure?.class, "invalid_request")
    assert.include(failure!.message, 'a prompt text for "pinned" does not compile')
  }),
)

it.effect("a run whose texts cannot be had fails with class store", () =>
  Effect.gen(function* () {
    const { events, run: runIt, systems } = world()
    const prompts: Prompts = {
      current: () =>
        Effect.fail(new StoreFailed({ reason: "unavailable", message: "no connection" })),
    }
    yield* runIt({ prompts })
    assert.deepStrictEqual(systems, [])
    const failure = failureOf(events)
    assert.strictEqual(failure?.class, "store")
    assert.strictEqual(failure?.message, 'the prompts of "pinned": no connection')
  }),
)
