/** Figures of evaluations at an earlier time, kept in a file. */
import type { EvaluationReport } from "./EvaluationReport.ts"
import type { EvaluationBaseline } from "./judgeGates.ts"

/** By the evaluation's name. */
export type EvaluationBaselines = { readonly [evaluation: string]: EvaluationBaseline }

/** JSON whose lines change one by one. `kept` are those of other evaluations, which stay. */
export const evaluationBaselineText = (
  reports: ReadonlyArray<EvaluationReport>,
  kept: EvaluationBaselines = {},
): string => {
  const measured = reports.map(({ name, variants }) => [name, variants] as const)
  const all = { ...kept, ...Object.fromEntries(measured) }
  const sorted = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`
}

/** What `evaluationBaselineText` wrote, or in words why this is no baseline. */
export const readEvaluationBaselines = (text: string): EvaluationBaselines | string => {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  if (!isObject(read)) return "it is no JSON object"
  for (const [name, variants] of Object.entries(read)) {
    if (!isObject(variants)) return `${name} must hold figures by variant`
    for (const [variant, figures] of Object.entries(variants)) {
      if (!isObject(figures) || typeof figures["runs"] !== "number") {
        return `${name}.${variant} must be the figures of a variant`
      }
    }
  }
  return read as EvaluationBaselines
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
