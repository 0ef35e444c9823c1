/** Generated workflows whose names are words of the engine: stored, unstored, replayed, reset and forked alike. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { Json, JsonObject, RunEvent, RunStore } from "@planloom/plugin/effect"
import { below, firstOf, ofRun, segmentsOf, words } from "@planloom/plugin/segments"
import { check } from "@planloom/embed"
import type { Pipeline, RunOptions, RunResult } from "@planloom/core"
import { resume } from "@planloom/record"
import { replay } from "@planloom/record/replay"
import { forkOf, resetFrom, startSeqs } from "@planloom/record/reset"
import { cases } from "../../../../.config/cases.ts"
import { anyWorkflow, loadAny } from "./anyWorkflow.ts"
import type { Shape, Whole } from "./Shape.ts"
import { namesFrom, type Naming } from "./engineWords.ts"
import { newFile, newFolder, storeAt } from "./store.ts"
import type { Namer } from "./workflowFiles.ts"
import { answerTo, toEnd, untilDone, Witness } from "./Witness.ts"

/** Nothing runs beside anything, so that two runs emit the same events in one order. */
const inSequence = (shape: Shape): Shape => {
  const { instead } = shape
  const more = instead === undefined ? {} : { instead: instead.map(inSequence) }
  switch (shape.type) {
    case "work":
      return { ...shape, ...more, parallel: 1 }
    case "chooses":
      return { ...shape, ...more, stages: shape.stages.map(inSequence) }
    case "block":
      return { ...shape, ...more, graph: false, stages: shape.stages.map(inSequence) }
    case "calls":
      return { ...shape, ...more, stages: shape.stages.map(inSequence) }
    default:
      return { ...shape, ...more }
  }
}

const sequential = anyWorkflow.map((whole): Whole => ({
  ...whole,
  graph: false,
  stages: whole.stages.map(inSequence),
}))

const naming: fc.Arbitrary<Naming> = fc.record({
  start: fc.nat({ max: 500 }),
  step: fc.integer({ min: 1, max: 500 }),
  few: fc.boolean(),
})

const answer: NonNullable<RunOptions["answer"]> = (wait) => Effect.succeed(answerTo(wait))

const ending = ({ failure, outputs, status }: RunResult) => ({
  status,
  outputs,
  failure: failure?.class,
})

/** The result without times, costs and the number of the run. Each end of a run has its own round of `finally`. */
const resultOf = (result: RunResult, { finally: last }: Pipeline) => ({
  ...ending(result),
  degraded: result.degraded,
  notes: result.notes,
  stages: Object.fromEntries(
    Object.entries(result.stages).map(([path, { ms: _, ...stage }]) => {
      const { id } = firstOf(path)
      return [last.nodes.some((node) => node.id === id) ? id : path, stage]
    }),
  ),
})

/** An event without its time and number. */
const shown = ({ at: _, seq: __, ...event }: RunEvent) => event

const withoutStore = Effect.fnUntraced(function* (
  pipeline: Pipeline,
  run: string,
  witness: Witness,
) {
  const events: Array<RunEvent> = []
  const options = { run, answer, onEvent: (event: RunEvent) => void events.push(event) }
  return { events, result: yield* untilDone(toEnd(pipeline, options), witness) }
})

let runs = 0

const agree = Effect.fnUntraced(function* (
  store: RunStore,
  whole: Whole,
  names: Naming,
  places: ReadonlyArray<number>,
) {
  const witness = new Witness()
  const folder = newFolder()
  const { pipeline } = yield* loadAny(whole, folder, witness, namesFrom(names))
  const id = `r${runs++}`
  const plain = yield* withoutStore(pipeline, id, witness)
  const expected = ending(plain.result)

  const stored = yield* untilDone(toEnd(pipeline, { run: id, answer, store }), witness)
  const recorded = yield* store.read(id)
  assert.deepStrictEqual(resultOf(stored, pipeline), resultOf(plain.result, pipeline), "stored")
  assert.deepStrictEqual(recorded.events.map(shown), plain.events.map(shown), "events")

  const replays = Effect.fnUntraced(function* (run: string, what: string) {
    const again = yield* untilDone(replay(pipeline, yield* store.read(run)), witness)
    assert.deepStrictEqual(
      { ...ending(again.result), same: again.same, missing: again.missing, unused: again.unused },
      { ...expected, same: true, missing: undefined, unused: undefined },
      what,
    )
  })
  yield* replays(id, "replayed")

  const resumed = (run: string) =>
    untilDone(
      Effect.catchTag(resume(pipeline, run, { answer, store }), "RunFailed", ({ result }) =>
        Effect.succeed(result),
      ),
      witness,
    )
  const all = [...startSeqs(recorded.events).keys()]
  const chosen = new Set(places.map((share) => all[Math.floor(share * all.length)]!))
  for (const [number, from] of [...chosen].entries()) {
    const run = `${id}_${number}`
    const fork = yield* forkOf(pipeline, recorded, { run, from, inputs: {}, at: 0 })
    yield* store.write(fork)
    assert.deepStrictEqual(
      resultOf(yield* resumed(run), pipeline),
      resultOf(stored, pipeline),
      `forked at ${from}`,
    )
    yield* replays(run, `replayed as forked at ${from}`)
    yield* resetFrom(store, pipeline, run, from)
    assert.deepStrictEqual(
      resultOf(yield* resumed(run), pipeline),
      resultOf(stored, pipeline),
      `reset to ${from}`,
    )
    yield* replays(run, `replayed as reset to ${from}`)
  }
})

const calm = { onError: "fail", retry: false, conditional: false, needs: 0 } as const

describe("a workflow whose names are words of the engine", { timeout: 600_000 }, () => {
  // oxlint-disable-next-line vitest/expect-expect -- `agree` asserts
  it("gives the same stored and unstored, replayed, reset and forked anywhere", () => {
    const store = storeAt(newFile())
    return fc.assert(
      fc.asyncProperty(
        sequential,
        naming,
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 3 }),
        (whole, names, places) =>
          Effect.runPromise(
            Effect.scoped(agree(store, whole, names, places)).pipe(
              Effect.provide(TestClock.layer()),
            ),
          ),
      ),
      { numRuns: cases(20, 25) },
    )
  })

  it.effect("gives the value of its fallback, not that of an inner stage of this name", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const failing: Shape = { ...calm, type: "work", n: 6, parallel: 1 }
      const price: Shape = { ...calm, type: "work", n: 1, parallel: 1 }
      const order: Shape = {
        ...calm,
        type: "calls",
        onError: "fallback",
        times: 1,
        stages: [price, failing],
      }
      const named: Namer = (_, plain) => (plain === "s0" ? "fallback" : plain)
      const one = { stages: [order], graph: false, tidy: false }
      const { pipeline } = yield* loadAny(one, folder, new Witness(), named)
      const store = storeAt(newFile())
      const plain = yield* toEnd(pipeline, {})
      const stored = yield* toEnd(pipeline, { store, run: "r" })
      assert.deepStrictEqual(ending(stored), ending(plain))
      const output = stored.stages["fallback"] as { readonly output: Json }
      assert.deepStrictEqual(output.output, { doubled: 2, own: 1, round: 0 })
    }),
  )
})

describe("the id of a stage", () => {
  const stage = (id: string): JsonObject => ({ id, uses: "any" })
  const places: { readonly [place: string]: (id: string) => JsonObject } = {
    "at the top": (id) => ({ stages: [stage(id)] }),
    "in a block": (id) => ({ stages: [{ id: "block", stages: [stage(id)] }] }),
    "of a block": (id) => ({ stages: [{ id, stages: [stage("inner")] }] }),
    "in a loop": (id) => ({
      stages: [{ id: "block", repeat: { max_iterations: 1, until: "true" }, stages: [stage(id)] }],
    }),
    "in a case": (id) => ({
      stages: [{ id: "one", uses: "switch", with: { on: "run.id", cases: { a: stage(id) } } }],
    }),
    "in finally": (id) => ({ stages: [], finally: [stage(id)] }),
  }
  const segments = words.flatMap((word) => segmentsOf(below("s", word, 1)).slice(1))
  const wrong = [...segments, ofRun("failed"), "a/b", "a~2", "a[0]", "a%b", ":", ""]

  it.effect.each(Object.entries(places))("%s is refused with a character of segments", ([, of]) =>
    Effect.gen(function* () {
      const path = join(newFolder(), "workflow.yaml")
      for (const id of wrong) {
        const file = { apiVersion: "planloom/v1", kind: "Workflow", name: "any", ...of(id) }
        writeFileSync(path, JSON.stringify(file))
        const { diagnostics } = yield* check(path)
        const refused = diagnostics.filter(
          ({ code, message, severity }) =>
            severity === "error" && code === "PL0107" && message.startsWith(JSON.stringify(id)),
        )
        assert.isNotEmpty(refused, id)
      }
    }),
  )
})
