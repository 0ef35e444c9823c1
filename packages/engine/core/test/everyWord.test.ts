/** A workflow that makes the engine use every word of its segments: each recorded name has them apart from the ids of authors. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { BudgetLedger } from "@planloom/plugin/effect"
import { aboutOf, runWords, segmentsOf, words } from "@planloom/plugin/segments"
import type { Cassette } from "../src/model/Cassette.ts"
import { emptyRecording, recordingJournal } from "../src/run/journal/journals.ts"
import { memorySessions } from "../src/run/session/memorySessions.ts"
import { collect } from "./collect.ts"
import { everyPart } from "./everyPart.ts"
import { workflowOf } from "./inline.ts"
import { namingJournal, strayNames } from "./strayNames.ts"

const folder = mkdtempSync(join(tmpdir(), "planloom-words-"))
const inner = join(folder, "inner.yaml")
const image = join(folder, "a.png")
const prompt = join(folder, "base.md")
writeFileSync(image, Buffer.from("\x89PNG\r\n\x1A\n a picture", "latin1"))
writeFileSync(prompt, "Base.")
writeFileSync(
  inner,
  `apiVersion: planloom/v1
kind: Workflow
name: inner
stages: [{ id: fallback, uses: increment, with: { value: 1 } }]
outputs: { value: { type: integer, value: "\${{ stages.fallback.output }}" } }
`,
)
afterAll(() => rmSync(folder, { recursive: true }))

const body = `
tone: true
hooks: [{ use: first }, { use: reply }, { use: last }]
embeddings: vectors
prompts: { base: ${prompt} }
models: { lost: { try: [vendor/lost], otherwise: mechanical } }
session:
  window: 1
  request: hi
  assistant: "\${{ stages.reply.output.text }}"
  compact: { after: 1, model: vendor/any }
stages:
  - id: busy
    uses: busy
    model: vendor/any
    tone: true
    guard: true
    retry: { max_retries: 1, on: [unavailable], delay: 1ms }
    with: { path: ${inner}, image: ${image} }
  - { id: many, uses: increment, for_each: { in: "[1, 2]", as: n }, with: { value: "\${{ n }}" } }
  - id: block
    retry: { max_retries: 1, on: [unavailable], delay: 1ms }
    stages: [{ id: pause, uses: flaky }]
  - id: again
    repeat: { max_iterations: 2, on_no_new_call: end, until: iter.n > 0, carry: { n: 0 }, next: { n: "\${{ iter.n + 1 }}" } }
    stages: [{ id: attempt, uses: increment, with: { value: 1 } }]
  - id: broken
    uses: broken
    on_error: fallback
    fallback: { uses: calls, with: { path: ${inner} } }
  - { id: rules, uses: reply, model: lost }
  - { id: reply, uses: reply, model: vendor/any, guard: true }
finally: [{ id: tidy, uses: increment, with: { value: 1 } }]
outputs: { answer: { type: string, value: "\${{ stages.reply.output.text }}", stream: true } }
`

const loaded = (source: string) =>
  Effect.map(workflowOf(source, everyPart()), ({ pipeline }) => ({ ...pipeline, roots: [folder] }))

/** Names of what a run records, asks of its hosts, and sends to them. */
const namesOf = Effect.fnUntraced(function* (source: string, turns = 1) {
  const pipeline = yield* loaded(source)
  const seen = new Set<string>()
  const named = (name: string): void => void seen.add(name)
  const sessions = memorySessions()
  const cassette: Cassette = {
    replays: false,
    problems: () => [],
    save: () => Effect.void,
    call: ({ name }, effect) => {
      named(name)
      return effect
    },
  }
  for (let turn = 1; turn <= turns; turn++) {
    const run = `r${turn}`
    const inRun = (id: string): void => named(id.slice(run.length + 1))
    const budget: BudgetLedger = {
      measures: false,
      modelCall: ({ id }, call) => {
        inRun(id)
        return call({ book: () => undefined, again: () => Effect.void })
      },
      toolCall: ({ id }) => Effect.sync(() => inRun(id)),
      spentBefore: () => undefined,
    }
    const { result } = yield* collect(
      pipeline,
      {},
      {
        run,
        journal: namingJournal(recordingJournal(emptyRecording()), named),
        cassette,
        budget,
        ...(pipeline.session === undefined ? {} : { session: "s", sessions }),
        prompts: { current: () => Effect.succeed({}) },
        onPart: (part) => named(part.message),
        answer: ({ kind }) =>
          Effect.succeed(kind === "approval" ? { approved: true } : kind === "signal" ? 1 : "x"),
      },
    )
    if (turns > 1) assert.strictEqual(result.status, "succeeded", result.failure?.message)
  }
  return { names: [...seen], stray: strayNames(seen, pipeline) }
})

describe("a name that a run records", () => {
  it.live("has only ids of the workflow and segments with a colon, of every word", () =>
    Effect.gen(function* () {
      const whole = yield* namesOf(body, 3)
      const failed = yield* namesOf("stages: [{ id: run, uses: broken }]")
      assert.deepStrictEqual([whole.stray, failed.stray], [[], []])
      const segments = [...whole.names, ...failed.names].flatMap((name) => segmentsOf(name))
      const unused = words.filter((word) =>
        segments.every((segment) => aboutOf(segment, word) === undefined),
      )
      const unusedOfRun = runWords.filter((word) =>
        segments.every((segment) => segment.split(":", 2).join(":") !== `run:${word}`),
      )
      assert.deepStrictEqual([unused, unusedOfRun], [[], []])
    }),
  )
})
