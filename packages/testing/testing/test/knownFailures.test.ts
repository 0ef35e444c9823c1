/** Failures that users of workflow engines meet: each test names one that must not happen here. */
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { emptyRecording, recordingJournal, type Recording } from "@planloom/core"
import { check } from "@planloom/embed"
import { artefactOf, checkWorkflow } from "@planloom/language"
import { StageFailed, stageKind, type Answer, type Json } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { collect } from "../../../engine/core/test/collect.ts"
import { workflowOf } from "../../../engine/core/test/inline.ts"
import { rules } from "../../../engine/language/src/definition/rules/index.ts"

const approve = stages.components!.stages!.find(({ id }) => id === "approve")!

/** Counts its runs, and gives how many there were. */
const counting = () => {
  const seen: Array<string> = []
  const kind = stageKind<{ readonly name: string; readonly value?: Json }>({
    id: "count",
    summary: "Counts its runs.",
    input: { type: "object", properties: { name: { type: "string" }, value: true } },
    output: { type: "integer" },
    run: ({ name }) =>
      Effect.sync(() => {
        seen.push(name)
        return seen.filter((one) => one === name).length
      }),
  })
  return { kind, seen }
}

const answered = (recording: Recording, value: Json): void => {
  const open = [...recording.waits.keys()].filter((name) => !recording.answers.has(name))
  for (const name of open) recording.answers.set(name, { value, by: "ann", at: 0 } as Answer)
}

const problemsOf = (body: string) =>
  Effect.gen(function* () {
    const path = join(mkdtempSync(join(tmpdir(), "known-")), "workflow.yaml")
    writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: test\n${body}`)
    const { diagnostics } = yield* check(path, { extraPlugins: [stages] })
    return diagnostics
  })

describe("a check", () => {
  it.effect("reports stale references all at once, not one for each try", () =>
    Effect.gen(function* () {
      const found = yield* problemsOf(`inputs: { given: { type: string } }
stages:
  - { id: a, uses: set, with: { value: "\${{ inputs.gone }}" } }
  - { id: b, uses: sett, with: { value: 1 } }
  - { id: c, uses: set, if: stages.none.output == 1, with: { value: 1 } }
  - { id: d, uses: set, retry: missing, with: { value: 1 } }
outputs: { out: "\${{ stages.a.output.never }}" }
`)
      const errors = found.filter(({ severity }) => severity === "error")
      assert.deepStrictEqual(
        [...new Set(errors.map(({ start }) => start.line))].toSorted(),
        [6, 7, 8, 9],
      )
    }),
  )

  it("has a next step for every rule, so that neither a person nor a model is left with a code", () => {
    for (const rule of rules) assert.isAtLeast(rule.fix.length, 10, rule.code)
  })

  it.effect(
    "warns of a switch that may match no case, and the run fails: an unmatched route is no success",
    () =>
      Effect.gen(function* () {
        const body = `inputs: { kind: { type: string } }
stages:
  - id: pick
    uses: switch
    with: { on: inputs.kind, cases: { a: { uses: echo, with: { value: 1 } } } }
`
        const found = yield* problemsOf(body)
        assert.isTrue(found.some(({ code }) => code === "PL2015"))
        const { pipeline } = yield* workflowOf(body)
        assert.strictEqual((yield* collect(pipeline, { kind: "b" })).result.status, "failed")
        assert.strictEqual((yield* collect(pipeline, { kind: "a" })).result.status, "succeeded")
      }),
  )

  it.effect("refuses a loop without a bound", () =>
    Effect.gen(function* () {
      const found = yield* problemsOf(`stages:
  - id: again
    repeat: { carry: { n: 0 }, until: "false", next: { n: "\${{ iter.n + 1 }}" } }
    stages: [{ id: a, uses: set, with: { value: 1 } }]
`)
      assert.isTrue(found.some(({ message }) => message.includes("max_iterations")))
    }),
  )

  it.effect("loads no code that a file of the workflow names under `use.files`", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "known-"))
      const marks = join(folder, "ran")
      const code = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(marks)}, "")\nexport default {}\n`
      const endings = ["ts", "js", "mjs", "cjs", "yaml", "json", "yaml.js"]
      for (const ending of endings) writeFileSync(join(folder, `evil.${ending}`), code)
      const path = join(folder, "workflow.yaml")
      const names = fc.constantFrom(...endings.map((ending) => `evil.${ending}`))
      const written = fc.oneof(
        names,
        names.map((name) => `./${name}`),
        names.map((name) => `../${folder.split("/").at(-1)}/${name}`),
        names.map((name) => `"file://${folder}/${name}"`),
        names.map((name) => `"data:text/javascript,import('${folder}/${name}')"`),
      )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 3 }), async (files) => {
            writeFileSync(
              path,
              `apiVersion: planloom/v1\nkind: Workflow\nname: test\nuse: { files: [${files.join(", ")}] }\nstages: []\n`,
            )
            const { diagnostics } = await Effect.runPromise(check(path))
            assert.isTrue(diagnostics.some(({ severity }) => severity === "error"))
            assert.notInclude(readdirSync(folder), "ran")
          }),
          { numRuns: cases(20) },
        ),
      )
    }),
  )
})

describe("a gate", () => {
  const body = `stages:
  - { id: ok, uses: approve, with: { message: "Publish?" } }
  - { id: post, if: stages.ok.output.approved, uses: count, with: { name: post } }
outputs: { post: "\${{ stages.post.outcome }}" }
`
  it.effect("takes a plain (no, stop) for no approval", () =>
    Effect.gen(function* () {
      const { kind, seen } = counting()
      const { pipeline } = yield* workflowOf(body, { stages: [approve, kind] })
      for (const value of ["no, stop", "yes", true, { approved: "yes" }, { comment: "go" }]) {
        const answer = () => Effect.succeed(value as never)
        const { result } = yield* collect(pipeline, {}, { answer })
        assert.notStrictEqual(result.outputs["post"], "succeeded", JSON.stringify(value))
      }
      assert.deepStrictEqual(seen, [])
      yield* collect(pipeline, {}, { answer: () => Effect.succeed({ approved: true }) })
      assert.deepStrictEqual(seen, ["post"])
    }),
  )

  it.effect("is not passed by a resume: it is asked until it has its answer", () =>
    Effect.gen(function* () {
      const { kind, seen } = counting()
      const { pipeline } = yield* workflowOf(body, { stages: [approve, kind] })
      const recording = emptyRecording()
      for (let tries = 0; tries < 3; tries++) {
        const { result } = yield* collect(pipeline, {}, { journal: recordingJournal(recording) })
        assert.strictEqual(result.status, "suspended")
        assert.deepStrictEqual(seen, [])
      }
      answered(recording, { approved: false })
      const { result } = yield* collect(pipeline, {}, { journal: recordingJournal(recording) })
      assert.strictEqual(result.outputs["post"], "skipped")
      assert.deepStrictEqual(seen, [])
    }),
  )
})

describe("a run", () => {
  it.effect("keeps what it did on its second and third resume", () =>
    Effect.gen(function* () {
      const { kind, seen } = counting()
      const { pipeline } = yield* workflowOf(
        `stages:
  - { id: a, uses: count, with: { name: a } }
  - { id: one, uses: approve, with: { message: "One?" } }
  - { id: b, uses: count, with: { name: b, value: "\${{ stages.a.output }}" } }
  - { id: two, uses: approve, with: { message: "Two?" } }
  - { id: c, uses: count, with: { name: c } }
outputs: { all: "\${{ [stages.a.output, stages.b.output, stages.c.output] }}" }
`,
        { stages: [approve, kind] },
      )
      const recording = emptyRecording()
      const resume = () => collect(pipeline, {}, { journal: recordingJournal(recording) })
      yield* resume()
      answered(recording, { approved: true })
      yield* resume()
      yield* resume()
      answered(recording, { approved: true })
      const { result } = yield* resume()
      assert.deepStrictEqual(result.outputs["all"], [1, 1, 1])
      assert.deepStrictEqual(seen, ["a", "b", "c"])
      // Once more: all of it is on record.
      assert.strictEqual((yield* resume()).result.status, "succeeded")
      assert.lengthOf(seen, 3)
    }),
  )

  it.effect("verifies again after the rework that a rejection asks for", () =>
    Effect.gen(function* () {
      const { kind, seen } = counting()
      const { pipeline } = yield* workflowOf(
        `stages:
  - { id: draft, uses: count, with: { name: draft } }
  - { id: verify, uses: count, with: { name: verify, value: "\${{ stages.draft.output }}" } }
  - { id: accept, uses: count, with: { name: accept }, assert: [{ that: stages.draft.output > 1, on_fail: { rerun: draft, max_reruns: 2 } }] }
`,
        { stages: [kind] },
      )
      yield* collect(pipeline)
      assert.deepStrictEqual(seen, ["draft", "verify", "accept", "draft", "verify", "accept"])
    }),
  )

  it.effect(
    "waits as long as a service asks, also longer than half a minute, and tries again",
    () =>
      Effect.gen(function* () {
        let left = 1
        const busy = stageKind<object>({
          id: "busy",
          summary: "A service that asks to slow down.",
          input: { type: "object" },
          output: { type: "string" },
          run: () =>
            Effect.suspend(() =>
              left-- > 0
                ? Effect.fail(
                    new StageFailed({ class: "rate_limit", message: "429", retryAfter: 90_000 }),
                  )
                : Effect.succeed("done"),
            ),
        })
        const { pipeline } = yield* workflowOf(
          `policies: { retry: { again: { max_retries: 2, delay: 1s, max_delay: 5m, on: [rate_limit] } } }
stages: [{ id: a, uses: busy, retry: again }]
outputs: { a: "\${{ stages.a.output }}" }
`,
          { stages: [busy] },
        )
        const fiber = yield* Effect.forkChild(collect(pipeline))
        yield* TestClock.adjust("2 minutes")
        const { events, result } = yield* Fiber.join(fiber)
        assert.strictEqual(result.outputs["a"], "done")
        const delays = events.flatMap((event) =>
          event.type === "AttemptFailed" ? [event.delay] : [],
        )
        assert.deepStrictEqual(delays, [90_000])
      }),
  )

  it.effect("that its budget stops keeps the results that are paid for", () =>
    Effect.gen(function* () {
      const { kind } = counting()
      const slow = stageKind<object>({
        id: "slow",
        summary: "Takes ten minutes.",
        input: { type: "object" },
        output: true,
        run: () => Effect.as(Effect.sleep("10 minutes"), null),
      })
      const recording = emptyRecording()
      const { pipeline } = yield* workflowOf(
        `policies: { budget: { time: 1m } }
stages:
  - { id: a, uses: count, with: { name: a } }
  - { id: long, uses: slow }
outputs: {}
`,
        { stages: [kind, slow] },
      )
      const fiber = yield* Effect.forkChild(
        collect(pipeline, {}, { journal: recordingJournal(recording) }),
      )
      yield* TestClock.adjust("11 minutes")
      const { events, result } = yield* Fiber.join(fiber)
      assert.strictEqual(result.failure?.class, "budget")
      assert.isTrue([...recording.steps.keys()].length > 0)
      const outputs = events.flatMap((event) =>
        event.type === "StageFinished" ? [[event.path, event.output]] : [],
      )
      assert.deepInclude(outputs, ["a", 1])
    }),
  )
})

describe("classes of failures", () => {
  it.effect("come from codes: the text of a failure, in any order of words, changes none", () =>
    Effect.gen(function* () {
      const words = ["rate limit", "timeout", "unauthorized", "invalid request", "not found", "429"]
      for (const message of words) {
        const failing = stageKind<object>({
          id: "failing",
          summary: "Fails.",
          input: { type: "object" },
          output: true,
          run: () => Effect.fail(new StageFailed({ class: "tool_error", message })),
        })
        const { pipeline } = yield* workflowOf(
          `policies: { retry: { again: { max_retries: 2, delay: 1ms, on: [rate_limit, timeout] } } }
stages: [{ id: a, uses: failing, retry: again }]
`,
          { stages: [failing] },
        )
        const { events, result } = yield* collect(pipeline)
        assert.strictEqual(result.failure?.class, "tool_error", message)
        assert.isFalse(events.some(({ type }) => type === "AttemptFailed"))
      }
    }),
  )

  it.effect("and their messages stay as they are where the output has a schema", () =>
    Effect.gen(function* () {
      const failing = (output: boolean) =>
        stageKind<object>({
          id: "failing",
          summary: "Fails.",
          input: { type: "object" },
          output: output ? { type: "object", required: ["n"], properties: { n: {} } } : true,
          run: () =>
            Effect.fail(new StageFailed({ class: "tool_error", message: "the disk is full" })),
        })
      for (const typed of [true, false]) {
        const { pipeline } = yield* workflowOf("stages: [{ id: a, uses: failing }]\n", {
          stages: [failing(typed)],
        })
        const { result } = yield* collect(pipeline)
        assert.deepInclude(result.failure, { class: "tool_error" })
        assert.include(result.failure!.message, "the disk is full")
      }
    }),
  )
})

describe("a build", () => {
  it.effect("of the same files gives the same bytes each time, so that no lock file toggles", () =>
    Effect.gen(function* () {
      const path = join(mkdtempSync(join(tmpdir(), "known-")), "workflow.yaml")
      writeFileSync(
        path,
        `apiVersion: planloom/v1
kind: Workflow
name: test
inputs: { n: { type: integer } }
stages: [{ id: a, uses: set, with: { value: "\${{ inputs.n + 1 }}" } }]
outputs: { a: "\${{ stages.a.output }}" }
`,
      )
      const built = Effect.scoped(
        Effect.gen(function* () {
          const { diagnostics, sources, workflow } = yield* checkWorkflow(
            path,
            { extraPlugins: [stages] },
            "check",
          )
          assert.isDefined(workflow, JSON.stringify(diagnostics))
          const folder = mkdtempSync(join(tmpdir(), "known-"))
          const artefact = yield* Effect.promise(() =>
            artefactOf({ workflow: workflow!, sources, folder }),
          )
          return JSON.stringify(artefact).replaceAll(folder, "")
        }),
      )
      assert.strictEqual(yield* built, yield* built)
    }),
  )
})
