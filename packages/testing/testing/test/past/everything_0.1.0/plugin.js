/** The plugin `everything` as published for 0.1.0. It is never edited: what it needs stays in the contract, or the contract gets another version. */
import {
  definePlugin,
  embedder,
  eventKind,
  fileKind,
  gate,
  hook,
  index,
  ModelFailed,
  provider,
  reranker,
  sectionKind,
  stageKind,
  subagent,
  tool,
  toolSource,
  validator,
} from "@planloom/plugin"

const phrases = fileKind({
  kind: "Phrases",
  summary: "Phrases to write with.",
  schema: {
    type: "object",
    properties: { phrases: { type: "array", items: { type: "string" } } },
    required: ["phrases"],
    additionalProperties: false,
  },
  check: async (file) =>
    file.phrases.length > 0
      ? []
      : [{ code: "PHRASE01", message: "there is no phrase", at: ["phrases"] }],
})

const mood = sectionKind({
  on: "workflow",
  key: "mood",
  summary: "The mood of what is written.",
  schema: { enum: ["calm", "loud"] },
  variables: () => ({ mark: { type: "string" } }),
  bind: (value) => ({ variables: async () => ({ mark: value === "loud" ? "!" : "." }) }),
})

/** Replaces words: nothing leaves before the whole text is read. */
const hiding = (words) =>
  gate({
    open: async function* (text) {
      let whole = ""
      for await (const piece of text) whole += piece
      for (const word of words) whole = whole.replaceAll(word, "…")
      yield { type: "settled", text: whole, findings: [] }
    },
  })

const hide = sectionKind({
  on: "workflow",
  key: "hide",
  summary: "Words that no reply may show.",
  schema: { type: "array", items: { type: "string" } },
  bind: (words) => ({ gate: hiding(words) }),
})

const composed = eventKind({
  name: "everything/composed",
  summary: "A text was written.",
  audience: "user",
  schema: { type: "object", properties: { words: { type: "integer" } }, required: ["words"] },
  render: ({ words }) => `wrote ${words} words`,
})

const parrot = provider({
  id: "parrot",
  summary: "Repeats the message: parrot/any.",
  generate: async ({ messages, model }) => {
    const text = messages.at(-1)?.content
    if (typeof text !== "string") {
      throw new ModelFailed({ class: "invalid_request", model, message: "the message is not text" })
    }
    const words = text.split(" ").length
    const usage = { input: words, output: words }
    return { text, reasoning: "", toolCalls: [], finish: "stop", usage }
  },
})

const vectorOf = (text) => {
  const counts = new Float32Array(26)
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97
    if (at >= 0 && at < 26) counts[at] += 1
  }
  const length = Math.hypot(...counts) || 1
  return counts.map((count) => count / length)
}

const letters = embedder({
  id: "letters",
  summary: "Counts letters.",
  model: "letters/count",
  dimensions: 26,
  embed: async (texts) => ({ vectors: texts.map(vectorOf) }),
})

const shortest = reranker({
  id: "shortest",
  summary: "Puts short texts first.",
  model: "letters/length",
  rerank: async (_, texts) => ({ scores: texts.map(({ length }) => -length) }),
})

const closeness = (a, b) =>
  Math.min(
    1,
    a.reduce((sum, value, at) => sum + value * b[at], 0),
  )

const nearest = index({
  id: "nearest",
  summary: "Finds the documents whose vectors are nearest.",
  build: (documents) => {
    const kept = new Map(documents.map((one) => [one.id, one]))
    return {
      search: async (query, { least = 0, limit }, { embed }) => {
        const all = [...kept.values()]
        const texts = all.map(({ fields }) => Object.values(fields).join(" "))
        const [asked, ...vectors] = (await embed?.([query, ...texts])) ?? []
        if (asked === undefined) return []
        return all
          .map(({ id }, at) => ({ id, score: closeness(asked, vectors[at]) }))
          .filter(({ score }) => score > least)
          .sort((a, b) => b.score - a.score)
          .slice(0, limit)
      },
      add: (more) => more.forEach((one) => kept.set(one.id, one)),
      remove: (ids) => ids.forEach((id) => kept.delete(id)),
      size: () => kept.size,
    }
  },
})

const desk = toolSource({
  id: "desk",
  summary: "Tools of a writer.",
  tools: [
    tool({
      name: "count_words",
      summary: "Counts the words of a text.",
      group: "count",
      effect: "none",
      params: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      result: { type: "integer" },
      run: async ({ text }) => text.split(" ").length,
    }),
  ],
})

const sign = hook({
  id: "sign",
  summary: "Signs what a stage has written.",
  point: "after_stage",
  kind: "transform",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  run: async ({ output, uses }, context) =>
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
  review: async ({ text }, { model }) => {
    const reply = await model.text({ messages: [{ role: "user", content: text }] })
    return reply.text.endsWith("!")
      ? { verdict: "flag", confidence: 1, reason: "it is loud" }
      : { verdict: "pass", confidence: 1, reason: "it is calm" }
  },
})

const brief = validator({
  id: "brief",
  summary: "Limits the length of a text.",
  input: { type: "object", properties: { most: { type: "integer" } }, required: ["most"] },
  validate: (text, { most }) =>
    text.length > most
      ? { verdict: "block", confidence: 1, reason: `it is longer than ${most} characters` }
      : { verdict: "pass", confidence: 1, reason: "it is short" },
})

const compose = stageKind({
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
  model: async ({ mark, topic }, context) => {
    const known = context.files("Phrases").flatMap((file) => file.phrases)
    const built = await context.index(known.map((text, at) => ({ id: `${at}`, fields: { text } })))
    const [hit] = await built.search(topic, { limit: 1 })
    const content = `${known[Number(hit?.id ?? 0)]}${mark}`
    const { text } = await context.model.text({
      messages: [{ role: "user", content }],
      parts: "reply",
    })
    const words = Number(
      await context.callTool({ tool: "count_words", params: { text }, key: "count" }),
    )
    const findings = await context.review(["calm", { use: "brief", with: { most: 10 } }], { text })
    await context.note("everything/composed", { words })
    return {
      text,
      words,
      verdicts: findings.map(({ verdict }) => verdict),
      domains: context.domains.map(({ id }) => id),
    }
  },
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
  setup: async (_config, { onRelease, root }) => {
    const writing = { id: "writing", summary: `Writing in ${root}.`, rules: {} }
    onRelease(() => {
      writing.summary = ""
    })
    return { domains: [writing] }
  },
})
