/** Checks a plan against its requirements in both directions, and that it can be executed. */
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin"
import type { Json, StageContext } from "@planloom/plugin"
import { coverage, lintPlan } from "@planloom/planning"
import type { Coverage, LintIssue, Plan, Requirements } from "@planloom/planning"
import { asJson, plan, withSummary } from "@planloom/stage-kit"
import { readProfile } from "@planloom/tables"
import { checkedPlan, profile, requirements } from "../schemas.ts"
import { coverageLine } from "../summaries.ts"

interface Input {
  readonly plan: Plan
  readonly requirements: Requirements
  readonly profile?: Json
}

const line = ({ step, message, suggestion }: LintIssue): string => {
  const place = step === undefined ? "Fix plan" : `Fix step ${step}`
  const hint = suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`
  return `${place}: ${message}${hint}`
}

const checked = (input: Input, context: StageContext) =>
  Effect.sync(() => {
    const covered = coverage(input.plan, input.requirements, context.tools)
    const data = input.profile === undefined ? {} : { profile: readProfile(input.profile) }
    const lint = lintPlan(input.plan, context.tools, data)
    // A tool nobody knows is named by coverage already.
    const lines = lint.filter(({ code }) => code !== "empty_plan").map(line)
    return asJson({
      ...covered,
      ok: covered.ok && lint.length === 0,
      text: [covered.text, ...lines].filter((one) => one !== "").join("\n"),
      lint,
      plan: input.plan,
    })
  })

export const cover = stageKind<Input>({
  id: "cover",
  summary:
    "Checks a plan against its requirements in both directions, and that it can be executed.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["plan", "requirements"],
    properties: {
      plan,
      requirements,
      profile: { ...profile, description: "with it, names of columns are checked too" },
    },
  },
  output: checkedPlan,
  run: withSummary(checked, (output) => {
    const report = output as unknown as Coverage
    return coverageLine(report, report.ok)
  }),
})
