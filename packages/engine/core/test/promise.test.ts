/** Components in promise style in a run: suspension, cancellation, failures, and what their context can do. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Components, Json, JsonObject } from "@planloom/plugin/effect"
import {
  hook,
  index,
  provider,
  stageKind,
  StageFailed,
  tool,
  toolSource,
  type StageContext,
} from "@planloom/plugin"
import { emptyRecording, recordingJournal } from "../src/run/journal/journals.ts"
import type { RunOptions } from "../src/run/RunOptions.ts"
import { collect } from "./collect.ts"
import { hookedWorkflow } from "./hooked.ts"
import { workflowOf } from "./inline.ts"

type Run = (context: StageContext) => Json | PromiseLike<Json>

const body = `
stages: [{ id: work, uses: work }]
outputs: { value: "\${{ stages.work.output }}" }
`

const kind = (run: Run) =>
  stageKind({
    id: "work",
    summary: "Does the work of a test.",
    input: { type: "object", additionalProperties: false },
    output: true,
    run: (_, context) => run(context),
  })

/** A run of one stage, repeatable over one record. */
const prepared = Effect.fnUntraced(function* (run: Run, components: Components = {}) {
  const { pipeline } = yield* workflowOf(body, { ...components, stages: [kind(run)] })
  const recording = emptyRecording()
  const options: RunOptions = { journal: recordingJournal(recording), run: "r" }
  return {
    go: (inputs: JsonObject = {}) => collect(pipeline, inputs, options),
    answer: (name: string, value: Json) => recording.answers.set(name, { value, by: "ann", at: 0 }),
  }
})

const outcome = Effect.fnUntraced(function* (run: Run, components?: Components) {
  const { go } = yield* prepared(run, components)
  const { result } = yield* go()
  return result.stages["work"]!
})

const echo = toolSource({
  id: "echo",
  summary: "Repeats its argument.",
  tools: [
    tool({
      name: "echo",
      summary: "Repeats its argument.",
      params: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      run: async ({ text }) => text.toUpperCase(),
    }),
    tool({
      name: "refuse",
      summary: "Fails.",
      params: true,
      run: async () => {
        throw new StageFailed({ class: "unavailable", message: "the service is down" })
      },
    }),
  ],
})

describe("a promise-style stage", () => {
  it.effect("waits for an answer without its catch and finally seeing the suspension", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const aborted: Array<boolean> = []
      const { answer, go } = yield* prepared(
        async (context) => {
          const { signal } = context
          signal.addEventListener("abort", () => aborted.push(true))
          try {
            seen.push(
              (await context.callTool({ tool: "echo", params: { text: "a" }, key: "a" })) as string,
            )
            const { value } = await context.ask({ message: "Continue?" })
            return value
          } catch (error) {
            seen.push(`caught ${String(error)}`)
            return "caught"
          } finally {
            seen.push("finally")
          }
        },
        { tools: [echo] },
      )
      assert.strictEqual((yield* go()).result.status, "suspended")
      assert.deepStrictEqual(seen, ["A"])
      assert.deepStrictEqual(aborted, [true])
      answer("work", "yes")
      const { result } = yield* go()
      assert.strictEqual(result.status, "succeeded")
      assert.deepStrictEqual(result.outputs, { value: "yes" })
      assert.deepStrictEqual(seen, ["A", "A", "finally"])
    }),
  )

  it.effect("asks two questions at once and is suspended with both", () =>
    Effect.gen(function* () {
      const { answer, go } = yield* prepared(async ({ ask }) => {
        const answers = await Promise.all([
          ask({ key: "a", message: "A?" }),
          ask({ key: "b", message: "B?" }),
        ])
        return answers.map(({ value }) => value)
      })
      const { result } = yield* go()
      const names = result.waits.map(({ name }) => name).sort()
      assert.strictEqual(names.length, 2)
      for (const name of names) answer(name, name)
      assert.deepStrictEqual((yield* go()).result.outputs, { value: names })
    }),
  )

  it.effect("keeps the class of a failure that it throws, or leaves uncaught from a tool", () =>
    Effect.gen(function* () {
      const thrown = yield* outcome(async () => {
        throw new StageFailed({ class: "rate_limit", message: "slow down", retryAfter: 5 })
      })
      assert.strictEqual(thrown.failure?.class, "rate_limit")
      assert.strictEqual(thrown.failure?.retryAfter, 5)
      const uncaught = yield* outcome(
        async ({ callTool }) => callTool({ tool: "refuse", params: {}, key: "r" }),
        { tools: [echo] },
      )
      assert.strictEqual(uncaught.failure?.class, "unavailable")
    }),
  )

  it.effect("catches the failure of a tool", () =>
    Effect.gen(function* () {
      const caught = yield* outcome(
        async ({ callTool }) => {
          try {
            return await callTool({ tool: "refuse", params: {}, key: "r" })
          } catch (error) {
            return (error as StageFailed).message
          }
        },
        { tools: [echo] },
      )
      assert.strictEqual(caught.output, "the service is down")
    }),
  )

  it.effect("fails with class internal when it throws another error, at once or later", () =>
    Effect.gen(function* () {
      const sync = yield* outcome(() => {
        throw new Error("no such city")
      })
      assert.strictEqual(sync.failure?.class, "internal")
      assert.include(sync.failure?.message, "no such city")
      const late = yield* outcome(async () => {
        throw new RangeError("too far")
      })
      assert.include(late.failure?.message, "too far")
    }),
  )

  it.effect("names a rejection that is not an Error", () =>
    Effect.gen(function* () {
      const { failure } = yield* outcome(() => Promise.reject({ code: 7 }))
      assert.strictEqual(failure?.class, "internal")
      assert.include(failure?.message, '{"code":7}')
    }),
  )

  it.effect("ends when its run is interrupted, although its promise never settles", () =>
    Effect.gen(function* () {
      const { promise: started, resolve } = Promise.withResolvers<AbortSignal>()
      const { go } = yield* prepared(({ signal }) => {
        resolve(signal)
        return new Promise(() => {})
      })
      const fiber = yield* Effect.forkChild(go())
      const signal = yield* Effect.promise(() => started)
      assert.isFalse(signal.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signal.aborted)
    }),
  )

  it.live(
    "is left when its run is interrupted, although its tool asks and the host ignores that",
    () =>
      Effect.gen(function* () {
        const asks = toolSource({
          id: "asks",
          summary: "Asks.",
          tools: [
            tool({
              name: "ask",
              summary: "Asks.",
              params: true,
              run: async (_, { askNow }) => (await askNow({ message: "Sure?" })).value,
            }),
          ],
        })
        const { promise: asked, resolve } = Promise.withResolvers<void>()
        const { pipeline } = yield* workflowOf(body, {
          stages: [kind(({ callTool }) => callTool({ tool: "ask", params: {}, key: "a" }))],
          tools: [asks],
        })
        const answer = () => {
          resolve()
          return Effect.uninterruptible(Effect.never)
        }
        const fiber = yield* Effect.forkChild(collect(pipeline, {}, { answer }))
        yield* Effect.promise(() => asked)
        yield* Fiber.interrupt(fiber)
      }),
  )

  it.effect("interrupts a call of its context that it did not wait for", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const slow = toolSource({
        id: "slow",
        summary: "Never answers.",
        tools: [
          tool({
            name: "hang",
            summary: "Never answers.",
            params: true,
            run: (_, { signal }) => {
              signal.addEventListener("abort", () => (interrupted += 1))
              return new Promise<Json>(() => {})
            },
          }),
        ],
      })
      const { output } = yield* outcome(
        async ({ callTool }) => {
          void callTool({ tool: "hang", params: {}, key: "h" })
          return "done"
        },
        { tools: [slow] },
      )
      assert.strictEqual(output, "done")
      assert.strictEqual(interrupted, 1)
    }),
  )

  it.effect("records a step once and repeats its failure as data", () =>
    Effect.gen(function* () {
      let made = 0
      const { answer, go } = yield* prepared(async ({ ask, step }) => {
        const value = await step("count", () => ++made)
        const failure = await step("broken", async () => {
          throw new Error(`failed ${made}`)
        }).catch((error: StageFailed) => `${error.class}: ${error.message}`)
        await ask({ message: "Continue?" })
        return [value, failure]
      })
      yield* go()
      answer("work", true)
      const { result } = yield* go()
      assert.deepStrictEqual(result.outputs, { value: [1, "internal: failed 1"] })
      assert.strictEqual(made, 1)
    }),
  )

  it.effect("draws recorded values, and searches an index of an author", () =>
    Effect.gen(function* () {
      const contains = index({
        id: "contains",
        summary: "Finds documents that contain the query.",
        build: (documents) => {
          const kept = new Map(documents.map((one) => [one.id, one]))
          return {
            search: async (query, { limit }) =>
              [...kept.values()]
                .filter(({ fields }) => Object.values(fields).some((text) => text.includes(query)))
                .slice(0, limit)
                .map(({ id }) => ({ id, score: 1 })),
            add: (more) => more.forEach((one) => kept.set(one.id, one)),
            remove: (ids) => ids.forEach((id) => kept.delete(id)),
            size: () => kept.size,
          }
        },
      })
      const { output } = yield* outcome(
        async ({ id, index: build, now, random }) => {
          const built = await build([{ id: "a", fields: { text: "apple" } }])
          await built.add([{ id: "b", fields: { text: "apricot" } }])
          const found = await built.search("apri", { limit: 3 })
          return [
            typeof (await id()),
            (await now()) >= 0,
            (await random()) < 1,
            built.size(),
            found.map((hit) => hit.id),
          ]
        },
        { indexes: [contains] },
      )
      assert.deepStrictEqual(output, ["string", true, true, 2, ["b"]])
    }),
  )

  it.effect("is named when it returns an Effect", () =>
    Effect.gen(function* () {
      const { failure } = yield* outcome(() => Effect.succeed(1) as never)
      assert.include(failure?.message, "@planloom/plugin/effect")
    }),
  )
})

describe("other promise-style components", () => {
  it.effect("change a stage's input as a hook, with options of its schema", () =>
    Effect.gen(function* () {
      const shout = hook({
        id: "shout",
        summary: "Adds a mark.",
        point: "after_stage",
        kind: "transform",
        input: { type: "object", properties: { mark: { type: "string" } }, required: ["mark"] },
        run: async ({ output }, context) => {
          const count = await context.collection("seen").get("count")
          return {
            output: `${String(output)}${context.with.mark}${count === undefined ? "" : "?"}`,
          }
        },
      })
      const { pipeline } = yield* hookedWorkflow(
        `
hooks: [{ use: shout, with: { mark: "!" } }]
${body}`,
        [shout],
        { stages: [kind(async () => "hello")] },
      )
      assert.deepStrictEqual((yield* collect(pipeline, {})).result.outputs, { value: "hello!" })
    }),
  )

  it.effect("answer a model call as a provider that streams", () =>
    Effect.gen(function* () {
      let aborted = 0
      const streaming = provider({
        id: "parts",
        summary: "Streams two parts.",
        stream: async function* (_request, { signal }) {
          signal.addEventListener("abort", () => (aborted += 1))
          yield { type: "text", text: "one " }
          yield { type: "text", text: "two" }
          yield { type: "finish", reason: "stop", usage: { input: 1, output: 2 } }
        },
      })
      const { pipeline } = yield* workflowOf(
        `
stages: [{ id: work, uses: work, model: parts/x }]
outputs: { value: "\${{ stages.work.output }}" }
`,
        {
          providers: [streaming],
          stages: [
            stageKind({
              id: "work",
              summary: "Asks the model.",
              input: { type: "object" },
              output: { type: "string" },
              model: async (_, { model }) =>
                (await model.text({ messages: [{ role: "user", content: "go" }] })).text,
            }),
          ],
        },
      )
      const { result } = yield* collect(pipeline, {})
      assert.deepStrictEqual(result.outputs, { value: "one two" })
      assert.strictEqual(aborted, 1)
    }),
  )
})
