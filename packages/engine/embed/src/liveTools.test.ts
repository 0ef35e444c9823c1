/** Tool sources whose list changes while a run is under way. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { run } from "@planloom/core"
import {
  definePlugin,
  stageKind,
  type JsonObject,
  type ModelReply,
  type ModelRequest,
  type Tool,
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

const tool = (name: string): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: { type: "object" },
  outputs: [],
  effect: "read",
})

/** Lets fibers that can continue do so. */
const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

/** A source with a list that a test changes, and what is called of it. */
const changing = (...first: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const changes = yield* Queue.unbounded<void>()
    let names = first
    let during: Effect.Effect<unknown> = Effect.void
    const called: Array<string> = []
    const source: ToolSource = {
      id: "far",
      summary: "Tools far away.",
      list: Effect.sync(() => ({ tools: names.map(tool), open: ["far.*"] })),
      changes: Stream.fromQueue(changes),
      call: ({ params, tool: name }) =>
        Effect.suspend(() => {
          called.push(name)
          return Effect.as(during, { value: { name, ...params } })
        }),
    }
    const change = (...now: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        names = now
        return Effect.andThen(Queue.offer(changes, undefined), settled)
      })
    return {
      source,
      called,
      change,
      whileCalled: (work: Effect.Effect<unknown>) => {
        during = work
      },
    }
  })

/** Names the tools that a stage has before and after what happens in it. */
const lists = (between: () => Effect.Effect<unknown>) =>
  stageKind<JsonObject>({
    id: "lists",
    summary: "Lists tools.",
    input: { type: "object" },
    output: true,
    run: (_, context) => {
      const names = Effect.sync(() => context.tools.map(({ name }) => name).join())
      return Effect.map(Effect.all([names, Effect.suspend(between), names]), ([a, , b]) => [a, b])
    },
  })

/** A model that is asked `turns` times: it calls `base.step` and the last of the tools that it is offered, and then answers. */
const model = (turns: number) => {
  const requests: Array<ModelRequest> = []
  const generate = (request: ModelRequest) =>
    Effect.sync((): Omit<ModelReply, "model"> => {
      requests.push(request)
      const turn = request.messages.filter(({ role }) => role === "assistant").length
      const names = (request.tools ?? []).map(({ name }) => name)
      const wanted = [...new Set(["base.step", ...names.slice(-1)])]
      return {
        text: turn < turns ? "" : "Done.",
        reasoning: "",
        toolCalls:
          turn < turns
            ? wanted.map((name, at) => ({ id: `${turn}_${at}`, name, arguments: { turn } }))
            : [],
        finish: turn < turns ? "tool_calls" : "stop",
        usage: { input: 1, output: 1 },
      }
    })
  return { requests, provider: { id: "one", summary: "One.", generate } }
}

const offered = ({ tools = [] }: ModelRequest): ReadonlyArray<string> =>
  tools.map(({ name }) => name)

interface World {
  readonly source: ToolSource
  readonly body: string
  readonly turns?: number
  readonly between?: () => Effect.Effect<unknown>
}

const opened = ({ between = () => Effect.void, body, source, turns = 2 }: World) =>
  Effect.gen(function* () {
    const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
    writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: test\n${body}\n`)
    const { provider, requests } = model(turns)
    const step: ToolSource = {
      id: "base",
      summary: "Steps.",
      list: Effect.succeed({ tools: [tool("base.step")] }),
      call: source.call,
    }
    const plugin = definePlugin({
      id: "test",
      summary: "Test.",
      components: { stages: [lists(between)], tools: [step, source], providers: [provider] },
    })
    const { pipeline } = yield* load(path, { extraPlugins: [stages, plugin] })
    const outcome = (recording?: Recording) =>
      run(pipeline, {}, recording === undefined ? {} : { journal: recordingJournal(recording) })
    return { outcome, requests }
  })

const agent = (tools: string) =>
  `models: { m: { try: [one/small] } }\nstages: [{ id: a, uses: agent, model: m, with: { task: Go., repeat_calls: true, tools: [${tools}] } }]\noutputs: { calls: "\${{ stages.a.output.calls.map(c, c.tool + ' ' + string(c.ok)) }}", text: "\${{ stages.a.output.text }}" }`

describe("a list of tools that changes in a run", () => {
  it.effect("is the newest for a stage that starts, and stays the same within it", () =>
    Effect.gen(function* () {
      const { change, source } = yield* changing("far.a")
      let round = 0
      const { outcome } = yield* opened({
        source,
        between: () => (round++ === 0 ? change("far.a", "far.b") : Effect.void),
        body: 'stages: [{ id: a, uses: lists }, { id: b, uses: lists }]\noutputs: { a: "${{ stages.a.output }}", b: "${{ stages.b.output }}" }',
      })
      const first = "base.step,far.a"
      const then = "base.step,far.a,far.b"
      assert.deepStrictEqual((yield* outcome()).outputs, { a: [first, first], b: [then, then] })
    }),
  )

  it.effect("is offered to a model anew between its turns, by the start of names", () =>
    Effect.gen(function* () {
      const { change, source, whileCalled } = yield* changing("far.a")
      const { outcome, requests } = yield* opened({ source, body: agent("base.step, far.*") })
      whileCalled(change("far.b", "far.c"))
      const { outputs } = yield* outcome()
      assert.deepStrictEqual(requests.map(offered), [
        ["base.step", "far.a"],
        ["base.step", "far.b", "far.c"],
        ["base.step", "far.b", "far.c"],
      ])
      assert.deepStrictEqual(outputs, {
        calls: ["base.step true", "far.a true", "base.step true", "far.c true"],
        text: "Done.",
      })
    }),
  )

  it.effect(
    "may lose a tool that a stage names: it is offered no more, and a call of it fails",
    () =>
      Effect.gen(function* () {
        const { change, source, whileCalled } = yield* changing("far.a")
        const { outcome, requests } = yield* opened({ source, body: agent("base.step, far.a") })
        whileCalled(change())
        assert.strictEqual((yield* outcome()).outputs["text"], "Done.")
        assert.deepStrictEqual(requests.map(offered), [
          ["base.step", "far.a"],
          ["base.step"],
          ["base.step"],
        ])
      }),
  )

  it.effect("fails a call of a tool that is listed no more as unavailable, with its source", () =>
    Effect.gen(function* () {
      const { change, source } = yield* changing("far.a")
      const { outcome } = yield* opened({
        source,
        between: () => change(),
        body: "stages: [{ id: a, uses: lists }, { id: b, uses: call, with: { tool: far.a, params: {} } }]",
      })
      const failed = yield* Effect.flip(outcome())
      assert.strictEqual(
        failed.message,
        '"far.a" is unavailable: its source "far" does not list it now',
      )
    }),
  )

  it.effect(
    "is read a few times at once, whatever a source announces, and ends with the newest",
    () =>
      Effect.gen(function* () {
        const changes = yield* Queue.unbounded<void>()
        const waiting: Array<Deferred.Deferred<ReadonlyArray<Tool>>> = []
        const source: ToolSource = {
          id: "far",
          summary: "Tools far away.",
          list: Effect.suspend(() => {
            if (waiting.length === 0 && !isOpen) return Effect.succeed({ tools: [tool("far.a")] })
            const one = Deferred.makeUnsafe<ReadonlyArray<Tool>>()
            waiting.push(one)
            return Effect.map(Deferred.await(one), (tools) => ({ tools }))
          }),
          changes: Stream.fromQueue(changes),
          call: () => Effect.succeed({ value: null }),
        }
        let isOpen = false
        const { outcome } = yield* opened({
          source,
          body: 'stages: [{ id: a, uses: lists }]\noutputs: { a: "${{ stages.a.output[0] }}" }',
        })
        isOpen = true
        const now = Effect.map(outcome(), ({ outputs }) => outputs["a"])
        for (let at = 0; at < 100; at++) yield* Queue.offer(changes, undefined)
        yield* settled
        assert.lengthOf(waiting, 2)
        yield* Deferred.succeed(waiting[1]!, [tool("far.second")])
        yield* settled
        assert.strictEqual(yield* now, "base.step,far.second")
        yield* Deferred.succeed(waiting[0]!, [tool("far.first")])
        yield* settled
        assert.strictEqual(yield* now, "base.step,far.second")
        assert.lengthOf(waiting, 3)
        yield* Deferred.succeed(waiting[2]!, [tool("far.third")])
        yield* settled
        assert.strictEqual(yield* now, "base.step,far.third")
        assert.lengthOf(waiting, 3)
      }),
  )
})

describe("a run that is resumed with other tools", () => {
  const some = fc.subarray(["far.a", "far.b", "far.c", "far.d"])

  it.effect(
    "replays its turns with the tools that were offered then, and offers the newest in the next",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(some, { minLength: 2, maxLength: 5 }),
            some,
            fc.nat(),
            (phases, later, cutAt) =>
              Effect.runPromise(Effect.scoped(replayed(phases, later, cutAt))),
          ),
          { numRuns: cases(40) },
        ),
      ),
  )

  const replayed = (
    phases: ReadonlyArray<ReadonlyArray<string>>,
    later: ReadonlyArray<string>,
    cutAt: number,
  ) =>
    Effect.gen(function* () {
      const turns = phases.length - 1
      const body = agent("base.step, far.*")
      const before = yield* changing(...phases[0]!)
      let phase = 0
      before.whileCalled(
        Effect.suspend(() =>
          before.called.at(-1) === "base.step" ? before.change(...phases[++phase]!) : Effect.void,
        ),
      )
      const first = yield* opened({ source: before.source, body, turns })
      const recording = emptyRecording()
      const whole = yield* first.outcome(recording)
      assert.deepStrictEqual(
        first.requests.map((one) => offered(one).slice(1)),
        phases,
      )

      const kept = [...recording.steps].slice(0, cutAt % (recording.steps.size + 1))
      const rest: Recording = { ...emptyRecording(), steps: new Map(kept) }
      const after = yield* changing(...later)
      const second = yield* opened({ source: after.source, body, turns })
      const again = yield* second.outcome(rest)
      const live = second.requests[0]
      if (live === undefined) return assert.deepStrictEqual(again.outputs, whole.outputs)
      const turn = live.messages.filter(({ role }) => role === "assistant").length
      const isTaken = kept.some(([name]) => name.endsWith(`/tools:${turn + 1}`))
      assert.deepStrictEqual(offered(live).slice(1), isTaken ? phases[turn] : later)
      assert.deepStrictEqual(live.messages, first.requests[turn]!.messages)
    })
})
