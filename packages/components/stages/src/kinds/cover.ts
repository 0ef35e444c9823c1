/** Stage kind `cover`: checks a plan against its requirements in both directions, and that it can be executed. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, StageContext } from "@planloom/plugin/effect"
import { completePlan, coverage, lintPlan } from "@planloom/planning"
import type { Coverage, LintIssue, WrittenPlan } from "@planloom/planning"
import { asJson, withSummary, writtenPlan } from "@planloom/stage-kit"
import { domainName, planningBasisOf, requirements } from "../domainOf.ts"
import { checkedPlan, profile } from "../schemas.ts"
import { coverageLine } from "../summaries.ts"

interface Input {
  readonly plan: WrittenPlan
  readonly requirements: Json
  readonly domain?: string
  readonly profile?: Json
}

const line = ({ step, message, suggestion }: LintIssue): string => {
  const place = step === undefined ? "Fix plan" : `Fix step ${step}`
  const hint = suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`
  return `${place}: ${message}${hint}`
}

const checked = (input: Input, context: StageContext) =>
  Effect.suspend((): Effect.Effect<Json, StageFailed> => {
    const ground = planningBasisOf(context, input)
    if (ground instanceof StageFailed) return Effect.fail(ground)
    const { domain, rules } = ground
    const plan = completePlan(input.plan)
    const covered = coverage(plan, rules, context.tools)
    const data = input.profile === undefined ? undefined : domain.dataRules?.(input.profile)
    const options = { source: domain.source, ...(data === undefined ? {} : { data }) }
    const lint = lintPlan(plan, context.tools, options)
    const lines = lint.filter(({ code }) => code !== "empty_plan").map(line)
    return Effect.succeed(
      asJson({
        ...covered,
        ok: covered.ok && lint.length === 0,
        text: [covered.text, ...lines].filter((one) => one !== "").join("\n"),
        lint,
        plan,
      }),
    )
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
      plan: writtenPlan,
      requirements,
      domain: domainName,
      profile: { ...profile, description: "with it, what calls name in the data is checked, too" },
    },
  },
  output: checkedPlan,
  asks: () => ({}),
  run: withSummary(checked, (output) => {
    const report = output as unknown as Coverage
    return coverageLine(report, report.ok)
  }),
})
