/** The gates of an evaluation, held against its figures. */
import { failureClasses } from "@planloom/plugin/effect"
import { evaluateAssertion } from "@planloom/expression"
import type { ExpressionScope, AssertionPart } from "@planloom/expression"
import type { Document } from "@planloom/language"
import { referencesOf, rootsOf } from "../check/rootsOf.ts"
import type { Compared, EvaluationReport, Figures, GateResult } from "./EvaluationReport.ts"
import type { Evaluation } from "../file/Evaluation.ts"

/** Figures of an earlier time, by variant. */
export type EvaluationBaseline = { readonly [variant: string]: Figures }

/** Whether a gate can only be judged beside a baseline. */
export const readsBaseline = (gate: string): boolean => rootsOf([gate]).has("baseline")

/** Of the variants that have run; a gate that names another one is not judged. */
export const judgeGates = (
  { gate }: Evaluation,
  document: Document,
  {
    compared,
    partial,
    problems,
    variants,
  }: Pick<EvaluationReport, "compared" | "partial" | "problems" | "variants">,
  baseline: EvaluationBaseline | undefined,
): ReadonlyArray<GateResult> => {
  const named = {
    variants: Object.fromEntries(
      Object.entries(variants).map(([name, figures]) => [name, countingAll(figures)]),
    ),
    compared: Object.fromEntries(
      Object.entries(compared).map(([name, one]) => [name, withoutCases(one)]),
    ),
  }
  return gate.flatMap((source, index): ReadonlyArray<GateResult> => {
    const { line } = document.spanOf(["gate", index]).start
    const place = { gate: source.trim(), file: document.file.path, line }
    const open = (message: string) => [{ ...place, holds: undefined, message }]
    if (partial !== undefined) return open("not every case has run")
    if (problems.length > 0) return open("not every case could be measured")
    const absent = referencesOf(source).find(
      ([root, name]) =>
        (root === "variants" || root === "compared") &&
        name !== undefined &&
        !Object.hasOwn(named[root], name),
    )
    if (absent !== undefined) return open(`${absent.slice(0, 2).join(".")} is not measured here`)
    const roots = rootsOf([source])
    if (roots.has("baseline") && baseline === undefined) return open("there is no baseline")
    const ofSeveral = [...roots].every((root) => root === "variants" || root === "compared")
    if (ofSeveral && roots.size > 0) return [{ ...place, ...judged(source, named as never) }]
    return Object.entries(variants).map(([variant, figures]) => {
      const was =
        baseline !== undefined && Object.hasOwn(baseline, variant) ? baseline[variant] : undefined
      const scope = {
        ...countingAll(figures),
        ...named,
        ...(was === undefined ? {} : { baseline: countingAll(was) }),
      }
      const own = Object.keys(variants).length > 1 ? { variant } : {}
      if (roots.has("baseline") && was === undefined) {
        return {
          ...place,
          ...own,
          holds: false,
          message: `the baseline has no figures of ${variant}`,
        }
      }
      return { ...place, ...own, ...judged(source, scope as never) }
    })
  })
}

/** Every class of failure, so that a gate can require zero of it. */
const countingAll = (figures: Figures) => ({
  ...figures,
  failures: {
    ...Object.fromEntries(Object.keys(failureClasses).map((name) => [name, 0])),
    ...figures.failures,
  },
})

const withoutCases = ({ flipped: _, ...figures }: Compared) => figures

const judged = (source: string, scope: ExpressionScope): Pick<GateResult, "holds" | "message"> => {
  const { failure, holds, parts } = evaluateAssertion(source, scope)
  const said = parts.map(partText)
  const message = failure !== undefined && said.length === 0 ? failure : said.join(", ")
  return { holds, message: holds ? "" : message }
}

const partText = ({ failure, source, value }: AssertionPart): string =>
  failure === undefined ? `${source} is ${JSON.stringify(value)}` : `${source}: ${failure}`
