/** That each suite passes what keeps the contract and catches what breaks it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  StageFailed,
  stageKind,
  ToolFailed,
  type Index,
  type Journal,
  ModelFailed,
  type ModelReply,
  type OpenedRun,
  type Provider,
  type RunStore,
  type StageKind,
  type ToolSource,
} from "@planloom/plugin/effect"
import { emptyRecording, recordingJournal } from "@planloom/core"
import { scriptedProvider } from "../double/scriptedProvider.ts"
import { stubTools } from "../double/stubTools.ts"
import { indexSuite } from "./indexSuite.ts"
import { journalSuite } from "./journalSuite.ts"
import { ownerSuite } from "./ownerSuite.ts"
import { providerSuite } from "./providerSuite.ts"
import { stageKindSuite, type StageKindCase } from "./stageKindSuite.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"
import { toolSourceSuite } from "./toolSourceSuite.ts"

/** Runs what a suite registers, and gives the names of the tests that failed. */
const failing = (register: (runner: SuiteRunner) => void) =>
  Effect.promise(async () => {
    const tests: Array<readonly [name: string, body: () => Promise<void>]> = []
    register({
      describe: (_, body) => body(),
      it: (name, body) => tests.push([name, body]),
    })
    const failed: Array<string> = []
    for (const [name, body] of tests) {
      await body().catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        failed.push(`${name} | ${message.split("\n")[0]}`)
      })
    }
    assert.isAbove(tests.length, 0)
    return failed
  })

const echo = (strategies: Partial<StageKind>): StageKind =>
  stageKind({
    id: "echo",
    summary: "gives what it is given",
    input: {
      type: "object",
      properties: { text: { type: "string" }, times: { type: "integer", default: 2 } },
      required: ["text"],
      additionalProperties: false,
    },
    output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    ...strategies,
  } as StageKind<never>)

const good = echo({
  run: (({ text, times }: { text: string; times: number }) =>
    Effect.succeed({ text: text.repeat(times) })) as never,
})
const plainCase: StageKindCase = {
  name: "repeats",
  with: { text: "ab" },
  check: (output) => assert.deepStrictEqual(output, { text: "abab" }),
}

const asking = echo({
  model: ((_: unknown, context: Parameters<NonNullable<StageKind["model"]>>[1]) =>
    Effect.gen(function* () {
      const reply = yield* context.model.text({ messages: [{ role: "user", content: "?" }] })
      yield* context.callTool({ tool: "count", params: {}, key: "count" })
      return { text: `${reply.text} ${yield* context.id} ${yield* context.random}` }
    })) as never,
})
const askingCase: StageKindCase = {
  name: "asks",
  with: { text: "x" },
  replies: [{ text: "hello" }],
  tools: { count: { result: 3 } },
}

describe("the suite of stage kinds", () => {
  it.effect("passes a kind that keeps its promises", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* failing((runner) => stageKindSuite(runner, good, [plainCase])),
        [],
      )
    }),
  )

  it.effect("replays and interrupts what a kind asks of models and tools", () =>
    Effect.gen(function* () {
      const failed = yield* failing((runner) => stageKindSuite(runner, asking, [askingCase]))
      // Its id and its random number are fresh in each run, and recorded: only "again" may differ.
      assert.deepStrictEqual(
        failed.map((name) => name.split(" | ")[0]),
        ["asks: does the same again"],
      )
    }),
  )

  const breaks: ReadonlyArray<
    readonly [what: string, kind: StageKind, one: StageKindCase, test: string]
  > = [
    [
      "a kind that writes to its input",
      echo({
        run: ((input: { text: string }) =>
          Effect.sync(() => {
            input.text += "!"
            return { text: input.text }
          })) as never,
      }),
      plainCase,
      "repeats",
    ],
    [
      "a kind with a default that does not fit",
      { ...good, input: { type: "object", properties: { text: { type: "string", default: 3 } } } },
      plainCase,
      "says what it is and what it takes",
    ],
    [
      "a kind whose result depends on the world",
      echo({
        run: (() => Effect.sync(() => ({ text: String(performance.now()) }))) as never,
      }),
      { ...plainCase, check: () => undefined },
      "repeats: does the same again",
    ],
    [
      "a kind that does not stop",
      echo({
        model: ((_: unknown, context: Parameters<NonNullable<StageKind["model"]>>[1]) =>
          Effect.uninterruptible(
            Effect.map(
              context.model.text({ messages: [{ role: "user", content: "?" }] }),
              ({ text }) => ({ text }),
            ),
          )) as never,
      }),
      { name: "asks", with: { text: "x" }, replies: [{ text: "hello" }] },
      "asks: stops at once when interrupted",
    ],
    [
      "a kind that fails otherwise than it should",
      echo({
        run: (() => Effect.fail(new StageFailed({ class: "internal", message: "oh no" }))) as never,
      }),
      { name: "refuses", with: { text: "x" }, fails: "invalid_request" },
      "refuses",
    ],
  ]
  for (const [what, kind, one, test] of breaks) {
    it.effect(`catches ${what}`, () =>
      Effect.gen(function* () {
        const failed = yield* failing((runner) => stageKindSuite(runner, kind, [one]))
        assert.include(
          failed.map((name) => name.split(" | ")[0]),
          test,
        )
      }),
    )
  }
})

describe("the suite of stage kinds, for a kind that adds a section to its prompt", () => {
  const asks = (sections: Partial<StageKind>) =>
    echo({
      model: ((_: unknown, context: Parameters<NonNullable<StageKind["model"]>>[1]) =>
        Effect.map(
          context.model.text({
            messages: [{ role: "user", content: "?" }],
            prompt: { sections: [{ id: "rules", text: "Be kind.", stable: true }] },
          }),
          ({ text }) => ({ text }),
        )) as never,
      ...sections,
    })

  it.effect("requires that the kind declares it", () =>
    Effect.gen(function* () {
      const cases = [{ name: "asks", with: { text: "ab" }, replies: [{ text: "yes" }] }]
      const failed = (kind: StageKind) => failing((runner) => stageKindSuite(runner, kind, cases))
      assert.deepStrictEqual(yield* failed(asks({ sections: ["rules"] })), [])
      assert.include((yield* failed(asks({})))[0], '"rules" is not among its `sections`')
    }),
  )
})

describe("the suite of providers", () => {
  const answering = (turn: (provider: Provider) => Provider) => (reply: object) => {
    const scripted = scriptedProvider([reply, reply])
    return { provider: turn(scripted), asked: () => scripted.requests.length }
  }

  it.effect("catches a stream without an end", () =>
    Effect.gen(function* () {
      const failed = yield* failing((runner) =>
        providerSuite(
          runner,
          "endless",
          answering((provider) => ({
            id: provider.id,
            summary: provider.summary,
            stream: (request) =>
              Stream.filter(provider.stream!(request), ({ type }) => type !== "finish"),
          })),
        ),
      )
      assert.isTrue(failed.some((name) => name.includes("the stream does not end with a finish")))
    }),
  )

  it.effect("catches one that tries again by itself", () =>
    Effect.gen(function* () {
      const failed = yield* failing((runner) =>
        providerSuite(
          runner,
          "stubborn",
          answering((provider) => ({
            ...provider,
            generate: (request) => Effect.retry(provider.generate!(request), { times: 1 }),
          })),
          { failures: ["overloaded"] },
        ),
      )
      assert.isTrue(failed.some((name) => name.includes("it asked more than once")))
    }),
  )

  it.effect("catches one that writes to the request", () =>
    Effect.gen(function* () {
      const failed = yield* failing((runner) =>
        providerSuite(
          runner,
          "careless",
          answering((provider) => ({
            id: provider.id,
            summary: provider.summary,
            generate: (request) =>
              Effect.suspend(() => {
                ;(request.messages as Array<unknown>).pop()
                return provider.generate!(request) as Effect.Effect<never, ModelFailed>
              }),
          })),
        ),
      )
      assert.isAbove(failed.length, 2)
    }),
  )
})

describe("what the suite of providers holds of the contract's fields", () => {
  const changed = (change: (provider: Provider) => Partial<Provider>) => (reply: object) => {
    const scripted = scriptedProvider([reply, reply])
    const { generate, id, summary } = scripted
    const provider = { id, summary, generate: generate! }
    return {
      provider: { ...provider, ...change(provider) },
      asked: () => scripted.requests.length,
    }
  }
  const replying = (turn: (reply: ModelReply) => object) =>
    changed(
      ({ generate }) =>
        ({
          generate: (request) =>
            Effect.map(generate!(request), (reply) => turn(reply as ModelReply)),
        }) as Partial<Provider>,
    )

  it.effect("passes a provider that keeps all of it", () =>
    Effect.gen(function* () {
      const keeping = changed(({ generate }) => ({
        omits: () => ["seed"],
        generate: (request) =>
          Effect.map(generate!(request), (reply) => ({ ...reply, requestId: "req_1" })),
      }))
      const suite = (runner: SuiteRunner) =>
        providerSuite(runner, "kept", keeping, { failures: ["rate_limit"] })
      assert.deepStrictEqual(yield* failing(suite), [])
    }),
  )

  for (const [what, answering, said] of [
    [
      "tokens of a cache that stand beside the input",
      replying(({ usage, ...reply }) => ({
        ...reply,
        usage: { ...usage, cached: 20, written: 2 },
      })),
      "what the cache read or wrote is no part of the input",
    ],
    [
      "tokens that are no count",
      replying(({ usage, ...reply }) => ({ ...reply, usage: { ...usage, cached: -1 } })),
      "cached tokens are no count",
    ],
    [
      "an estimate where the service reported its tokens",
      replying(({ usage, ...reply }) => ({ ...reply, usage: { ...usage, estimated: true } })),
      "the service reported its tokens",
    ],
    [
      "a request without a name that has one",
      replying((reply) => ({ ...reply, requestId: "" })),
      "an empty name of the request",
    ],
    [
      "a setting left out that does not exist",
      changed(() => ({ omits: () => ["temprature" as never] })),
      '"temprature" is no setting',
    ],
    [
      "a request refused for a setting",
      changed(({ generate }) => ({
        generate: (request) =>
          request.seed === undefined
            ? generate!(request)
            : Effect.fail(
                new ModelFailed({ class: "invalid_request", model: "x", message: "no seeds here" }),
              ),
      })),
      "no seeds here",
    ],
  ] as const) {
    it.effect(`catches ${what}`, () =>
      Effect.gen(function* () {
        const failed = yield* failing((runner) => providerSuite(runner, "wrong", answering))
        assert.isTrue(
          failed.some((name) => name.includes(said)),
          failed.join("\n"),
        )
      }),
    )
  }
})

describe("the suite of tool sources", () => {
  const stubs = stubTools({ count: { result: 3 } })
  const cases = [{ name: "counts", tool: "count", params: {} }]

  const catches = (what: string, source: ToolSource, said: string) =>
    it.effect(`catches ${what}`, () =>
      Effect.gen(function* () {
        const failed = yield* failing((runner) =>
          toolSourceSuite(runner, source, cases, { workspace: "unused" }),
        )
        assert.isTrue(
          failed.some((name) => name.includes(said)),
          failed.join("\n"),
        )
      }),
    )

  let calls = 0
  // Three unknown tools are refused and two calls answered before the one to interrupt.
  let slow = 0
  catches(
    "a result that is no plain data",
    { ...stubs, call: () => Effect.succeed({ value: { at: new Date(0) } as never }) },
    "is not plain data",
  )
  catches(
    "a result that changes",
    { ...stubs, call: () => Effect.sync(() => ({ value: calls++ })) },
    "the same call gave another result",
  )
  catches(
    "a call that does not stop",
    {
      ...stubs,
      call: (given) =>
        ++slow > 5
          ? Effect.uninterruptible(Effect.as(Effect.sleep(2300), { value: 3 }))
          : stubs.call(given),
    },
    "after it was interrupted",
  )
  catches(
    "a failure of the wrong kind",
    {
      ...stubs,
      call: ({ tool }) => Effect.fail(new ToolFailed({ tool, class: "tool_error", message: "no" })),
    },
    "counts",
  )
})

describe("the suite of journals", () => {
  it.effect("catches one that forgets failures", () =>
    Effect.gen(function* () {
      const failed = yield* failing((runner) =>
        journalSuite(
          runner,
          "forgetful",
          () => {
            const kept = new Map<string, unknown>()
            const open = (): Journal => ({
              ...recordingJournal(emptyRecording()),
              step: (name, effect) =>
                kept.has(name)
                  ? (Effect.succeed(kept.get(name)) as never)
                  : Effect.tap(effect, (value) => Effect.sync(() => kept.set(name, value))),
            })
            return { open }
          },
          { replays: true },
        ),
      )
      assert.lengthOf(
        failed.filter((name) => name.startsWith("answers a recorded")),
        3,
      )
    }),
  )

  it.effect("catches one whose lookup forgets what was recorded without a step", () =>
    Effect.gen(function* () {
      const failed = yield* failing((runner) =>
        journalSuite(
          runner,
          "careless",
          () => {
            const recording = emptyRecording()
            const open = (): Journal => ({
              ...recordingJournal(recording),
              record: () => Effect.void,
            })
            return { open }
          },
          { replays: true },
        ),
      )
      assert.deepStrictEqual(
        failed.map((name) => name.split(" | ")[0]),
        ["answers a step from an outcome that was recorded without it"],
      )
    }),
  )
})

describe("the suite of owners", () => {
  it.effect("catches a store that gives a living owner's run to anyone", () =>
    Effect.gen(function* () {
      const opened: OpenedRun = {
        epoch: 1,
        events: [],
        journal: recordingJournal(emptyRecording()),
        onCancel: () => undefined,
        close: Effect.succeed("closed"),
      }
      const store = {
        open: () => Effect.succeed(opened),
        show: () => Effect.succeed({ active: false }),
        due: Effect.succeed([]),
        steps: () => Effect.succeed([]),
        reset: () => Effect.void,
        watchOwner: () => Effect.succeed(false),
      } as unknown as RunStore
      const failed = yield* failing((runner) =>
        ownerSuite(runner, "careless", () => ({ open: () => store }), { silenceMs: 20 }),
      )
      assert.lengthOf(failed, 5, failed.join("\n"))
    }),
  )
})

describe("the suite of indexes", () => {
  it.effect("catches one whose removed documents come back", () =>
    Effect.gen(function* () {
      const naive: Index = {
        id: "naive",
        summary: "finds whatever shares a word",
        build: (given) =>
          Effect.sync(() => {
            const documents = [...given]
            const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\d_]+/gu))
            return {
              size: () => documents.length,
              add: (more) => Effect.sync(() => void documents.push(...more)),
              remove: () => Effect.void,
              search: (query, { least = 0, limit, where = {} }) =>
                Effect.sync(() =>
                  documents
                    .filter(({ facets }) =>
                      Object.entries(where).every(([facet, values]) =>
                        facets?.[facet]?.some((value) => values.includes(value)),
                      ),
                    )
                    .map(({ examples = [], fields, id }) => {
                      const own = words([...Object.values(fields), ...examples].join(" "))
                      const asked = [...words(query)]
                      const shared = asked.filter((word) => own.has(word)).length
                      return { id, score: shared / Math.max(1, asked.length) }
                    })
                    .filter(({ score }) => score > 0 && score >= least)
                    .toSorted((a, b) => b.score - a.score)
                    .slice(0, limit),
                ),
            }
          }),
      }
      const failed = yield* failing((runner) => indexSuite(runner, naive))
      assert.deepStrictEqual(
        failed.map((name) => name.split(" | ")[0]),
        ["is after removing as if built from what remains", "can be emptied and filled again"],
      )
    }),
  )
})
