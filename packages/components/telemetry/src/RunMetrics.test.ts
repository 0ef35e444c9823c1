/** The metrics of events, as Prometheus reads them. */
import { assert, describe, it } from "@effect/vitest"
import type { FailureRecord, RunEvent, Untimed, Wait } from "@planloom/plugin/effect"
import { MetricStore } from "./MetricStore.ts"
import { prometheusText } from "./prometheusText.ts"
import { RunMetrics } from "./RunMetrics.ts"

type Given = { readonly at?: number } & Untimed<RunEvent>

const timed = (events: ReadonlyArray<Given>): ReadonlyArray<RunEvent> =>
  events.map((event, seq) => ({ at: 0, ...event, seq }) as RunEvent)

interface Measured {
  readonly store?: MetricStore
  readonly earlier?: ReadonlyArray<Given>
}

/** Samples of one run that are not buckets, without the workflow's name. */
const measured = (
  events: ReadonlyArray<Given>,
  { earlier = [], store = new MetricStore() }: Measured = {},
): ReadonlyArray<string> => {
  const observer = new RunMetrics(store).observe({ run: "r", workflow: "w" })
  if (earlier.length > 0) observer.resumed?.(timed(earlier))
  for (const event of timed(events)) observer.event(event)
  return prometheusText(store)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !line.includes("_bucket"))
    .map((line) =>
      line.replace('{planloom_workflow="w"}', "").replace('planloom_workflow="w",', ""),
    )
}

/** Samples of a metric. */
const of = (metric: string, samples: ReadonlyArray<string>): ReadonlyArray<string> =>
  samples.filter((line) => line.startsWith(metric)).map((line) => line.slice(metric.length))

const at = { path: "work[0]/plan", stage: "plan" }
const started = { ...at, type: "StageStarted", uses: "plan" } as const
const called = (more: object = {}) =>
  ({
    ...at,
    type: "ModelCalled",
    model: "google/flash",
    alias: "planner",
    usage: { input: 10, output: 0 },
    ms: 500,
    ...more,
  }) as const
const noted = (note: string, data: object) => ({ ...at, type: "Noted", note, data }) as Given
const tool = (more: object = {}) =>
  ({
    ...at,
    type: "ToolCalled",
    tool: "t",
    key: "k",
    params: {},
    summary: "",
    ms: 20,
    ...more,
  }) as Given
const assigned = (experiment: string, variant: string, reason = "hash") =>
  ({
    type: "VariantAssigned",
    workflow: "w",
    experiment,
    variant,
    unit: "run",
    reason,
  }) as Given
const wait = (kind: Wait["kind"]): Wait => ({
  name: "plan/clarification:1",
  kind,
  path: at.path,
  message: "Which?",
  schema: true,
})
const asked = (kind: Wait["kind"]) => ({ ...at, type: "Asked", wait: wait(kind) }) as Given
const answered = (by: string, kind: Wait["kind"] = "clarification") =>
  ({ ...at, type: "Answered", name: "plan/clarification:1", kind, value: "x", by }) as Given
const question = { class: "clarification", message: "Which?" } as const

const planned = 'planloom_stage_id="plan",planloom_model_alias="planner"'

describe("metrics of a run", () => {
  it("name workflow, stage, alias and variant of a model call", () => {
    const samples = measured([
      assigned("tone", "warm"),
      assigned("depth", "two", "kept"),
      assigned("other", "control", "ramp"),
      assigned("forced", "on", "forced"),
      started,
      called({ cost: 0.25 }),
    ])
    const place = `${planned},planloom_experiment_variant="depth=two,tone=warm",gen_ai_operation_name="chat",gen_ai_provider_name="gcp.gemini",gen_ai_request_model="flash"`
    assert.deepStrictEqual(samples, [
      `gen_ai_client_operation_duration_seconds_sum{${place}} 0.5`,
      `gen_ai_client_operation_duration_seconds_count{${place}} 1`,
      `gen_ai_client_token_usage_sum{${place},gen_ai_token_type="input"} 10`,
      `gen_ai_client_token_usage_count{${place},gen_ai_token_type="input"} 1`,
      `planloom_cost_USD_total{${place}} 0.25`,
    ])
  })

  it("count replies by rung, without those of reviewers", () => {
    const read = (rung: string, more: object = {}) =>
      ({ ...at, type: "ReplyRead", model: "google/flash", rung, ...more }) as Given
    assert.deepStrictEqual(
      of(
        "planloom_replies_total",
        measured([
          started,
          called(),
          read("direct"),
          read("failed"),
          read("failed", { reviewer: "r" }),
        ]),
      ),
      [
        `{${planned},planloom_reply_rung="direct"} 1`,
        `{${planned},planloom_reply_rung="failed"} 1`,
      ],
    )
  })

  it("have the words of reasoning, and none for a reply that lacks what was asked for", () => {
    const reasoned = { ...at, type: "Reasoned", model: "google/flash", words: 60 } as const
    assert.deepStrictEqual(
      of(
        "planloom_reasoning_length",
        measured([started, called(), reasoned, noted("missing_reasoning", { model: "m" })]),
      ),
      [`_sum{${planned}} 60`, `_count{${planned}} 2`],
    )
  })

  it("count calls that were made, and those that an equal call has answered, apart", () => {
    const samples = measured([
      started,
      tool(),
      tool({ from: "made" }),
      tool({ refused: true, tool: "invented" }),
      { type: "RunFinished", outputs: {} },
    ])
    const here = 'planloom_stage_id="plan"'
    assert.deepStrictEqual(of("planloom_tool_reused_total", samples), [
      `{${here},gen_ai_tool_name="t"} 1`,
    ])
    assert.deepStrictEqual(of("planloom_tool_duration_seconds_count", samples), [
      `{${here},gen_ai_operation_name="execute_tool",gen_ai_tool_name="t"} 1`,
    ])
    assert.deepStrictEqual(of("planloom_run_tool_calls", samples), [
      '_sum{planloom_run_status="succeeded"} 1',
      '_count{planloom_run_status="succeeded"} 1',
    ])
    assert.notInclude(samples.join(), "invented")
  })

  it("count the calls of a resumed run in all of its processes, once and with its variants", () => {
    const earlier = [assigned("tone", "warm"), started, tool(), tool()]
    const store = new MetricStore()
    measured([...earlier, { type: "RunSuspended", waits: [] }], { store })
    const samples = measured([tool(), { type: "RunFinished", outputs: {} }], { store, earlier })
    const end = 'planloom_experiment_variant="tone=warm",planloom_run_status="succeeded"'
    assert.deepStrictEqual(of("planloom_run_tool_calls", samples), [
      `_sum{${end}} 3`,
      `_count{${end}} 1`,
    ])
    assert.lengthOf(of("planloom_tool_duration_seconds_count", samples), 1)
  })

  it("count a follow-up message that thanks once, and none of a first message", () => {
    const opened = (turns: number) =>
      ({ type: "SessionOpened", session: "s", version: turns, turns }) as Given
    const thanks = noted("dialogue_act", { act: "thank" })
    const counted = (...events: ReadonlyArray<Given>) =>
      of("planloom_dialogue_acts", measured(events))
    assert.deepStrictEqual(counted(opened(1), started, thanks, thanks), [
      '_total{planloom_stage_id="plan",planloom_dialogue_act="thank"} 1',
    ])
    assert.deepStrictEqual(counted(opened(0), started, thanks), [])
    assert.deepStrictEqual(counted(started, thanks), [])
    assert.deepStrictEqual(counted(opened(1), noted("dialogue_act", { act: "a secret" })), [])
    const earlier = [opened(1), started, thanks]
    assert.deepStrictEqual(
      of("planloom_dialogue_acts", measured([started, thanks], { earlier })),
      [],
    )
  })

  it("have the confidence of the alias that judged, and of no alias without the model", () => {
    const judged = (confidence: unknown) => noted("confidence", { confidence, threshold: 0.7 })
    const failure = { class: "unavailable", message: "down" } as const
    const samples = measured([
      started,
      called(),
      judged(0.9),
      { ...at, type: "Degraded", failure },
      judged(0.5),
      judged(1.5),
      judged("high"),
      judged(Number.NaN),
      noted("confidence", []),
    ])
    assert.deepStrictEqual(of("planloom_confidence", samples), [
      `_sum{${planned}} 0.9`,
      `_count{${planned}} 1`,
      '_sum{planloom_stage_id="plan"} 0.5',
      '_count{planloom_stage_id="plan"} 1',
    ])
  })

  it("count reflections by strategy, and never take a text for one", () => {
    const reflected = (strategy: string, missing: ReadonlyArray<object>, round: unknown = 0) =>
      noted("reflection", { round, strategy, missing })
    assert.deepStrictEqual(
      of(
        "planloom_reflections_total",
        measured([
          started,
          reflected("extend", [{ rule: "pairs" }]),
          reflected("none", [], 1),
          reflected("Ann Example's tokens", [], 9),
          reflected("none", [], "Ann"),
        ]),
      ),
      [
        '{planloom_stage_id="plan",planloom_reflection_round="1",planloom_reflection_strategy="extend",planloom_reflection_complete="false"} 1',
        '{planloom_stage_id="plan",planloom_reflection_round="2",planloom_reflection_strategy="none",planloom_reflection_complete="true"} 1',
        '{planloom_stage_id="plan",planloom_reflection_round="more",planloom_reflection_complete="true"} 1',
        '{planloom_stage_id="plan",planloom_reflection_strategy="none",planloom_reflection_complete="true"} 1',
      ],
    )
  })

  it("have the rounds of a loop, by why it ended", () => {
    const ended = { path: "work", stage: "work", type: "LoopEnded", iterations: 2 } as const
    const labels = 'planloom_stage_id="work",planloom_loop_stopped="no_new_call"'
    assert.deepStrictEqual(
      of("planloom_loop_iterations", measured([{ ...ended, stopped: "no_new_call" }])),
      [`_sum{${labels}} 2`, `_count{${labels}} 1`],
    )
  })

  it("count questions and how they were answered, never by whom", () => {
    const samples = measured([
      started,
      asked("clarification"),
      answered("ann@example.com"),
      asked("approval"),
      answered("expired", "approval"),
      asked("timer"),
      answered("expired", "timer"),
    ])
    const here = 'planloom_stage_id="plan",planloom_question_kind'
    assert.deepStrictEqual(of("planloom_questions", samples), [
      `_asked_total{${here}="clarification"} 1`,
      `_asked_total{${here}="approval"} 1`,
      `_answered_total{${here}="clarification",planloom_question_answer="given"} 1`,
      `_answered_total{${here}="approval",planloom_question_answer="expired"} 1`,
    ])
  })

  it("count a question that ends the run once, at its stage", () => {
    const failed = { type: "StageFailed", failure: question, attempts: 1, onError: "fail" } as const
    const ended = [
      { ...at, ...failed },
      { path: "work", stage: "work", ...failed },
      { type: "RunFailed", failure: question },
    ] as const
    const one = [`_asked_total{${planned},planloom_question_kind="clarification"} 1`]
    const counted = (events: ReadonlyArray<Given>) => of("planloom_questions", measured(events))
    assert.deepStrictEqual(counted([started, called(), ...ended]), one)
    assert.deepStrictEqual(counted([started, called(), asked("clarification"), ...ended]), one)
  })

  it("have the time of a run in this process, by its status", () => {
    const ended = { at: 4000, type: "RunSuspended", waits: [] } as const
    const samples = measured([{ ...started, at: 1000 }, ended, answered("ann")])
    const labels = '{planloom_run_status="suspended"}'
    assert.deepStrictEqual(of("planloom_run_duration_seconds", samples), [
      `_sum${labels} 3`,
      `_count${labels} 1`,
    ])
    assert.deepStrictEqual(of("planloom_run_tool_calls", samples), [])
  })

  it("have the duration of a stage by strategy and failure", () => {
    const failure = { class: "timeout", message: "late" } as const
    const samples = measured([
      started,
      called(),
      { ...at, at: 1500, type: "StageFinished", output: null, attempts: 1, strategy: "model" },
      { ...started, at: 2000 },
      { ...at, at: 2250, type: "StageFailed", failure, attempts: 1, onError: "continue" },
    ])
    assert.deepStrictEqual(of("planloom_stage_duration_seconds", samples), [
      `_sum{${planned},planloom_stage_strategy="model"} 1.5`,
      `_count{${planned},planloom_stage_strategy="model"} 1`,
      '_sum{planloom_stage_id="plan",error_type="timeout"} 0.25',
      '_count{planloom_stage_id="plan",error_type="timeout"} 1',
    ])
  })

  it("never take the text of a failure for its class", () => {
    const failure = { class: "Ann is unknown", message: "no" } as unknown as FailureRecord
    const failed = { ...at, type: "StageFailed", failure, attempts: 1, onError: "fail" } as const
    const samples = measured([started, failed, { type: "RunFailed", failure }])
    assert.deepStrictEqual(of("planloom_stage_failures_total", samples), [
      '{planloom_stage_id="plan",error_type="other"} 1',
    ])
    assert.notInclude(samples.join(), "Ann")
  })

  it("have no duration of stages that waited for a person, nor across processes", () => {
    const work = { path: "work", stage: "work" }
    const end = (stage: object) => ({ ...stage, at: 9, type: "StageFinished", output: 1 }) as Given
    const around = { ...work, type: "StageStarted", uses: "repeat" } as const
    const samples = measured([
      around,
      started,
      asked("approval"),
      answered("ann", "approval"),
      end(at),
      end(work),
    ])
    assert.deepStrictEqual(of("planloom_stage_duration", samples), [])
    assert.deepStrictEqual(
      of("planloom_stage_duration", measured([end(at)], { earlier: [started] })),
      [],
    )
  })

  it("count reviews by reviewer, verdict and cause", () => {
    const reviewed = (cause: string, verdict: string) =>
      ({ ...at, type: "Reviewed", reviewer: "judge", cause, verdict, ms: 1 }) as Given
    const samples = measured([
      reviewed("verdict", "pass"),
      reviewed("verdict", "pass"),
      reviewed("timeout", "block"),
    ])
    const here = 'planloom_stage_id="plan",planloom_reviewer="judge",planloom_review_verdict'
    assert.deepStrictEqual(of("planloom_reviews_total", samples), [
      `{${here}="pass",planloom_review_cause="verdict"} 2`,
      `{${here}="block",planloom_review_cause="timeout"} 1`,
    ])
  })
})

describe("metrics of conversations", () => {
  it("have the duration of each hop, from the start of its stage or the hop before", () => {
    const hop = (agent: string, mode: string, time: number) =>
      ({ ...noted("hop", { agent, mode }), at: time }) as Given
    const samples = measured([
      { ...started, at: 1000 },
      hop("front", "full", 3000),
      hop("money", "routing", 3500),
      hop("no name!", "full", 9000),
    ])
    assert.deepStrictEqual(of("planloom_hop_duration_seconds_sum", samples), [
      '{planloom_stage_id="plan",planloom_hop_agent="front",planloom_hop_mode="full"} 2',
      '{planloom_stage_id="plan",planloom_hop_agent="money",planloom_hop_mode="routing"} 0.5',
    ])
  })

  it("have no duration of a hop in which a person was asked, or that began elsewhere", () => {
    const hop = { ...noted("hop", { agent: "front", mode: "full" }), at: 9000 } as Given
    assert.deepStrictEqual(of("planloom_hop", measured([started, asked("approval"), hop])), [])
    assert.deepStrictEqual(of("planloom_hop", measured([hop])), [])
  })

  it("have the share of input tokens that a service read from its cache", () => {
    const samples = measured([
      started,
      called({ usage: { input: 100, output: 1, cached: 80 } }),
      called({ usage: { input: 100, output: 1 } }),
    ])
    const place = '{planloom_stage_id="plan",planloom_model_alias="planner"'
    const cached = of("planloom_tokens_cached_total", samples)
    assert.lengthOf(cached, 1)
    assert.isTrue(cached[0]!.startsWith(place) && cached[0]!.endsWith(" 80"))
    const input = of("gen_ai_client_token_usage_sum", samples).find((line) =>
      line.includes('"input"'),
    )
    assert.isTrue(input!.endsWith(" 200"))
  })

  it("have suggestions and conversations, and quality, by variant", () => {
    const reviewed = (reviewer: string, verdict: string) =>
      ({ ...at, type: "Reviewed", reviewer, verdict, cause: "verdict", ms: 1 }) as unknown as Given
    const opened = (turns: number) =>
      ({ type: "SessionOpened", session: "s", version: 1, turns }) as Given
    const finished = { type: "RunFinished", outputs: {}, degraded: false } as unknown as Given
    const begun = { type: "RunStarted" } as unknown as Given
    const store = new MetricStore()
    for (const turns of [0, 1]) {
      measured(
        [
          begun,
          opened(turns),
          assigned("tone", "warm"),
          started,
          reviewed("enricher", "enrich"),
          reviewed("quality_gate", "flag"),
          finished,
        ],
        { store },
      )
    }
    const samples = prometheusText(store)
      .split("\n")
      .filter((line) => !line.startsWith("#"))
    assert.deepStrictEqual(of("planloom_conversations_total", samples), [
      '{planloom_workflow="w",planloom_experiment_variant="tone=warm"} 1',
    ])
    assert.deepStrictEqual(of("planloom_suggestions_total", samples), [
      '{planloom_workflow="w",planloom_stage_id="plan",planloom_experiment_variant="tone=warm",planloom_reviewer="enricher"} 2',
    ])
    const quality = of("planloom_reviews_total", samples).filter((line) =>
      line.includes("quality_gate"),
    )
    assert.deepStrictEqual(quality, [
      '{planloom_workflow="w",planloom_stage_id="plan",planloom_experiment_variant="tone=warm",planloom_reviewer="quality_gate",planloom_review_verdict="flag",planloom_review_cause="verdict"} 2',
    ])
  })
})
