import { describe, expect, it } from "vitest"
import { profile, tools } from "../../test/sales.ts"
import { coverageFaults, lintFaults, soundPlans } from "../../test/singleFaults.ts"
import type { Labelled } from "../../test/singleFaults.ts"
import { coverTablePlan, lintTablePlan } from "./checkTablePlan.ts"

const sound = soundPlans(240, 7)

interface Told {
  readonly code: string
  readonly step?: string
}

/** True positives, false positives and false negatives, with the plans of the last two. */
const judge = (cases: ReadonlyArray<Labelled>, tell: (one: Labelled) => ReadonlyArray<Told>) => {
  const counts = new Map<string, number>()
  let right = 0
  const wrong: Array<unknown> = []
  const lost: Array<unknown> = []
  for (const one of cases) {
    counts.set(one.code, (counts.get(one.code) ?? 0) + 1)
    const told = tell(one)
    const fits = ({ code, step }: Told) =>
      code === one.code && (one.step === undefined || step === one.step)
    if (told.some(fits)) right++
    else lost.push({ code: one.code, step: one.step, told, plan: one.plan })
    const others = told.filter((issue) => !fits(issue))
    if (others.length > 0) wrong.push({ code: one.code, step: one.step, others, plan: one.plan })
  }
  return { counts, right, wrong, lost }
}

const labelled = (faults: typeof lintFaults) =>
  faults.flatMap((fault) => sound.flatMap((one) => fault(one)))

describe("plans with exactly one fault", () => {
  it("begin as plans nothing is said of", () => {
    expect(sound.length).toBeGreaterThan(100)
  })

  it("are told so by lint: all faults, and nothing that is none", () => {
    const cases = labelled(lintFaults)
    const { counts, right, wrong, lost } = judge(cases, ({ plan }) =>
      lintTablePlan(plan, tools, { profile }),
    )
    expect(lost.slice(0, 2)).toEqual([])
    expect(wrong.slice(0, 2)).toEqual([])
    expect(right).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(500)
    expect(counts.size).toBe(13)
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(10)
  })

  it("are told so by coverage: all faults, and nothing that is none", () => {
    const cases = labelled(coverageFaults)
    const { counts, right, wrong, lost } = judge(
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
