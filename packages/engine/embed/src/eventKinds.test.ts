/** Events of plugins: checked by their schema, rendered, and recorded with the run. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  definePlugin,
  eventKind,
  stageKind,
  type Json,
  type RunEvent,
} from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import { artefactOf, checkWorkflow } from "@planloom/language"
import * as Effect from "effect/Effect"
import { openArtefact } from "./artefact.ts"
import { check, load } from "./Workflow.ts"

const counted = eventKind<{ readonly count: number }>({
  name: "test/counted",
  summary: "Something was counted.",
  audience: "operator",
  schema: { type: "object", required: ["count"], properties: { count: { type: "integer" } } },
  render: ({ count }) => `${count} counted`,
})

const emit = stageKind<{ readonly data: Json }>({
  id: "emit",
  summary: "Emits an event.",
  input: { type: "object", properties: { data: true }, required: ["data"] },
  output: true,
  run: ({ data }, { note }) => Effect.as(note("test/counted", data), "done"),
})

const workflow = (data: Json): string => {
  const file = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "planloom/v1",
      kind: "Workflow",
      name: "counting",
      use: { plugins: ["counts"] },
      stages: [{ id: "count", uses: "emit", with: { data } }],
    }),
  )
  return file
}

const optionsWith = (events: ReadonlyArray<typeof counted>) => ({
  plugins: {
    counts: async () =>
      definePlugin({ id: "counts", summary: "Counts.", components: { stages: [emit], events } }),
  },
})

const eventsOf = (data: Json) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(workflow(data), optionsWith([counted]))
      const seen: Array<RunEvent> = []
      const exit = yield* Effect.exit(run(pipeline, {}, { onEvent: (event) => seen.push(event) }))
      return { seen, exit }
    }),
  )

describe("an event that a plugin declares", () => {
  it.effect("is emitted with its audience and its rendered line", () =>
    Effect.gen(function* () {
      const { seen } = yield* eventsOf({ count: 3 })
      const noted = seen.filter(({ type }) => type === "Noted")
      assert.deepStrictEqual(
        noted.map(({ at: _, seq: __, ...rest }) => rest),
        [
          {
            type: "Noted",
            path: "count",
            stage: "count",
            note: "test/counted",
            data: { count: 3 },
            audience: "operator",
            text: "3 counted",
          },
        ],
      )
    }),
  )

  it.effect("fails its stage where the data does not fit the schema", () =>
    Effect.gen(function* () {
      const { exit, seen } = yield* eventsOf({ count: "three" })
      assert.strictEqual(exit._tag, "Failure")
      assert.isUndefined(seen.find(({ type }) => type === "Noted"))
      const failed = seen.find(({ type }) => type === "StageFailed")
      assert.include(
        JSON.stringify(failed),
        'the event \\"test/counted\\" of stage \\"count\\" does not fit its schema: count must be integer',
      )
    }),
  )

  it.effect.each(["summary", "test/counted"])(
    "cannot be called %s where that name is taken",
    (name) =>
      Effect.gen(function* () {
        const options = optionsWith([counted, { ...counted, name }])
        const { diagnostics } = yield* check(workflow({ count: 1 }), options)
        assert.strictEqual(diagnostics[0]?.code, "PL4001")
        assert.include(diagnostics[0]?.message, `the event "${name}"`)
      }),
  )

  it.effect("is a reason to refuse an artefact where its name is taken since the build", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const built = yield* checkWorkflow(workflow({ count: 1 }), optionsWith([counted]), "check")
        const artefact = yield* Effect.promise(() =>
          artefactOf({ workflow: built.workflow!, sources: built.sources, folder: tmpdir() }),
        )
        const taken = optionsWith([{ ...counted, name: "summary" }])
        const { message, reason } = yield* Effect.flip(openArtefact(artefact, taken))
        assert.strictEqual(reason, "plugin")
        assert.include(
          message,
          'the plugin "counts" cannot be used: the event "summary" has the name of a note',
        )
      }),
    ),
  )
})
