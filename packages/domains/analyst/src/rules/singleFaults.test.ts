import { describe, expect, it } from "vitest"
import { profile, tools } from "../../test/sales.ts"
import { coverageFaults, lintFaults, soundPlans } from "../../test/singleFaults.ts"
import type { Labelled } from "../../test/singleFaults.ts"
import { coverTablePlan, lintTablePlan } from "./checkTablePlan.ts"

const sound = soundPlans(240, 7)

interface Reported {
  readonly code: string
  readonly step?: string
}

/** True positives, false positives and false negatives, with the plans of the last two. */
const score = (
  cases: ReadonlyArray<Labelled>,
  report: (one: Labelled) => ReadonlyArray<Reported>,
) => {
  const counts = new Map<string, number>()
  let right = 0
  const wrong: Array<unknown> = []
  const lost: Array<unknown> = []
  for (const one of cases) {
    counts.set(one.code, (counts.get(one.code) ?? 0) + 1)
    const reported = report(one)
    const fits = ({ code, step }: Reported) =>
      code === one.code && (one.step === undefined || step === one.step)
    if (reported.some(fits)) right++
    else lost.push({ code: one.code, step: one.step, reported, plan: one.plan })
    const others = reported.filter((issue) => !fits(issue))
    if (others.length > 0) wrong.push({ code: one.code, step: one.step, others, plan: one.plan })
  }
  return { counts, right, wrong, lost }
}

const labelled = (faults: typeof lintFaults) =>
  faults.flatMap((fault) => sound.flatMap((one) => fault(one)))

describe("plans with exactly one fault", () => {
  it("start from plans without any issue", () => {
    expect(sound.length).toBeGreaterThan(100)
  })

  it("are reported by lint: every fault and no other issue", () => {
    const cases = labelled(lintFaults)
    const { counts, right, wrong, lost } = score(cases, ({ plan }) =>
      lintTablePlan(plan, tools, { profile }),
    )
    expect(lost.slice(0, 2)).toEqual([])
    expect(wrong.slice(0, 2)).toEqual([])
    expect(right).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(500)
    expect(counts.size).toBe(13)
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(10)
  })

  it("are reported by coverage: every fault and no other issue", () => {
    const cases = labelled(coverageFaults)
    const { counts, right, wrong, lost } = score(
      cases,
      ({ plan, requirements }) => coverTablePlan(plan, requirements, tools).issues,
    )
    expect(lost.slice(0, 2)).toEqual([])
    expect(wrong.slice(0, 2)).toEqual([])
    expect(right).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(500)
    expect([...counts.keys()].toSorted()).toEqual(
      [
        "uncovered",
        "uncited",
        "unknown_requirement",
        "false_citation",
        "duplicate_step",
        "forbidden_output",
        "filter_before_use",
        "limit_before_plot",
        "aggregate_before_plot",
      ].toSorted(),
    )
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(5)
  })
})
