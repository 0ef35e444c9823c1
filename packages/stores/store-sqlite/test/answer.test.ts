/** Questions in the store: which answers are accepted, which runs become due, and runs answered and killed in any order. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import {
  StageFailed,
  definePlugin,
  stageKind,
  type Failure,
  type Journal,
  type Json,
  type OpenedRun,
  type RunEvent,
  type RunStart,
  type Tool,
  type Wait,
} from "@planloom/plugin/effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { load } from "@planloom/embed"
import type { Pipeline, RunResult } from "@planloom/core"
import { run } from "@planloom/core"
import { resume } from "@planloom/record"
import { newFile, newFolder, start, storeAt } from "./store.ts"
import { cases } from "../../../../.config/cases.ts"

const question = (name: string, more: Partial<Wait> = {}): Wait => ({
  name,
  kind: "approval",
  path: name,
  message: `${name}?`,
  schema: true,
  ...more,
})

const suspended = (seq: number, ...waits: ReadonlyArray<Wait>): RunEvent => ({
  type: "RunSuspended",
  waits,
  seq,
  at: seq,
})

const says = (value: Json, at = 1) => ({ value, by: "ann", at })

describe("questions in the SQLite store", () => {
  it.effect("are listed oldest first while open, filtered by run or workflow", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      for (const [index, id] of ["a", "b"].entries()) {
        const { close, journal } = yield* store.open(start(id, { workflow: `w${index}` }))
        yield* journal.wait(question("first"))
        yield* TestClock.adjust(10)
        yield* journal.wait(question("second", { expiresAt: 1000 }))
        yield* TestClock.adjust(10)
        journal.event(suspended(0, question("first"), question("second")))
        yield* close
      }
      const listed = (filter?: Parameters<typeof store.waits>[0]) =>
        Effect.map(store.waits(filter), (all) => all.map((open) => `${open.run} ${open.wait.name}`))
      assert.deepStrictEqual(yield* listed(), ["a first", "a second", "b first", "b second"])
      assert.deepStrictEqual(yield* listed({ run: "b" }), ["b first", "b second"])
      assert.deepStrictEqual(yield* listed({ workflow: "w0" }), ["a first", "a second"])
      yield* store.answer("a", "first", says(true))
      yield* TestClock.setTime(1000)
      assert.deepStrictEqual(yield* listed(), ["b first"])
    }),
  )

  it.effect("accept one answer each and report why another is refused", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const { close, journal } = yield* store.open(start("r"))
      yield* journal.wait(question("open"))
      yield* journal.wait(question("short", { expiresAt: 500 }))
      journal.event(suspended(0, question("open"), question("short")))
      yield* close
      const refused = (name: string, at = 1) =>
        Effect.map(Effect.flip(store.answer("r", name, says(1, at))), (failure) => ({
          reason: failure.reason,
          message: failure.message,
        }))
      assert.deepStrictEqual(yield* refused("other"), {
        reason: "unknown",
        message: 'the run r has no question named "other"',
      })
      assert.strictEqual((yield* refused("short", 500)).reason, "expired")
      const record = yield* store.answer("r", "open", says({ yes: 1 }))
      assert.strictEqual(record.status, "suspended")
      assert.deepStrictEqual(yield* refused("open"), {
        reason: "answered",
        message: '"open" was answered by ann at 1970-01-01T00:00:00.001Z',
      })
      const again = yield* store.open(start("r"))
      assert.deepStrictEqual((yield* again.journal.wait(question("open"))).answer, says({ yes: 1 }))
      again.journal.event({ type: "RunFinished", outputs: {}, seq: 1, at: 1 })
      yield* again.close
      assert.strictEqual((yield* refused("short")).reason, "ended")
      assert.strictEqual((yield* Effect.flip(store.answer("none", "x", says(1)))).reason, "missing")
    }),
  )

  it.effect("make a run due once a question it waits for is answered or expired", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const park = Effect.fnUntraced(function* (id: string, ...waits: ReadonlyArray<Wait>) {
        const { close, events, journal } = yield* store.open(start(id))
        for (const wait of waits) yield* journal.wait(wait)
        journal.event(suspended(events.length, ...waits))
        return yield* close
      })
      const due = Effect.map(store.due(), (runs) => runs.map((record) => record.run))
      yield* park("a", question("one"), question("two"))
      yield* park("b", question("one", { expiresAt: 100 }))
      const { close } = yield* store.open(start("dead"))
      assert.deepStrictEqual(yield* due, [])
      yield* close
      assert.deepStrictEqual(yield* due, ["dead"])
      yield* store.answer("a", "one", says(1))
      assert.deepStrictEqual(yield* due, ["a", "dead"])
      // Resumed and suspended at the other question: an answer it has used does not make it due again.
      yield* park("a", question("two"))
      assert.deepStrictEqual(yield* due, ["dead"])
      yield* TestClock.setTime(100)
      assert.deepStrictEqual(yield* due, ["b", "dead"])
    }),
  )

  it.effect("answered before the suspension leave the run with its owner", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const { close, epoch, journal } = yield* store.open(start("r"))
      yield* journal.wait(question("q"))
      const record = yield* storeAt(path).answer("r", "q", says(1))
      assert.strictEqual(record.status, "running")
      assert.isTrue(record.active)
      journal.event(suspended(0, question("q")))
      assert.strictEqual(yield* close, "answered")
      assert.strictEqual((yield* store.show("r"))?.status, "running")
      yield* store.open(start("r", { epoch }))
      const late = yield* Effect.flip(store.open(start("r", { epoch })))
      assert.strictEqual(late.reason, "fenced")
    }),
  )
})

const tool: Tool = {
  name: "act",
  summary: "Acts.",
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
}

/** Parallel and sequential stages with stage approvals, tool approvals and clarifications. */
const text = `apiVersion: planloom/v1
kind: Workflow
name: asking
stages:
  - { id: a, uses: ask, needs: [], with: { message: a } }
  - { id: b, uses: acts, needs: [], with: { keys: [one, two, guarded] } }
  - { id: each, uses: unsure, needs: [], for_each: { in: "[1, 2]", as: n, max_parallel: 2 }, with: { n: "\${{ n }}" } }
  - { id: c, uses: acts, needs: [a], with: { keys: [three] } }
  - id: rounds
    needs: [c, b]
    repeat: { max_iterations: 2, until: "false", on_exhausted: continue, carry: { said: [] }, next: { said: "\${{ iter.said + [stages.more.output] }}" } }
    stages: [{ id: more, uses: ask, with: { message: more } }]
finally: [{ id: tidy, uses: acts, with: { keys: [last] } }]
outputs:
  all: "\${{ [stages.a.output, stages.b.output, stages.each.output, stages.c.output, stages.rounds.output.carry.said] }}"
`

const asking = (happened: Array<string>) => {
  const anything = { type: "object", additionalProperties: true }
  const folder = newFolder()
  const path = join(folder, "workflow.yaml")
  writeFileSync(path, text)
  return load(path, {
    extraPlugins: [
      definePlugin({
        id: "test",
        summary: "Asks in every way.",
        components: {
          stages: [
            stageKind<{ readonly message: string }>({
              id: "ask",
              summary: "Asks.",
              input: anything,
              output: true,
              run: ({ message }, context) =>
                Effect.map(context.ask({ message }), ({ value }) => value),
            }),
            stageKind<{ readonly keys: ReadonlyArray<string> }>({
              id: "acts",
              summary: "Acts, side by side.",
              input: anything,
              output: true,
              run: ({ keys }, context) =>
                Effect.forEach(
                  keys,
                  (key) =>
                    context.callTool({
                      tool: key === "guarded" ? "guarded" : "act",
                      params: {},
                      key,
                    }),
                  { concurrency: "unbounded" },
                ),
            }),
            stageKind<{ readonly n: number }>({
              id: "unsure",
              summary: "Asks back once.",
              input: anything,
              output: true,
              run: ({ n }, { answers, callTool }) =>
                Effect.gen(function* () {
                  yield* callTool({ tool: "act", params: {}, key: "look" })
                  if (answers.length > 0) return answers[0]!.answer
                  return yield* new StageFailed({
                    class: "clarification",
                    message: `which ${n}?`,
                  })
                }),
            }),
          ],
          tools: [
            {
              id: "acts",
              summary: "Acts.",
              list: Effect.succeed({
                tools: [tool, { ...tool, name: "guarded", needs_approval: true }],
              }),
              call: ({ key }) =>
                Effect.sync(() => {
                  happened.push(key)
                  return { value: key }
                }),
            },
          ],
        },
      }),
    ],
  })
}

const answerTo = ({ kind, name }: Wait): Json =>
  kind === "approval" ? { approved: true } : `to ${name}`

/**
 * Resumes the run as a process that acts as dead after `left` records: nothing starts, nothing is emitted, and
 * unwritten records are lost.
 */
const goOnAndDie = (path: string, pipeline: Pipeline, steps: number) =>
  Effect.gen(function* () {
    const dead = Deferred.makeUnsafe<void>()
    const store = storeAt(path)
    const open = (given: RunStart) =>
      Effect.map(store.open(given), (opened): OpenedRun => {
        let left = steps
        const step: Journal["step"] = <A extends Json, E extends Failure, R>(
          name: string,
          effect: Effect.Effect<A, E, R>,
        ) =>
          Effect.suspend((): Effect.Effect<A, E, R> => {
            if (left <= 0) {
              Deferred.doneUnsafe(dead, Effect.void)
              return Effect.never
            }
            return Effect.onExit(opened.journal.step(name, effect), () =>
              Effect.sync(() => {
                left--
              }),
            )
          })
        const event = (emitted: RunEvent) => {
          if (left > 0) opened.journal.event(emitted)
        }
        return { ...opened, journal: { ...opened.journal, step, event } }
      })
    const dying = new Proxy(store, {
      get: (target, key) => {
        if (key === "open") return open
        const value = Reflect.get(target, key) as unknown
        return typeof value === "function" ? (value.bind(target) as unknown) : value
      },
    })
    const fiber = yield* Effect.forkDetach(run(pipeline, {}, { store: dying, run: "r" }))
    yield* Effect.raceFirst(Deferred.await(dead), Effect.exit(Fiber.join(fiber)))
  })

const plain = ({ outputs, stages, status }: RunResult) => ({
  outputs,
  status,
  stages: Object.fromEntries(
    Object.entries(stages).map(([path, { ms: _, ...stage }]) => [path, stage]),
  ),
})

describe("a run with many questions in the SQLite store", () => {
  it.live("ends the same for every order of answers and kills", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ which: fc.nat(20), dies: fc.option(fc.nat(12)) }), {
            minLength: 12,
            maxLength: 12,
          }),
          (moves) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const wanted: Array<string> = []
                  const whole = yield* run(
                    (yield* asking(wanted)).pipeline,
                    {},
                    { run: "r", answer: (wait) => Effect.succeed(answerTo(wait)) },
                  )
                  const happened: Array<string> = []
                  const { pipeline } = yield* asking(happened)
                  const path = newFile()
                  const store = storeAt(path)
                  let result = yield* run(pipeline, {}, { store, run: "r" })
                  for (const { dies, which } of moves) {
                    if (result.waits.length === 0) break
                    const { name } = result.waits[which % result.waits.length]!
                    const { wait } = (yield* store.waits({ run: "r" })).find(
                      (open) => open.wait.name === name,
                    )!
                    const { status } = yield* store.answer("r", name, says(answerTo(wait)))
                    assert.include(["suspended", "clarification"], status)
                    assert.strictEqual((yield* store.due())[0]?.run, "r")
                    if (dies !== null) yield* goOnAndDie(path, pipeline, dies)
                    result = yield* resume(pipeline, "r", { store })
                  }
                  assert.deepStrictEqual(plain(result), plain(whole))
                  assert.deepStrictEqual(happened.toSorted(), wanted.toSorted())
                  const events = yield* store.events("r")
                  assert.deepStrictEqual(
                    events.map(({ seq }) => seq),
                    events.map((_, index) => index),
                  )
                  const asked = events.flatMap((event) =>
                    event.type === "Asked" ? [event.wait.name] : [],
                  )
                  assert.strictEqual(new Set(asked).size, asked.length)
                }),
              ),
            ),
        ),
        { numRuns: cases(12, 2) },
      ),
    ),
  )
})
