import type { FailureRecord, RunEvent, Untimed } from "@planloom/plugin/effect"
import { describe, expect, it } from "vitest"
import { styleOf } from "../terminal/Style.ts"
import { widthOf } from "../terminal/text.ts"
import { frame, settledCount } from "./frame.ts"
import { Progress } from "./Progress.ts"

/** An event and the millisecond it happens at. */
type TimedEvent = readonly [at: number, event: Untimed<RunEvent>]

const progressOf = (events: ReadonlyArray<TimedEvent>): Progress => {
  const progress = new Progress()
  events.forEach(([at, event], seq) => progress.push({ ...event, seq, at } as RunEvent))
  return progress
}

const start = (path: string, uses = "work"): Untimed<RunEvent> => ({
  type: "StageStarted",
  path,
  stage: path.replaceAll(/.*\/|\[\d+\]|~\d+/g, ""),
  uses,
})

const finish = (path: string): Untimed<RunEvent> => ({
  type: "StageFinished",
  path,
  stage: path.replaceAll(/.*\/|\[\d+\]|~\d+/g, ""),
  output: null,
  attempts: 1,
})

const begin: TimedEvent = [0, { type: "RunStarted", run: "r", workflow: "w", inputs: {} }]
const slow: FailureRecord = { class: "rate_limit", message: "slow down" }

const draw = (progress: Progress, now: number, width = 76, rows = 30): string => {
  const { moving, settled } = frame(
    progress,
    0,
    { style: styleOf(false), width, names: 14, now },
    rows,
  )
  return [...settled, "· · ·", ...moving].join("\n")
}

describe("a frame of a run's progress", () => {
  it("shows a stage's summary, cut to the line, without the summaries of inner stages", () => {
    const note = (path: string, data: string): Untimed<RunEvent> => ({
      type: "Noted",
      path,
      stage: "plan",
      note: "summary",
      data,
    })
    const progress = progressOf([
      begin,
      [0, start("plan", "adapt")],
      [10, note("plan/inner", "of somebody else")],
      [
        20,
        note("plan", "grouped: series → chart,\n\u001b[31manomalies, forecast, averages, shares"),
      ],
      [30, finish("plan")],
    ])
    expect(draw(progress, 40, 60)).toMatchInlineSnapshot(`
      "✓ plan            grouped: series → chart, anomali…    30 ms
      · · ·
      40 ms"
    `)
  })

  it("settles finished stages and shows running ones below them", () => {
    const progress = progressOf([
      begin,
      [0, start("extract")],
      [
        1200,
        {
          type: "ModelCalled",
          path: "extract",
          stage: "extract",
          model: "a/b",
          usage: { input: 800, output: 150 },
          cost: 0.004,
          ms: 1100,
        },
      ],
      [1200, finish("extract")],
      [1200, { type: "StageSkipped", path: "search", stage: "search", reason: "inputs.deep" }],
      [1210, start("plan", "adapt")],
      [
        1300,
        {
          type: "Progressed",
          path: "plan",
          stage: "plan",
          message: "filling slots",
          fraction: 0.4,
        },
      ],
    ])
    expect(draw(progress, 2000)).toMatchInlineSnapshot(`
      "✓ extract         work                                      950 tok    1.2 s
      – search          skipped: inputs.deep is false
      · · ·
      ⠴ plan            filling slots · 40 %                                790 ms
      2.0 s · 1 model call · 950 tokens · $0.0040"
    `)
    expect(settledCount(progress)).toBe(2)
  })

  it("counts down to the next attempt and shows the last failure", () => {
    const progress = progressOf([
      begin,
      [0, start("fetch")],
      [
        100,
        {
          type: "AttemptFailed",
          path: "fetch",
          stage: "fetch",
          attempt: 1,
          failure: slow,
          delay: 3000,
        },
      ],
    ])
    expect(draw(progress, 600)).toMatchInlineSnapshot(`
      "· · ·
      ↻ fetch           attempt 2 in 2.5 s · rate_limit: slow down          600 ms
      600 ms · 1 retry"
    `)
  })

  it("shows parallel work, iterations and items as a tree", () => {
    const progress = progressOf([
      begin,
      [0, start("both", "stages")],
      [0, start("both/left")],
      [0, start("both/right")],
      [400, finish("both/left")],
      [500, start("again", "stages")],
      [500, { type: "IterationStarted", path: "again", stage: "again", iteration: 0 }],
      [500, start("again[0]/turn")],
      [600, finish("again[0]/turn")],
      [600, { type: "IterationStarted", path: "again", stage: "again", iteration: 1 }],
      [600, start("again[1]/turn")],
      [600, start("each")],
      [600, start("each[0]")],
      [600, start("each[1]")],
      [700, finish("each[0]")],
    ])
    expect(draw(progress, 800)).toMatchInlineSnapshot(`
      "· · ·
      ⠋ both            stages                                              800 ms
        ✓ left          work                                                400 ms
        ⠋ right         work                                                800 ms
      ⠋ again           iteration 2                                         300 ms
        ⠋ turn          work                                                200 ms
      ⠋ each            1 done, 1 running                                   200 ms
        ✓ [0]           work                                                100 ms
        ⠋ [1]           work                                                200 ms
      800 ms"
    `)
  })

  it("keeps the notes for the user of earlier rounds, whose stages are gone", () => {
    const said = (path: string, text: string): Untimed<RunEvent> => ({
      type: "Noted",
      path,
      stage: "say",
      note: "thinking",
      data: 1,
      audience: "user",
      text,
    })
    const round = (iteration: number): ReadonlyArray<TimedEvent> => [
      [iteration, { type: "IterationStarted", path: "work", stage: "work", iteration }],
      [iteration, start(`work[${iteration}]/inner`, "stages")],
      [iteration, start(`work[${iteration}]/inner/say`, "emit")],
      [iteration, said(`work[${iteration}]/inner/say`, `Looking again ${iteration}.`)],
    ]
    const progress = progressOf([begin, [0, start("work", "stages")], ...round(0), ...round(1)])
    const lines = draw(progress, 40).split("\n")
    expect(lines.filter((line) => /^ +Looking again/.test(line))).toEqual([
      "    Looking again 0.",
      "      Looking again 1.",
    ])
  })

  it("shows an assertion that causes a rerun, and the rerun on its own line", () => {
    const progress = progressOf([
      begin,
      [0, start("plan")],
      [10, finish("plan")],
      [10, start("coverage")],
      [20, finish("coverage")],
      [
        20,
        {
          type: "AssertionFailed",
          path: "coverage",
          stage: "coverage",
          that: "ok",
          message: "no step serves req_2",
          rerun: { stage: "plan", count: 1, max: 2 },
        },
      ],
      [30, start("plan~2")],
    ])
    expect(draw(progress, 40)).toMatchInlineSnapshot(`
      "✓ plan            work                                                 10 ms
      ↩ coverage        no step serves req_2 · back to plan, 1 of 2          10 ms
      · · ·
      ⠋ plan #2         work                                                 10 ms
      40 ms"
    `)
  })

  it("folds a finished block but keeps its failures visible", () => {
    const progress = progressOf([
      begin,
      [0, start("block", "stages")],
      [0, start("block/good")],
      [0, start("block/bad")],
      [5, finish("block/good")],
      [
        5,
        {
          type: "StageFailed",
          path: "block/bad",
          stage: "bad",
          failure: slow,
          attempts: 1,
          onError: "continue",
        },
      ],
      [6, finish("block")],
    ])
    expect(draw(progress, 6)).toMatchInlineSnapshot(`
      "✓ block           2 stages                                              6 ms
        ! bad           failed, the run continues · rate_limit: slow down     5 ms
      · · ·
      6 ms"
    `)
  })

  it("marks stages as stopped that were running when the run was cancelled", () => {
    const progress = progressOf([
      begin,
      [0, start("long")],
      [900, { type: "RunCancelled", reason: "interrupted" }],
    ])
    expect(draw(progress, 5000)).toMatchInlineSnapshot(`
      "■ long            stopped                                             900 ms
      · · ·"
    `)
  })

  it("fits every terminal: no line is wider, the moving part is not higher", () => {
    const many = Array.from({ length: 40 }, (_, index): TimedEvent => [
      index,
      start(`stage_number_${index}`, "a_long_kind"),
    ])
    const hostile: TimedEvent = [
      50,
      {
        type: "Progressed",
        path: "stage_number_3",
        stage: "stage_number_3",
        message: "\u001b[2J日本語 ".repeat(30),
      },
    ]
    const progress = progressOf([begin, ...many, hostile])
    for (const width of [20, 33, 80, 200]) {
      for (const rows of [6, 24]) {
        const look = { style: styleOf(false), width, names: 28, now: 4000 }
        const { moving } = frame(progress, 0, look, rows)
        expect(moving.length).toBeLessThan(rows)
        for (const line of moving) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
          expect(line).not.toContain("\u001b")
        }
      }
    }
  })
})
