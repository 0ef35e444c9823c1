/** A finished run and what a test expects of it → what does not hold. */
import type { FailureRecord, Json, RunEvent } from "@planloom/plugin/effect"
import { evaluateAssertion } from "@planloom/expression"
import type { ExpressionScope, AssertionPart } from "@planloom/expression"
import type { RunResult, StageResult } from "@planloom/core"
import type { TestExpect } from "../file/WorkflowTest.ts"
import { callsOf } from "./callsOf.ts"
import type { HermeticRun } from "./hermeticRun.ts"
import { coveredIn } from "../metrics/tallyPlanning.ts"

/** What does not hold, and where in the test it is written, below `tests[i]`. */
export interface Unmet {
  readonly path: ReadonlyArray<string | number>
  readonly assertion: string
  readonly message: string
}

/** What expressions on a finished run can read. */
export const resultScope = (
  result: RunResult,
  { events, prompts }: Pick<HermeticRun, "events" | "prompts">,
  /** The names that the expressions read. */
  reads: ReadonlySet<string>,
): ExpressionScope & { readonly status: string } => ({
  outputs: result.outputs,
  stages: Object.fromEntries(
    Object.values(result.stages).map((stage) => [stage.stage, stageView(stage)]),
  ),
  usage: { ...result.usage },
  events: events as unknown as ReadonlyArray<Json>,
  failure: (result.failure ?? null) as Json,
  status: result.status,
  degraded: result.degraded.map((one) => ({ ...one })),
  notes: result.notes.map((one) => ({ ...one })),
  ...(prompts === undefined ? {} : { prompts }),
  ...(reads.has("calls") ? { calls: callsOf(events) } : {}),
})

/** The last occurrence of a stage, in the words expressions have for one. */
const stageView = ({ failure, stage: _, ...view }: StageResult): Json => ({
  ...(view as unknown as { readonly [key: string]: Json }),
  ...(failure === undefined ? {} : { error: failure as unknown as Json }),
})

/** Requirements that a test lists and no step covers; a run without an answer has no plan to check. */
export const uncovered = (
  { requirements }: Pick<TestExpect, "requirements">,
  { status }: RunResult,
  events: ReadonlyArray<RunEvent>,
): ReadonlyArray<Unmet> => {
  const covered = coveredIn(events)
  return requirements.flatMap((id, index) =>
    status !== "succeeded" || covered.has(id)
      ? []
      : [
          {
            path: ["expect", "requirements", index],
            assertion: `a step covers ${id}`,
            message: `covered: ${[...covered].join(", ") || "nothing"}`,
          },
        ],
  )
}

/** The status first: when it is wrong, its failure says more than the assertions. */
export const unmet = (
  expect: Pick<TestExpect, "assert" | "status">,
  result: RunResult,
  scope: ExpressionScope,
): ReadonlyArray<Unmet> => {
  const wrong = result.status === expect.status ? [] : [statusUnmet(expect, result)]
  return [
    ...wrong,
    ...expect.assert.flatMap((source, index): ReadonlyArray<Unmet> => {
      const { failure, holds, parts } = evaluateAssertion(source, scope)
      if (holds) return []
      const said = parts.map(describe)
      const whole = failure === undefined || parts.some((part) => part.failure === failure)
      return [
        {
          path: ["expect", "assert", index],
          assertion: source,
          message: (whole ? said : [failure, ...said]).join("\n") || "it is false",
        },
      ]
    }),
  ]
}

const statusUnmet = (
  expect: Pick<TestExpect, "status">,
  { failure, status }: RunResult,
): Unmet => ({
  path: ["expect", "status"],
  assertion: `status == '${expect.status}'`,
  message:
    failure === undefined
      ? `the run ${status}`
      : `the run ${status === "clarification" ? "ended in a clarification" : status}: ${failure.message}${
          failure.stage === undefined ? "" : ` (${whoFailed(failure)}, in ${failure.stage})`
        }`,
})

/** `local/big: auth`, or the class alone of what was no model's. */
const whoFailed = ({ class: failure, model }: FailureRecord): string =>
  model === undefined ? failure : `${model}: ${failure}`

const describe = ({ failure, source, value }: AssertionPart): string =>
  failure === undefined ? `${source} is ${shown(value ?? null)}` : `${source}: ${failure}`

/** Characters of a value that are shown. */
const LONGEST = 240

const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  if (text.length <= LONGEST) return text
  const cut = `${text.slice(0, LONGEST)}…`
  return Array.isArray(value) ? `a list of ${value.length}: ${cut}` : cut
}
