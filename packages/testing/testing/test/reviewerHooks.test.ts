/** Hooks and reviewers: those of a workflow surround what its stages ask, and a judge only where they name it. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import hooks from "@planloom/hooks"
import {
  definePlugin,
  hook,
  subagent,
  type ModelRequest,
  type RunEvent,
} from "@planloom/plugin/effect"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"

const judge = (id: string) =>
  subagent({
    id,
    summary: "Asks its model.",
    class: "quality",
    can: ["pass"],
    at: "whole",
    scope: "last",
    review: ({ text }, { model }) =>
      Effect.as(model.text({ messages: [{ role: "user", content: `Judge this: ${text}` }] }), {
        verdict: "pass" as const,
        confidence: 1,
        reason: "good",
      }),
  })

const marks = hook<"before_model">({
  id: "marks",
  summary: "Marks each request.",
  point: "before_model",
  kind: "transform",
  run: ({ messages }) => ({ messages: [...messages, { role: "user", content: "MARKED" }] }),
})

const played = (uses: string) =>
  Effect.gen(function* () {
    const requests: Array<ModelRequest> = []
    const script = scriptedProvider([
      { text: "Write to ada@example.org." },
      { text: "good" },
      { text: "good" },
    ])
    const provider = {
      ...script,
      generate: (request: ModelRequest) => {
        requests.push(request)
        return script.generate(request)
      },
      stream: (request: ModelRequest) => {
        requests.push(request)
        return script.stream(request)
      },
    }
    const plugin = definePlugin({
      id: "test",
      summary: "Judges and a model.",
      components: {
        subagents: [judge("strict"), judge("mild")],
        hooks: [marks],
        providers: [provider],
      },
    })
    const folder = mkdtempSync(join(tmpdir(), "planloom-reviewer-hooks-"))
    const file = join(folder, "flow.yaml")
    writeFileSync(
      file,
      `apiVersion: planloom/v1
kind: Workflow
name: flow
defaults: { model: scripted/any }
hooks: [${uses}]
shadow: { gate: [strict, mild] }
stages: [{ id: say, uses: generate, with: { task: Say. } }]
outputs: { said: { type: string, value: "\${{ stages.say.output.text }}" } }
`,
    )
    const options = { extraPlugins: [hooks, shadow, stages, plugin] }
    const { diagnostics } = yield* check(file, options)
    const events: Array<RunEvent> = []
    const { pipeline } = yield* load(file, options)
    yield* run(pipeline, {}, { onEvent: (event) => events.push(event) })
    return { requests: requests.map((request) => JSON.stringify(request)), events, diagnostics }
  }).pipe(Effect.scoped)

const marked = (requests: ReadonlyArray<string>): ReadonlyArray<boolean> =>
  requests.map((request) => request.includes("MARKED"))

describe("a hook of a workflow with reviewers", () => {
  it.effect.each([
    ["{ use: marks }", [true, false, false]],
    ["{ use: marks, reviewer: strict }", [false, true, false]],
    ["{ use: marks, reviewer: [strict, mild] }", [false, true, true]],
    ["{ use: marks }, { use: marks, reviewer: mild }", [true, false, true]],
    [
      "{ use: debug }, { use: marks, reviewer: mild, when: draft.model == 'other' }",
      [false, false, false],
    ],
  ] as const)(
    "%s surrounds the calls %j: of the stage, of `strict` and of `mild`",
    ([uses, expected]) =>
      Effect.gen(function* () {
        const { diagnostics, requests } = yield* played(uses)
        assert.deepStrictEqual(diagnostics, [])
        assert.deepStrictEqual(marked(requests), expected)
        assert.notInclude(requests.slice(1).join("\n"), "DEBUG MODE")
      }),
  )

  it.effect(
    "redacts personal data also from what reviewers ask, and quotes none of it in events",
    () =>
      Effect.gen(function* () {
        const { events, requests } = yield* played("{ use: redact_pii }")
        assert.include(requests[1], "Judge this: Write to [email].")
        const ran = events.filter(({ type }) => type === "HookRan")
        assert.isNotEmpty(ran)
        assert.notInclude(JSON.stringify(ran), "Judge this")
      }),
  )

  it.effect("is reported where it names a reviewer that does not exist", () =>
    Effect.gen(function* () {
      const { diagnostics } = yield* played("{ use: marks, reviewer: strikt }")
      assert.deepStrictEqual(
        diagnostics.map(({ code, message }) => `${code} ${message}`),
        ['PL4043 the workflow has no reviewer "strikt"'],
      )
    }),
  )
})
