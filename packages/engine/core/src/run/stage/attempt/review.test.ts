/** Reviews that a stage kind asks of subagents and validators. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  stageKind,
  subagent,
  validator,
  type Finding,
  type StageFinding,
  type Json,
  type Provider,
  type ReviewUse,
  type Subagent,
} from "@planloom/plugin/effect"
import { collect } from "../../../../test/collect.ts"
import { workflowOf } from "../../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../../journal/journals.ts"

const summary = "A part of a test."
const pass: Finding = { verdict: "pass", confidence: 1, reason: "fine" }

const judge = (uses: ReadonlyArray<ReviewUse>) =>
  stageKind<{ readonly text: string }>({
    id: "judge",
    summary,
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    output: true,
    refers: () =>
      uses.map((use) => ({ to: "reviewer", id: typeof use === "string" ? use : use.use, at: [] })),
    run: ({ text }, { review }) =>
      Effect.map(review(uses, { text }), (findings) => findings as unknown as Json),
  })

const short = validator<{ readonly most?: number }>({
  id: "short",
  summary,
  input: { type: "object", properties: { most: { type: "integer" } } },
  validate: (text, { most = 5 }) =>
    text.length > most ? { verdict: "flag", confidence: 1, reason: `over ${most}` } : pass,
})

const agent = (id: string, review: Subagent["review"]) =>
  subagent({
    id,
    summary,
    class: "quality",
    can: ["pass", "flag"],
    at: "whole",
    scope: "last",
    timeout: "2s",
    review,
  })

let asked = 0
const provider: Provider = {
  id: "fake",
  summary,
  generate: ({ messages }) =>
    Effect.sync(() => ({
      text: `seen ${JSON.stringify(messages[0]?.content)} ${++asked}`,
      reasoning: "",
      toolCalls: [],
      finish: "stop" as const,
      usage: { input: 1, output: 1 },
    })),
}

const careful = agent("careful", ({ text }, { model }) =>
  Effect.map(model.text({ messages: [{ role: "user", content: text }] }), (reply) => ({
    verdict: "flag",
    confidence: 0.5,
    reason: reply.text,
  })),
)

const workflow = (uses: ReadonlyArray<ReviewUse>, more: ReadonlyArray<Subagent> = []) =>
  workflowOf(
    `defaults: { model: fake/any }
stages: [{ id: check, uses: judge, with: { text: hello there } }]
outputs: { findings: "\${{ stages.check.output }}" }
`,
    {
      stages: [judge(uses)],
      providers: [provider],
      validators: [short],
      subagents: [careful, ...more],
    },
  )

const throws = () => {
  throw new Error("boom")
}

describe("a review", () => {
  it.effect("gives the findings in the order of its uses, each an event, and is made once", () =>
    Effect.gen(function* () {
      asked = 0
      const { pipeline } = yield* workflow([
        "careful",
        "short",
        { use: "short", with: { most: 20 } },
      ])
      const recording = emptyRecording()
      const go = () => collect(pipeline, {}, { journal: recordingJournal(recording) })
      const { events, result } = yield* go()
      assert.strictEqual(result.failure?.message, undefined)
      const findings: ReadonlyArray<StageFinding> = [
        { verdict: "flag", confidence: 0.5 },
        { verdict: "flag", confidence: 1 },
        { verdict: "pass", confidence: 1 },
      ]
      assert.deepStrictEqual(result.outputs["findings"], findings as unknown as Json)
      assert.sameDeepMembers(
        events.flatMap((event) => (event.type === "Reviewed" ? [event.finding] : [])),
        [...findings],
      )
      // As if the process had been killed before the attempt was recorded.
      recording.steps.delete("check")
      assert.deepStrictEqual((yield* go()).result.outputs, result.outputs)
      assert.strictEqual(asked, 1)
    }),
  )

  it.live("is late where its reviewer works longer than it may without a pause", () =>
    Effect.gen(function* () {
      const busy = subagent({
        id: "busy",
        summary,
        class: "quality",
        can: ["pass"],
        at: "whole",
        scope: "last",
        timeout: "20ms",
        review: () =>
          Effect.sync(() => {
            const end = Date.now() + 60
            while (Date.now() < end);
            return pass
          }),
      })
      const { pipeline } = yield* workflow(["busy"], [busy])
      const { events } = yield* collect(pipeline)
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "Reviewed" ? [event.cause] : [])),
        ["timeout"],
      )
    }),
  )

  it.effect("asks under names of its own after the stage has asked", () =>
    Effect.gen(function* () {
      const asking = stageKind<{ readonly text: string }>({
        id: "asking",
        summary,
        input: { type: "object", properties: { text: { type: "string" } } },
        output: true,
        run: ({ text }, { model, review }) =>
          Effect.andThen(
            model.text({ messages: [{ role: "user", content: text }] }),
            Effect.as(review(["careful"], { text }), null),
          ),
      })
      const { pipeline } = yield* workflowOf(
        `defaults: { model: fake/any }
stages: [{ id: check, uses: asking, with: { text: hello } }]
outputs: {}
`,
        { stages: [asking], providers: [provider], subagents: [careful] },
      )
      const recording = emptyRecording()
      yield* collect(pipeline, {}, { journal: recordingJournal(recording) })
      assert.deepStrictEqual(
        [...recording.steps.keys()].filter((name) => name.includes("/model:")),
        ["check/model:1:fake:any"],
      )
    }),
  )

  it.effect("that names a reviewer which does not exist is an error of check", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(workflow(["carefull"]))
      assert.include(JSON.stringify(failure), 'there is no reviewer \\"carefull\\"')
    }),
  )

  it.effect.each([
    ["throws", throws, "it threw: Error"],
    ["returns no finding", () => Effect.succeed({ verdict: "maybe" }), "it returned no finding"],
    [
      "returns a verdict that it does not declare",
      () => Effect.succeed({ ...pass, verdict: "block" }),
      'its verdict "block" is not one of those it declares: pass, flag',
    ],
    [
      "names a place outside of the text",
      () => Effect.succeed({ ...pass, spans: [{ start: 0, end: 4_539_148_803 }] }),
      "a span of its finding is not in the text",
    ],
    [
      "names a rule that it does not declare",
      ({ text }: { readonly text: string }) => Effect.succeed({ ...pass, rules: [text] }),
      "a rule of its finding is not one of those it declares",
    ],
    ["takes too long", () => Effect.never, "it took longer than 2s"],
  ] as const)("fails if a reviewer %s, and names it", ([, review, reason]) =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflow(["short", "bad"], [agent("bad", review as never)])
      const fiber = yield* Effect.forkChild(collect(pipeline))
      yield* TestClock.adjust("3 seconds")
      const { events, result } = yield* Fiber.join(fiber)
      assert.include(result.failure?.message, `the review by "bad" failed: ${reason}`)
      const failed = events.flatMap((event) =>
        event.type === "Reviewed" && event.failure !== undefined ? [event.reviewer] : [],
      )
      assert.deepStrictEqual(failed, ["bad"])
    }),
  )
})
