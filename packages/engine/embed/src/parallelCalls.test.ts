/** Tool calls that an agent makes at once: whichever ends first, they have the order in which the model asked. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { run } from "@planloom/core"
import {
  definePlugin,
  ToolFailed,
  type ModelReply,
  type ModelRequest,
  type ToolSource,
} from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { cases } from "../../../../.config/cases.ts"
import {
  emptyRecording,
  recordingJournal,
  type Recording,
} from "../../core/src/run/journal/journals.ts"
import { load } from "./Workflow.ts"

/** Of each turn, for each call of its tool: how long it takes while the run is new, and once it is resumed. */
type Turns = ReadonlyArray<ReadonlyArray<Taken>>

interface Taken {
  readonly first: number
  readonly later: number
  readonly fails: boolean
}

const tool = {
  name: "base.look",
  summary: "Looks.",
  capabilities: [],
  inputs: {},
  params: { type: "object" },
  outputs: [],
  effect: "read",
} as const

const keyOf = (turn: number, at: number): string => `${turn}.${at}`

const sourceOf = (turns: Turns, when: "first" | "later"): ToolSource => ({
  id: "base",
  summary: "Looks.",
  list: Effect.succeed({ tools: [tool] }),
  call: ({ params: { at, turn } }) => {
    const taken = turns[Number(turn)]![Number(at)]!
    const value = keyOf(Number(turn), Number(at))
    const end = taken.fails
      ? Effect.fail(new ToolFailed({ class: "tool_error", tool: tool.name, message: value }))
      : Effect.succeed({ value })
    return Effect.andThen(Effect.repeat(Effect.yieldNow, { times: taken[when] }), end)
  },
})

const replyTo = (turns: Turns, request: ModelRequest): Omit<ModelReply, "model"> => {
  const turn = request.messages.filter(({ role }) => role === "assistant").length
  const wanted = turns[turn] ?? []
  return {
    text: wanted.length === 0 ? "Done." : "",
    reasoning: "",
    toolCalls: wanted.map((_, at) => ({
      id: keyOf(turn, at),
      name: tool.name,
      arguments: { turn, at },
    })),
    finish: wanted.length === 0 ? "stop" : "tool_calls",
    usage: { input: 1, output: 1 },
  }
}

const BODY = `apiVersion: planloom/v1
kind: Workflow
name: test
models: { m: { try: [one/small] } }
stages:
  - { id: a, uses: agent, model: m, with: { task: Go., max_turns: 9, parallel: 3, tools: [base.look] } }
outputs:
  agent: \${{ stages.a.output.calls.map(c, string(c.params.turn) + '.' + string(c.params.at)) }}
`

describe("the calls of an agent", () => {
  const taken = fc.record({
    first: fc.nat(6),
    later: fc.nat(6),
    fails: fc.boolean(),
  })
  const someTurns = fc.array(fc.array(taken, { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  })

  it.effect("have the order in which the model asked: live, resumed and replayed", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(someTurns, fc.nat(), (turns, cutAt) =>
          Effect.runPromise(Effect.scoped(ordered(turns, cutAt))),
        ),
        { numRuns: cases(40) },
      ),
    ),
  )

  const ordered = (turns: Turns, cutAt: number) =>
    Effect.gen(function* () {
      const asked = turns.flatMap((calls, turn) => calls.map((_, at) => keyOf(turn, at)))
      const runOf = (when: "first" | "later", recording: Recording) =>
        Effect.gen(function* () {
          const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
          writeFileSync(path, BODY)
          const plugin = definePlugin({
            id: "test",
            summary: "Test.",
            components: {
              tools: [sourceOf(turns, when)],
              providers: [
                {
                  id: "one",
                  summary: "One.",
                  generate: (request) => Effect.sync(() => replyTo(turns, request)),
                },
              ],
            },
          })
          const { pipeline } = yield* load(path, { extraPlugins: [stages, plugin] })
          const { outputs } = yield* run(pipeline, {}, { journal: recordingJournal(recording) })
          assert.deepStrictEqual(outputs["agent"], asked)
        })
      const recording = emptyRecording()
      yield* runOf("first", recording)
      const kept = [...recording.steps].slice(0, cutAt % (recording.steps.size + 1))
      yield* runOf("later", { ...emptyRecording(), steps: new Map(kept) })
      yield* runOf("later", { ...emptyRecording(), steps: new Map(recording.steps) })
    })
})
