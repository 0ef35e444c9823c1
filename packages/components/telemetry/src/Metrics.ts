/** The metrics of runs and servers, with their attributes: code, documentation and dashboards have their names from here. */

/** Attributes by name, each with the values that it has: names that authors wrote, or words of a closed list. */
export const attributes = {
  "planloom.workflow": "the workflow of the run",
  "planloom.stage.id":
    "the id of the stage; one of a nested workflow counts for the workflow of the run",
  "planloom.model.alias":
    "the name under `models:` that was asked; absent where the stage has asked none, and for what is found without a model",
  "planloom.experiment.variant":
    "`experiment=variant` of each experiment that the run is in, joined by `,`; absent for units outside of it, and for forced ones",
  "planloom.run.status": "`succeeded`, `failed`, `cancelled`, `suspended` or `left`",
  "planloom.stage.strategy": "`model` or `mechanical`, of a kind that has both",
  "planloom.loop.stopped": "[why a loop ended](workflows.md#loops)",
  "planloom.reflection.round": "the round that was examined: `1` to `5`, or `more`",
  "planloom.reflection.strategy":
    "`extend`, `relax`, `rewrite`, `pivot`, `none`, or one that the workflow declares",
  "planloom.reflection.complete": "`true` if nothing was missing",
  "planloom.question.kind": "`clarification`, `approval` or `signal`",
  "planloom.question.answer": "`given`, `default`, `expired` or `declined`",
  "planloom.dialogue.act": "`thank`, `affirm`, `refuse`, `resume` or `greet`",
  "planloom.hop.agent": "the agent of the hop",
  "planloom.hop.mode": "`full` or `routing`",
  "planloom.reply.rung": "`direct`, `salvaged`, `repaired` or `failed`",
  "planloom.reviewer": "the subagent or validator",
  "planloom.review.verdict": "what the review counts as",
  "planloom.review.cause": "`verdict`, `timeout`, `error` or `invalid`",
  "planloom.server.run.state":
    "`queued`: a worker is to take it; `active`: a worker has it; `clarification`: it waits for its user; `suspended`: it waits for someone else",
  "error.type": "the [failure class](workflows.md#policies), or `other`; absent without a failure",
  "gen_ai.operation.name": "`chat`, `embeddings`, `rerank` or `execute_tool`",
  "gen_ai.provider.name": "the service",
  "gen_ai.request.model": "the model",
  "gen_ai.token.type": "`input` or `output`",
  "gen_ai.tool.name": "the tool; a call of an unknown one is not counted",
  "http.request.method": "`GET`, `POST` …, or `_OTHER`",
  "http.route":
    "the path with parameters as written, such as `/runs/{run}`; absent if none matches, or the caller is not accepted",
  "http.response.status_code": "the status",
} as const

export type AttributeName = keyof typeof attributes

interface Described {
  /** Of OpenTelemetry: dots between words. */
  readonly name: string
  /** Of UCUM, as OpenTelemetry writes it; a noun in braces counts things. */
  readonly unit: string
  /** One clause, without an end. */
  readonly description: string
  readonly attributes: ReadonlyArray<AttributeName>
}

/** `buckets` are upper bounds, in ascending order; another one has no bound. */
export type Metric = Described &
  (
    | { readonly kind: "histogram"; readonly buckets: ReadonlyArray<number> }
    | { readonly kind: "counter" | "gauge" }
  )

/** Bounds of the GenAI conventions. */
const CALL_SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
const TOKENS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
]
const RUN_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400]
const STAGE_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 300, 900,
]
/** Finer where thresholds are. */
const CONFIDENCES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1]
const ROUNDS = [1, 2, 3, 4, 5, 6, 8, 10, 20, 50]
const CALLS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100]
const WORDS = [0, 10, 25, 50, 75, 100, 150, 200, 300, 500, 1000, 2000]
/** Of the HTTP conventions. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const variant = "planloom.experiment.variant"
/** The place in the workflow, the model, and the variant. */
export const place = [
  "planloom.workflow",
  "planloom.stage.id",
  "planloom.model.alias",
  variant,
] as const
const model = ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"] as const

export const metrics = {
  modelDuration: {
    name: "gen_ai.client.operation.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of model calls",
    attributes: [...place, ...model, "error.type"],
    buckets: CALL_SECONDS,
  },
  tokens: {
    name: "gen_ai.client.token.usage",
    kind: "histogram",
    unit: "{token}",
    description: "Input and output tokens of model calls",
    attributes: [...place, ...model, "gen_ai.token.type"],
    buckets: TOKENS,
  },
  cachedTokens: {
    name: "planloom.tokens.cached",
    kind: "counter",
    unit: "{token}",
    description:
      "Input tokens of model calls that the service read from its cache; they are part of the input tokens",
    attributes: [...place, ...model],
  },
  cost: {
    name: "planloom.cost",
    kind: "counter",
    unit: "USD",
    description: "Cost of model calls whose price is known",
    attributes: [...place, ...model],
  },
  replies: {
    name: "planloom.replies",
    kind: "counter",
    unit: "{reply}",
    description:
      "Replies that must be JSON, by how they were read; those of reviewers are left out",
    attributes: [...place, "planloom.reply.rung"],
  },
  reasoning: {
    name: "planloom.reasoning.length",
    kind: "histogram",
    unit: "{word}",
    description:
      "Length of the reasoning of replies that have some, and 0 for those whose prompt asks for some in vain",
    attributes: place,
    buckets: WORDS,
  },
  toolDuration: {
    name: "planloom.tool.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of tool calls that reached their tool",
    attributes: [...place, "gen_ai.operation.name", "gen_ai.tool.name", "error.type"],
    buckets: CALL_SECONDS,
  },
  toolsReused: {
    name: "planloom.tool.reused",
    kind: "counter",
    unit: "{call}",
    description:
      "Tool calls that were not made, because an equal call of the run has answered them",
    attributes: [...place, "gen_ai.tool.name"],
  },
  confidence: {
    name: "planloom.confidence",
    kind: "histogram",
    unit: "1",
    description: "Confidence of stages in their output, before they ask or continue",
    attributes: place,
    buckets: CONFIDENCES,
  },
  questionsAsked: {
    name: "planloom.questions.asked",
    kind: "counter",
    unit: "{question}",
    description: "Questions to users and other people, also those that ended a run",
    attributes: [...place, "planloom.question.kind"],
  },
  questionsAnswered: {
    name: "planloom.questions.answered",
    kind: "counter",
    unit: "{question}",
    description: "Questions that were answered or have expired",
    attributes: [...place, "planloom.question.kind", "planloom.question.answer"],
  },
  dialogueActs: {
    name: "planloom.dialogue.acts",
    kind: "counter",
    unit: "{message}",
    description:
      "Messages of a session behind its first that ask for nothing new, such as thanks, where a `plan` or a `route` reads them",
    attributes: [...place, "planloom.dialogue.act"],
  },
  reflections: {
    name: "planloom.reflections",
    kind: "counter",
    unit: "{reflection}",
    description: "Examinations of what a plan found, each after one round",
    attributes: [
      ...place,
      "planloom.reflection.round",
      "planloom.reflection.strategy",
      "planloom.reflection.complete",
    ],
  },
  iterations: {
    name: "planloom.loop.iterations",
    kind: "histogram",
    unit: "{iteration}",
    description: "Rounds of loops that have ended",
    attributes: [...place, "planloom.loop.stopped"],
    buckets: ROUNDS,
  },
  hopDuration: {
    name: "planloom.hop.duration",
    kind: "histogram",
    unit: "s",
    description:
      "Time of each hop of a `route` with a model, from the start of its stage or the end of the hop before",
    attributes: [...place, "planloom.hop.agent", "planloom.hop.mode"],
    buckets: STAGE_SECONDS,
  },
  stageDuration: {
    name: "planloom.stage.duration",
    kind: "histogram",
    unit: "s",
    description:
      "Time from the start of a stage until its end; not of one that asked a person or began in another process",
    attributes: [...place, "planloom.stage.strategy", "error.type"],
    buckets: STAGE_SECONDS,
  },
  stageFailures: {
    name: "planloom.stage.failures",
    kind: "counter",
    unit: "{stage}",
    description: "Stages that failed",
    attributes: [...place, "error.type"],
  },
  attemptFailures: {
    name: "planloom.attempt.failures",
    kind: "counter",
    unit: "{attempt}",
    description: "Attempts that failed and were repeated",
    attributes: [...place, "error.type"],
  },
  reviews: {
    name: "planloom.reviews",
    kind: "counter",
    unit: "{review}",
    description: "Reviews of texts, by what they count as and why",
    attributes: [...place, "planloom.reviewer", "planloom.review.verdict", "planloom.review.cause"],
  },
  suggestions: {
    name: "planloom.suggestions",
    kind: "counter",
    unit: "{suggestion}",
    description: "Additions to replies that reviewers made",
    attributes: [...place, "planloom.reviewer"],
  },
  conversations: {
    name: "planloom.conversations",
    kind: "counter",
    unit: "{conversation}",
    description: "Sessions by their first turn, once it has ended",
    attributes: ["planloom.workflow", variant],
  },
  runDuration: {
    name: "planloom.run.duration",
    kind: "histogram",
    unit: "s",
    description: "Time from the start or resume of a run until its end or suspension",
    attributes: ["planloom.workflow", variant, "planloom.run.status", "error.type"],
    buckets: RUN_SECONDS,
  },
  runCalls: {
    name: "planloom.run.tool_calls",
    kind: "histogram",
    unit: "{call}",
    description: "Tool calls that a run made until its end, in all processes that worked on it",
    attributes: ["planloom.workflow", variant, "planloom.run.status"],
    buckets: CALLS,
  },
  requests: {
    name: "http.server.request.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of HTTP requests until the reply begins",
    attributes: ["http.request.method", "http.route", "http.response.status_code"],
    buckets: REQUEST_SECONDS,
  },
  serverRuns: {
    name: "planloom.server.runs",
    kind: "gauge",
    unit: "{run}",
    description: "Runs of the store that have not ended",
    attributes: ["planloom.server.run.state"],
  },
  serverActive: {
    name: "planloom.server.active_runs",
    kind: "gauge",
    unit: "{run}",
    description: "Runs that this server works on",
    attributes: [],
  },
  memory: {
    name: "process.memory.usage",
    kind: "gauge",
    unit: "By",
    description: "Physical memory of the process",
    attributes: [],
  },
  cpu: {
    name: "process.cpu.time",
    kind: "counter",
    unit: "s",
    description: "Time that the process has used processors",
    attributes: [],
  },
} as const satisfies { readonly [id: string]: Metric }

export type MetricId = keyof typeof metrics

/** Values of a metric's attributes; those that are left out or undefined are absent. */
export type AttributesOf<Id extends MetricId> = {
  readonly [Name in (typeof metrics)[Id]["attributes"][number]]?: string | undefined
}
