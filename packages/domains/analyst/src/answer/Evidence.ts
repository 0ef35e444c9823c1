/** What the results of a plan give to answer from. */
import { can, isObject } from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { isChart, viewTable } from "@planloom/tables"
import type { Requirements } from "../requirements/Requirements.ts"
import type { Found } from "./Found.ts"

export interface Evidence {
  readonly found: ReadonlyArray<Found>
  readonly charts: ReadonlyArray<Json>
  /** Names of the tools that drew the charts. */
  readonly drawn: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
  /** Corrections of the calls. */
  readonly repairs: ReadonlyArray<JsonObject>
}

/** Results by step, from the output of `execute` or a plain map. */
const resultsByStep = (results: JsonObject): JsonObject =>
  isObject(results.steps) && Array.isArray(results.order) ? results.steps : results

export const evidenceOf = (
  results: JsonObject,
  made: Plan | undefined,
  tools: ReadonlyArray<Tool>,
): Evidence => {
  const byStep = resultsByStep(results)
  const found: Array<Found> = []
  const charts: Array<Json> = []
  const drawn: Array<string> = []
  for (const [id, value] of Object.entries(byStep)) {
    const step: Step = made?.steps.find((one) => one.id === id) ?? {
      id,
      tool: id,
      inputs: {},
      params: {},
      satisfies: [],
    }
    const tool = tools.find(({ name }) => name === step.tool) ?? {
      name: step.tool,
      summary: "",
      capabilities: [],
      inputs: {},
      params: true,
      outputs: [],
    }
    if (isChart(value)) {
      charts.push(value)
      drawn.push(step.tool)
    }
    const table = isChart(value) ? undefined : viewTable(value)
    if (table !== undefined) found.push({ step, tool, table })
  }
  const failures = Array.isArray(results.failed) ? results.failed : []
  const failed = failures.flatMap((one) =>
    isObject(one) ? [`${String(one.step)} failed: ${String(one.message)}`] : [],
  )
  const repairs = Array.isArray(results.repairs) ? results.repairs.filter(isObject) : []
  return { found, charts, drawn, failed, repairs: repairs as ReadonlyArray<JsonObject> }
}

/** Tables to answer from: without those of preparing steps, unless there are no others. */
export const answerTables = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const candidates = found.filter(({ tool }) => !can(tool, "filter", "parse_datetime", "datetime"))
  // A ranked or smoothed table replaces the one it was made from.
  const ranked = candidates.filter(({ tool }) =>
    can(tool, "ranking", "top_n", "moving_average", "having", "change"),
  )
  const origins = new Set(ranked.flatMap(({ step }) => Object.values(step.inputs)))
  const kept = candidates.filter(({ step }) => !origins.has(step.id))
  return kept.length > 0 ? kept : found
}

const mainTable = (found: ReadonlyArray<Found>): Found | undefined =>
  found.find(({ tool }) => can(tool, "ranking", "top_n")) ??
  found.find(({ tool }) => can(tool, "having", "change", "per_group")) ??
  found.find(({ tool }) => can(tool, "aggregate")) ??
  found.at(-1)

/** The table of the answer; undefined if none is wanted. */
export const tableOf = ({ constraints }: Requirements, evidence: Evidence): Found | undefined => {
  const unwanted = constraints.some((one) => one.kind === "exclude" && one.output === "table")
  return unwanted ? undefined : mainTable(answerTables(evidence.found))
}
