/** The result of a run says what it survived and what its reader should know. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  ToolFailed,
  stageKind,
  type JsonObject,
  type ToolSource,
} from "@planloom/plugin/effect"
import { resultOf } from "./RunFold.ts"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const refusing = stageKind<{ readonly when?: boolean }>({
  id: "refuse",
  summary: "Fails if `when`.",
  input: { type: "object", properties: { when: { type: "boolean" } } },
  output: true,
  run: ({ when = true }) =>
    when
      ? Effect.fail(new StageFailed({ class: "auth", message: "there is no key" }))
      : Effect.succeed("done"),
})

/** Reads the file at `path`. */
const read = stageKind<JsonObject>({
  id: "read",
  summary: "Reads a file.",
  input: { type: "object", additionalProperties: true },
  output: true,
  run: (params, { callTool }) => callTool({ tool: "read", params, key: "one" }),
})

const source: ToolSource = {
  id: "files",
  summary: "Reads files.",
  list: Effect.succeed({
    tools: [
      {
        name: "read",
        summary: "Reads a file.",
        capabilities: [],
        inputs: {},
        outputs: [],
        effect: "read",
        params: { type: "object" },
        notes: "has(result.notes) ? result.notes : []",
      },
    ],
  }),
  call: ({ params, tool }) =>
    params["path"] === "lost"
      ? Effect.fail(new ToolFailed({ tool, class: "unavailable", message: "lost" }))
      : Effect.succeed({ value: { notes: ["when: read\nday first", "when: read\nday first"] } }),
}

const resultFor = (stages: string) =>
  workflowOf(`stages:\n${stages}`, {
    stages: [refusing, read],
    tools: [source],
  }).pipe(
    Effect.flatMap(({ pipeline }) => collect(pipeline)),
    Effect.map(({ events }) => resultOf(events)),
  )

describe("the result of a run", () => {
  it.effect("lists each stage and item that failed and was survived", () =>
    Effect.gen(function* () {
      const { degraded, status } = yield* resultFor(`
  - { id: alone, uses: refuse, on_error: continue }
  - { id: rows, for_each: "\${{ [true, false, true] }}", uses: refuse, with: { when: "\${{ item }}" }, on_error: continue }
  - { id: replaced, uses: refuse, fallback: { uses: echo, with: { value: "instead" } }, on_error: fallback }
`)
      const reason = "auth: there is no key"
      assert.strictEqual(status, "succeeded")
      assert.deepStrictEqual(degraded, [
        { path: "alone", reason, after: "continue" },
        { path: "rows[0]", reason, after: "continue" },
        { path: "rows[2]", reason, after: "continue" },
        { path: "replaced", reason, after: "fallback" },
      ])
    }),
  )

  it.effect("is not degraded by a failure that ended the run", () =>
    Effect.gen(function* () {
      const { degraded, status } = yield* resultFor(`
  - { id: alone, uses: refuse }
`)
      assert.deepStrictEqual([status, degraded], ["failed", []])
    }),
  )

  it.effect("has the notes of tools, each once and in one line", () =>
    Effect.gen(function* () {
      const { notes } = yield* resultFor(`
  - { id: first, uses: read, with: { path: a } }
  - { id: again, uses: read, with: { path: b } }
  - { id: lost, uses: read, with: { path: lost }, on_error: continue }
`)
      assert.deepStrictEqual(notes, [{ path: "first", text: "when: read day first", tool: "read" }])
    }),
  )
})
