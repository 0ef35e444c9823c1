/** Components of a workflow that does all that one can do: ask, fail, call tools, models and workflows, search, review. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  hook,
  ModelFailed,
  StageFailed,
  sectionKind,
  stageKind,
  subagent,
  type Components,
  type Embedder,
  type Gate,
  type HookUse,
  type Index,
  type Provider,
  type ToolSource,
} from "@planloom/plugin/effect"

const summary = "A part of a test."
const anything = { type: "object", additionalProperties: true }
const usage = { input: 1, output: 1 }

const provider: Provider = {
  id: "vendor",
  summary,
  stream: ({ model }) =>
    model === "lost"
      ? Stream.fail(
          new ModelFailed({ class: "unavailable", model: "vendor/lost", message: "gone" }),
        )
      : Stream.make({ type: "text", text: "Hello." }, { type: "finish", reason: "stop", usage }),
}

const asks = Effect.succeed({
  tools: [
    {
      name: "ask",
      summary,
      capabilities: [],
      inputs: {},
      params: true,
      outputs: [],
      needs_approval: true,
      asks: [{ way: "text" as const }],
    },
  ],
})

/** Asks the model of the stage, and needs an approval. Its list may be another one for a later run. */
const asking: ToolSource = {
  id: "tools",
  summary,
  list: asks,
  known: asks,
  call: ({ model }) =>
    Effect.orDie(
      Effect.as(model!.text({ messages: [{ role: "user", content: "?" }] }), { value: 1 }),
    ),
}

/** Finds every document; the vectors are of no use. */
const index: Index = {
  id: "all",
  summary,
  build: (documents, { embed } = {}) =>
    Effect.succeed({
      search: () =>
        Effect.as(
          embed!(["text"]),
          documents.map(({ id }) => ({ id, score: 1 })),
        ),
      add: () => Effect.void,
      remove: () => Effect.void,
      size: () => documents.length,
    }),
}

const embedder: Embedder = {
  id: "vectors",
  summary,
  model: "vendor/vectors",
  dimensions: 1,
  embed: (texts) => Effect.succeed({ vectors: texts.map(() => Float32Array.of(1)), usage }),
}

const careful = subagent({
  id: "careful",
  summary,
  class: "quality",
  can: ["pass"],
  at: "whole",
  scope: "last",
  review: (_, { model }) =>
    Effect.as(model.text({ messages: [{ role: "user", content: "Fine?" }] }), {
      verdict: "pass",
      confidence: 1,
      reason: "fine",
    }),
})

const gate: Gate = {
  open: (_, context) => (given) =>
    Stream.fromEffect(
      Effect.gen(function* () {
        const text = yield* Stream.mkString(given)
        yield* context.step("look", Effect.succeed(1))
        yield* context.review("careful", { text })
        return { type: "settled" as const, text, findings: [] }
      }),
    ),
  after: () => Effect.succeed({ action: "append", text: "More.", reason: "more" }),
}

const sections = (["workflow", "stage"] as const).flatMap((on) => [
  sectionKind<boolean>({
    on,
    key: "guard",
    summary,
    schema: { type: "boolean" },
    bind: () => ({ gate }),
  }),
  sectionKind<ReadonlyArray<HookUse>>({
    on,
    key: "hooks",
    summary,
    schema: { type: "array", items: { type: "object" } },
    bind: (uses) => ({ hooks: uses.map((use, at) => ({ ...use, at: [at] })) }),
  }),
  sectionKind<boolean>({
    on,
    key: "tone",
    summary,
    schema: { type: "boolean" },
    variables: () => ({ tone: { type: "string" } }),
    bind: () => ({ variables: () => Effect.succeed({ tone: "calm" }) }),
  }),
])

const hooks = [
  hook({
    id: "first",
    summary,
    kind: "transform",
    point: "before_stage",
    run: (_, { step }) => Effect.as(step("note", Effect.succeed(1)), {}),
  }),
  hook({
    id: "reply",
    summary,
    kind: "observe",
    point: "before_response",
    run: () => Effect.void,
  }),
  hook({ id: "last", summary, kind: "observe", point: "run_finished", run: () => Effect.void }),
]

const busy = stageKind<{ readonly path: string; readonly image: string }>({
  id: "busy",
  summary: "Fails, asks, then does all that a stage can do.",
  input: anything,
  output: true,
  reuses: () => true,
  refers: ({ path }) =>
    typeof path === "string" ? [{ to: "workflow", id: path, at: ["path"] }] : [],
  run: ({ image: file, path }, context) =>
    Effect.gen(function* () {
      if (context.answers.length === 0) {
        return yield* new StageFailed({
          class: context.attempt === 1 ? "unavailable" : "clarification",
          message: "which?",
        })
      }
      const now = yield* context.now
      yield* context.random
      yield* context.id
      yield* context.sleepUntil(now)
      yield* context.step("fallback/approval", Effect.succeed(1))
      yield* context.ask({ key: "gate/step", message: "Sure?" })
      yield* context.callTool({ tool: "ask", params: {}, key: "events/approval" })
      yield* context.callTool({ tool: "ask", params: {}, key: "tool/run", reuse: "run" })
      yield* context.image(file)
      yield* context.review(["careful"], { text: "a" })
      const built = yield* context.index([{ id: "a", fields: { text: "a" } }])
      yield* built.search("a", { limit: 1 })
      yield* context.workflow(path, {})
      return yield* context.workflow(path, {})
    }),
})

/** Fails the first time that it runs at all. */
const flaky = () => {
  let ran = false
  return stageKind<object>({
    id: "flaky",
    summary,
    input: anything,
    output: true,
    run: () =>
      Effect.suspend(() => {
        const failure = new StageFailed({ class: "unavailable", message: "not yet" })
        if (ran) return Effect.succeed(1)
        ran = true
        return Effect.fail(failure)
      }),
  })
}

const calls = stageKind<{ readonly path: string }>({
  id: "calls",
  summary,
  input: anything,
  output: true,
  refers: ({ path }) =>
    typeof path === "string" ? [{ to: "workflow", id: path, at: ["path"] }] : [],
  run: ({ path }, context) => context.workflow(path, {}),
})

const broken = stageKind<object>({
  id: "broken",
  summary,
  input: anything,
  output: true,
  run: () => Effect.fail(new StageFailed({ class: "internal", message: "broken" })),
})

const reply = stageKind<object>({
  id: "reply",
  summary,
  input: anything,
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
  mechanical: () => Effect.succeed({ text: "By rules." }),
})

export const everyPart = (): Components => ({
  stages: [busy, flaky(), calls, broken, reply],
  providers: [provider],
  tools: [asking],
  indexes: [index],
  embedders: [embedder],
  subagents: [careful],
  sections,
  hooks,
})
