/** One component of every kind in Effect style, each as its counterpart in promise.ts. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  definePlugin,
  eventKind,
  fileKind,
  hook,
  ModelFailed,
  sectionKind,
  stageKind,
  subagent,
  ToolFailed,
  validator,
  type Embedder,
  type Finding,
  type Gate,
  type Index,
  type Provider,
  type Reranker,
  type ToolSource,
} from "@planloom/plugin/effect"

const phrases = fileKind<{ readonly phrases: ReadonlyArray<string> }>({
  kind: "Phrases",
  summary: "Phrases to write with.",
  schema: {
    type: "object",
    properties: { phrases: { type: "array", items: { type: "string" } } },
    required: ["phrases"],
    additionalProperties: false,
  },
  check: (file) =>
    Effect.succeed(
      file.phrases.length > 0
        ? []
        : [{ code: "PHRASE01", message: "there is no phrase", at: ["phrases"] }],
    ),
})

const mood = sectionKind<"calm" | "loud">({
  on: "workflow",
  key: "mood",
  summary: "The mood of what is written.",
  schema: { enum: ["calm", "loud"] },
  variables: () => ({ mark: { type: "string" } }),
  bind: (value) => ({ variables: () => Effect.succeed({ mark: value === "loud" ? "!" : "." }) }),
})

/** Replaces words: nothing leaves before the whole text is read. */
const hiding = (words: ReadonlyArray<string>): Gate => ({
  open: () => (text) =>
    Stream.fromEffect(
      Effect.map(Stream.mkString(text), (whole) => ({
        type: "settled",
        text: words.reduce((shown, word) => shown.replaceAll(word, "…"), whole),
        findings: [],
      })),
    ),
})

const hide = sectionKind<ReadonlyArray<string>>({
  on: "workflow",
  key: "hide",
  summary: "Words that no reply may show.",
  schema: { type: "array", items: { type: "string" } },
  bind: (words) => ({ gate: hiding(words) }),
})

const composed = eventKind<{ readonly words: number }>({
  name: "everything/composed",
  summary: "A text was written.",
  audience: "user",
  schema: { type: "object", properties: { words: { type: "integer" } }, required: ["words"] },
  render: ({ words }) => `wrote ${words} words`,
})

const parrot: Provider = {
  id: "parrot",
  summary: "Repeats the message: parrot/any.",
  generate: ({ messages, model }) => {
    const text = messages.at(-1)?.content
    if (typeof text !== "string") {
      return Effect.fail(
        new ModelFailed({ class: "invalid_request", model, message: "the message is not text" }),
      )
    }
    const words = text.split(" ").length
    const usage = { input: words, output: words }
    return Effect.succeed({ text, reasoning: "", toolCalls: [], finish: "stop", usage })
  },
}

const vectorOf = (text: string): Float32Array => {
  const counts = new Float32Array(26)
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97
    if (at >= 0 && at < 26) counts[at]! += 1
  }
  const length = Math.hypot(...counts) || 1
  return counts.map((count) => count / length)
}

const letters: Embedder = {
  id: "letters",
  summary: "Counts letters.",
  model: "letters/count",
  dimensions: 26,
  embed: (texts) => Effect.succeed({ vectors: texts.map(vectorOf) }),
}

const shortest: Reranker = {
  id: "shortest",
  summary: "Puts short texts first.",
  model: "letters/length",
  rerank: (_, texts) => Effect.succeed({ scores: texts.map(({ length }) => -length) }),
}

const closeness = (a: Float32Array, b: Float32Array): number =>
  Math.min(
    1,
    a.reduce((sum, value, at) => sum + value * b[at]!, 0),
  )

const nearest: Index = {
  id: "nearest",
  summary: "Finds the documents whose vectors are nearest.",
  build: (documents, { embed } = {}) =>
    Effect.sync(() => {
      const kept = new Map(documents.map((one) => [one.id, one]))
      return {
        search: (query, { least = 0, limit }) =>
          Effect.gen(function* () {
            const all = [...kept.values()]
            const texts = all.map(({ fields }) => Object.values(fields).join(" "))
            const [asked, ...vectors] =
              embed === undefined ? [] : ((yield* embed([query, ...texts])) ?? [])
            if (asked === undefined) return []
            return all
              .map(({ id }, at) => ({ id, score: closeness(asked, vectors[at]!) }))
              .filter(({ score }) => score > least)
              .sort((a, b) => b.score - a.score)
              .slice(0, limit)
          }),
        add: (more) => Effect.sync(() => more.forEach((one) => kept.set(one.id, one))),
        remove: (ids) => Effect.sync(() => ids.forEach((id) => kept.delete(id))),
        size: () => kept.size,
      }
    }),
}

const desk: ToolSource = {
  id: "desk",
  summary: "Tools of a writer.",
  list: Effect.succeed({
    tools: [
      {
        name: "count_words",
        summary: "Counts the words of a text.",
        group: "count",
        effect: "none",
        capabilities: [],
        inputs: {},
        outputs: ["json"],
        params: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        result: { type: "integer" },
      },
    ],
  }),
  call: ({ params, tool }) =>
    tool === "count_words"
      ? Effect.succeed({ value: String(params["text"]).split(" ").length })
      : Effect.fail(
          new ToolFailed({ tool, class: "invalid_request", message: `there is no tool "${tool}"` }),
        ),
}

const sign = hook<"after_stage", { readonly name: string }>({
  id: "sign",
  summary: "Signs what a stage has written.",
  point: "after_stage",
  kind: "transform",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  run: ({ output, uses }, context) =>
    uses === "compose" && typeof output === "object" && output !== null && "text" in output
      ? { output: { ...output, text: `${String(output.text)} (${context.with.name})` } }
      : {},
})

const calm = subagent({
  id: "calm",
  summary: "Asks the model whether a text is calm.",
  class: "tone",
  can: ["pass", "flag"],
  at: "whole",
  scope: "last",
  asks: () => [{ way: "text" }],
  review: ({ text }, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: text }] }), (reply): Finding =>
      reply.text.endsWith("!")
        ? { verdict: "flag", confidence: 1, reason: "it is loud" }
        : { verdict: "pass", confidence: 1, reason: "it is calm" },
    ),
})

const brief = validator<{ readonly most: number }>({
  id: "brief",
  summary: "Limits the length of a text.",
  input: { type: "object", properties: { most: { type: "integer" } }, required: ["most"] },
  validate: (text, { most }) =>
    text.length > most
      ? { verdict: "block", confidence: 1, reason: `it is longer than ${most} characters` }
      : { verdict: "pass", confidence: 1, reason: "it is short" },
})

const compose = stageKind<{ readonly topic: string; readonly mark: string }>({
  id: "compose",
  summary: "Writes the phrase that is nearest to a topic.",
  input: {
    type: "object",
    properties: { topic: { type: "string" }, mark: { type: "string", default: "." } },
    required: ["topic"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      text: { type: "string" },
      words: { type: "integer" },
      verdicts: { type: "array", items: { type: "string" } },
      domains: { type: "array", items: { type: "string" } },
    },
    required: ["text", "words", "verdicts", "domains"],
    additionalProperties: false,
  },
  streams: "text",
  asks: () => ({
    questions: [{ way: "text", isReply: true }],
    searches: 1,
    calls: 1,
    tools: ["count_words"],
    reviews: ["calm", "brief"],
  }),
  model: ({ mark, topic }, context) =>
    Effect.gen(function* () {
      const known = context
        .files("Phrases")
        .flatMap((file) => (file as { readonly phrases: ReadonlyArray<string> }).phrases)
      const built = yield* context.index(
        known.map((text, at) => ({ id: `${at}`, fields: { text } })),
      )
      const [hit] = yield* built.search(topic, { limit: 1 })
      const content = `${known[Number(hit?.id ?? 0)]!}${mark}`
      const { text } = yield* context.model.text({
        messages: [{ role: "user", content }],
        parts: "reply",
      })
      const words = Number(
        yield* context.callTool({ tool: "count_words", params: { text }, key: "count" }),
      )
      const findings = yield* context.review(["calm", { use: "brief", with: { most: 10 } }], {
        text,
      })
      yield* context.note("everything/composed", { words })
      return {
        text,
        words,
        verdicts: findings.map(({ verdict }) => verdict),
        domains: context.domains.map(({ id }) => id),
      }
    }),
})

export default definePlugin({
  id: "everything",
  summary: "One component of every kind.",
  provides: { domains: ["writing"] },
  components: {
    stages: [compose],
    providers: [parrot],
    embedders: [letters],
    rerankers: [shortest],
    indexes: [nearest],
    tools: [desk],
    hooks: [sign],
    subagents: [calm],
    validators: [brief],
    fileKinds: [phrases],
    sections: [mood, hide],
    events: [composed],
  },
  setup: (_config, { root }) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => ({ id: "writing", summary: `Writing in ${root}.`, rules: {} })),
        (writing) =>
          Effect.sync(() => {
            writing.summary = ""
          }),
      ),
      (writing) => ({ domains: [writing] }),
    ),
})
