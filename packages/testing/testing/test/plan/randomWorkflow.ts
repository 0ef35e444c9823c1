/** Random workflows of all that asks models: kinds, retries, reruns, loops, fallbacks, reviewers, nested workflows, embedders. */
import * as fc from "fast-check"

const claude = "anthropic/claude-haiku-4-5"
const gpt = "openai/gpt-5-mini"
/** Its service pauses replies. */
const gemini = "google/gemini-3.1-pro-preview"

const alias = fc.record({
  try: fc.constantFrom([claude], [gpt], [claude, gpt], [gpt, claude], [gemini], [claude, gemini]),
  max_tokens: fc.integer({ min: 40, max: 150 }),
  on_cut: fc.constantFrom("note", "continue", "fail"),
  repair: fc.boolean(),
  otherwise: fc.constantFrom("fail", "mechanical"),
})

const text = fc.constantFrom(
  "Say it in one sentence.",
  "List the facts.",
  'Ünïcode: 木の葉 {"a": [1, 2]}',
)
const task = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.constant("About ${{ inputs.topic }} and ${{ inputs.list }}") },
)

const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } }

/** Null in the other of 100 cases. */
const sometimes = <A>(percent: number, arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: percent, arbitrary }, { weight: 100 - percent, arbitrary: fc.constant(null) })

type Stage = { readonly [key: string]: unknown }

const generate: fc.Arbitrary<Stage> = fc
  .record({
    task,
    context: sometimes(50, fc.constantFrom("Ada", { list: [1, 2, 3] })),
    shape: fc.constantFrom("text", "text", "schema", "confidence"),
  })
  .map(({ context, shape, task: given }) => ({
    uses: "generate",
    with: {
      task: given,
      ...(context === null ? {} : { context }),
      ...(shape === "schema" ? { schema } : {}),
      ...(shape === "confidence" ? { confidence: { threshold: 0 } } : {}),
    },
  }))

const agent: fc.Arbitrary<Stage> = fc
  .record({
    task,
    tools: fc.constantFrom([], ["ping"], ["search_documents"]),
    max_turns: fc.integer({ min: 1, max: 4 }),
    max_calls: sometimes(40, fc.integer({ min: 1, max: 3 })),
    result: sometimes(40, fc.constant(schema)),
  })
  .map(({ max_calls: calls, result, tools, ...given }) => ({
    uses: "agent",
    with: {
      ...given,
      // Without a limit of calls, those of a reranker have none.
      tools: calls === null ? tools.map(() => "ping") : tools,
      ...(calls === null ? {} : { max_calls: calls }),
      ...(result === null ? {} : { result }),
    },
  }))

const route: fc.Arbitrary<Stage> = fc
  .record({ max_hops: fc.integer({ min: 1, max: 3 }), max_turns: fc.integer({ min: 1, max: 3 }) })
  .map((limits) => ({
    uses: "route",
    with: {
      request: "I need help",
      start: "desk",
      agents: {
        desk: { description: "Answers.", reply: "How can I help?", tools: ["ping"] },
        shop: { description: "Sells.", reply: "What do you want?" },
      },
      ...limits,
    },
  }))

const plan: fc.Arbitrary<Stage> = fc
  .record({
    request: task,
    calling: fc.constantFrom("auto", "native", "json"),
    round: fc.integer({ min: 0, max: 1 }),
    max_steps: sometimes(40, fc.integer({ min: 1, max: 3 })),
  })
  .map(({ max_steps: most, ...given }) => ({
    uses: "plan",
    with: { ...given, ...(most === null ? {} : { max_steps: most }) },
  }))

const lost = { step: "a", tool: "ping", params: {}, ok: false, summary: "", error: "it is lost" }

const reflect: fc.Arbitrary<Stage> = fc
  .record({
    request: text,
    enabled: fc.boolean(),
    round: fc.integer({ min: 0, max: 1 }),
    rounds: fc.integer({ min: 1, max: 3 }),
  })
  .map((given) => ({
    uses: "reflect",
    with: {
      ...given,
      plan: { steps: [{ id: "a", tool: "ping", params: { text: "x" } }] },
      results: { steps: {}, calls: [lost] },
    },
  }))

const call: fc.Arbitrary<Stage> = fc.constant({
  uses: "call",
  with: { tool: "think", params: { text: "x" } },
})

const nested: fc.Arbitrary<Stage> = fc.constant({
  uses: "workflow",
  with: { path: "./inner.yaml" },
})

/** In two libraries, of which one or both have a reranker. */
const search: fc.Arbitrary<Stage> = fc
  .record({
    queries: fc.constantFrom(["ping me"], ["ping me", "tell me of ping"]),
    library: sometimes(30, fc.constantFrom("notes", "papers")),
  })
  .map(({ library, queries }) => ({
    uses: "search",
    with: { queries, ...(library === null ? {} : { library }) },
  }))

const kind = fc.oneof(
  { weight: 6, arbitrary: generate },
  { weight: 3, arbitrary: agent },
  { weight: 1, arbitrary: route },
  { weight: 2, arbitrary: plan },
  { weight: 2, arbitrary: reflect },
  { weight: 1, arbitrary: call },
  { weight: 1, arbitrary: nested },
  { weight: 2, arbitrary: search },
)

const stage = fc
  .record({
    kind,
    model: fc.constantFrom("a", "b"),
    retry: sometimes(
      40,
      fc.record({
        max_retries: fc.integer({ min: 1, max: 2 }),
        delay: fc.constant("1ms"),
        on: fc.constantFrom(["unavailable"], ["unavailable", "invalid_output"], ["invalid_output"]),
      }),
    ),
    fallback: sometimes(20, generate),
    reviews: sometimes(
      20,
      fc.constantFrom(
        { gate: ["quality_gate"] },
        { gate: ["tone_analyzer"], async: ["quality_gate"] },
        { async: ["tone_analyzer"] },
        { gate: ["rewriter", "quality_gate"] },
        { gate: ["rewriter"] },
        { gate: ["quality_gate", "tone_analyzer"] },
        { gate: ["guard"] },
      ),
    ),
  })
  .map(({ fallback, kind: of, model, retry, reviews }): Stage => {
    const asks = of["uses"] !== "workflow"
    const isReply = ["generate", "agent"].includes(String(of["uses"]))
    return {
      ...of,
      ...(asks ? { model } : {}),
      ...(retry === null ? {} : { retry: { ...retry } }),
      ...(fallback === null || !asks ? {} : { fallback }),
      ...(reviews === null || !isReply ? {} : { shadow: reviews }),
    }
  })

const around = fc.oneof(
  { weight: 78, arbitrary: fc.constant("none" as const) },
  { weight: 8, arbitrary: fc.constant("list" as const) },
  { weight: 8, arbitrary: fc.constant("repeat" as const) },
  { weight: 13, arbitrary: fc.constant("rerun" as const) },
  { weight: 1, arbitrary: fc.constant("made" as const) },
  { weight: 1, arbitrary: fc.constant("open" as const) },
)

const placed = fc.record({ around, stage, count: fc.integer({ min: 1, max: 3 }) })

const stagesOf = (
  given: ReadonlyArray<{ readonly around: string; readonly stage: Stage; readonly count: number }>,
): ReadonlyArray<Stage> =>
  given.flatMap(({ around: how, count, stage: one }, at): ReadonlyArray<Stage> => {
    const id = `s${at}`
    const own = { id, ...one }
    switch (how) {
      case "list":
        return [{ ...own, for_each: { in: "inputs.list", max_parallel: 2 } }]
      // A list of a stage; whether that one runs is not known of an open one.
      case "made":
      case "open":
        return [
          {
            id: `${id}_list`,
            ...(how === "open" ? { if: `run.id != ""` } : {}),
            uses: "set",
            with: { value: [1, "${{ inputs.topic }}"] },
          },
          {
            ...own,
            for_each: {
              in:
                how === "open"
                  ? `has(stages.${id}_list.output) ? stages.${id}_list.output : []`
                  : `stages.${id}_list.output`,
              max_parallel: 2,
            },
          },
        ]
      case "repeat":
        return [
          {
            id: `${id}_loop`,
            repeat: {
              carry: { n: 0 },
              until: "iter.n > 5",
              next: { n: "${{ iter.n + 1 }}" },
              max_iterations: count,
              on_exhausted: "continue",
            },
            stages: [own],
          },
        ]
      case "rerun":
        return [
          {
            ...own,
            assert: [
              { that: `inputs.topic == "never"`, on_fail: { rerun: id, max_reruns: count } },
            ],
            on_error: "continue",
          },
        ].map(({ fallback: _, ...rest }: Stage) => rest)
      default:
        return [own]
    }
  })

export interface RandomWorkflow {
  readonly body: string
  readonly hasEmbedder: boolean
}

export const randomWorkflow: fc.Arbitrary<RandomWorkflow> = fc
  .record({
    a: alias,
    b: alias,
    stages: fc.array(placed, { minLength: 1, maxLength: 3 }),
    last: sometimes(20, generate),
    embedder: fc.integer({ min: 0, max: 29 }).map((n) => n === 0),
    rerank: fc.constantFrom({}, { rerank: "length" }),
    libraryEmbedder: fc.integer({ min: 0, max: 59 }).map((n) => n === 0),
  })
  .map(({ a, b, embedder, last, libraryEmbedder, rerank, stages }) => {
    const found: ReadonlyArray<Stage> = embedder
      ? [{ id: "found", uses: "narrow", with: { question: "ping me" } }]
      : []
    const all = [...found, ...stagesOf(stages)]
    const first = stages.findIndex(
      ({ around: how, stage: one }) => how === "none" && one["uses"] === "agent",
    )
    const body = {
      apiVersion: "planloom/v1",
      kind: "Workflow",
      name: "random",
      models: { a, b, quiet: { try: [claude], max_tokens: 60 } },
      ...(embedder ? { embeddings: "letters" } : {}),
      libraries: {
        notes: { folder: "./notes", rerank: "length" },
        papers: { folder: "./papers", ...rerank, ...(libraryEmbedder && { embedder: "letters" }) },
      },
      inputs: {
        topic: { type: "string", default: "leaves" },
        list: { type: "array", items: { type: "integer" }, default: [1, 2] },
      },
      stages: all,
      ...(last === null ? {} : { finally: [{ id: "last", model: "b", ...last }] }),
      outputs:
        first < 0
          ? {}
          : { said: { type: "string", value: `\${{ stages.s${first}.output.text }}` } },
    }
    return { body: JSON.stringify(body), hasEmbedder: embedder }
  })

export const inner = JSON.stringify({
  apiVersion: "planloom/v1",
  kind: "Workflow",
  name: "inner",
  models: { small: { try: [gpt, claude], max_tokens: 50 } },
  stages: [{ id: "one", uses: "generate", model: "small", with: { task: "Say one.", schema } }],
  outputs: { n: { type: "integer", value: "${{ stages.one.output.value.n }}" } },
})
