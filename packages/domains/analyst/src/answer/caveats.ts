/** Caveats of an answer: one field that every surface shows. */
import { can, isObject } from "@planloom/planning"
import type { Condition, Requirements } from "../requirements/Requirements.ts"
import { conditionLabel } from "../requirements/listRequirements.ts"
import { aggregates, valueOf } from "../rules/ToolRoles.ts"
import { tableOf, type Evidence } from "./Evidence.ts"
import type { Found } from "./Found.ts"

/** What a reader must know beside the numbers, without a full stop. */
export const caveatsOf = (
  asked: Requirements,
  notes: ReadonlyArray<string>,
  evidence: Evidence,
): ReadonlyArray<string> => {
  const main = tableOf(asked, evidence)
  const all = [
    ...(asked.unknown.length === 0
      ? []
      : [`Not answered, because the data has nothing for it: ${asked.unknown.join(", ")}`]),
    ...aboutUsed(notes, asked, evidence),
    ...filtersOf(evidence),
    ...repairsOf(evidence),
    ...unserved(asked, evidence),
    ...failuresOf(evidence),
    ...(main === undefined ? [] : [...main.table.notes, ...cutNote(main.table)]),
  ]
  return [...new Set(all)]
}

/** Names of the columns of the data. */
const columnsOf = ({ found }: Evidence): ReadonlySet<string> =>
  new Set(
    found.flatMap(({ table: { value } }) => {
      const source = isObject(value) && isObject(value.source) ? value.source : {}
      const columns = Array.isArray(source.columns) ? source.columns.filter(isObject) : []
      return columns.map(({ name }) => String(name))
    }),
  )

/** Whether a text is among the values, at any depth. */
const mentions = (value: unknown, text: string): boolean =>
  value === text ||
  (typeof value === "object" &&
    value !== null &&
    Object.values(value).some((one) => mentions(one, text)))

/** Notes without those on columns that neither the question nor a step uses; a step may use all of them. */
const aboutUsed = (
  notes: ReadonlyArray<string>,
  asked: Requirements,
  evidence: Evidence,
): ReadonlyArray<string> => {
  const names = [...columnsOf(evidence)]
  const uses = [asked, ...evidence.found.map(({ step }) => step.params)]
  const isForAll = evidence.found.some(
    ({ step, tool }) =>
      can(tool, "summarize", "statistics", "correlation") &&
      !aggregates(tool) &&
      !names.some((name) => mentions(step.params, name)),
  )
  return notes.filter((note) => {
    const about = names.filter((name) => note.startsWith(`${name}: `))
    return about.length === 0 || isForAll || about.some((name) => mentions(uses, name))
  })
}

/** The conditions that rows had to meet. */
const filtersOf = ({ found }: Evidence): ReadonlyArray<string> =>
  found.flatMap(({ step, table, tool }) => {
    const filters = valueOf(tool, step.params, "filters")
    if (!Array.isArray(filters) || filters.length === 0) return []
    const tests = (filters as unknown as ReadonlyArray<Condition>).map(conditionLabel)
    const kept = aggregates(tool)
      ? ""
      : `: ${table.total.toLocaleString("en-US")} ${table.total === 1 ? "row" : "rows"}`
    return [`Only rows where ${tests.join(" and ")} count${kept}`]
  })

/** Columns that a step names by another name than the data. */
const repairsOf = ({ repairs }: Evidence): ReadonlyArray<string> =>
  repairs.flatMap(({ from, rule, to }) =>
    rule === "column_name"
      ? [`${JSON.stringify(from)} in the plan was read as ${JSON.stringify(to)}`]
      : [],
  )

/** Rows of the answer's table that its first ones leave out. */
const cutNote = ({ rows, total }: Found["table"]): ReadonlyArray<string> =>
  total > rows.length
    ? [`The table shows the first ${rows.length} of ${total.toLocaleString("en-US")} rows`]
    : []

/** The kind of chart that was asked for and not drawn. */
const unserved = ({ constraints }: Requirements, { charts, drawn }: Evidence) =>
  constraints.flatMap((one) => {
    if (one.kind !== "chart_type") return []
    const [last] = one.chart.split("_").slice(-1)
    const made = [...drawn, ...charts.map((chart) => (isObject(chart) ? String(chart.alt) : ""))]
    return made.some((name) => name.toLowerCase().includes(last ?? ""))
      ? []
      : [
          `No ${one.chart.replaceAll("_", " ")} chart was drawn, because no step of the plan draws one`,
        ]
  })

/** Caveats as lines of an answer. */
export const linesOf = (caveats: ReadonlyArray<string>): ReadonlyArray<string> =>
  caveats.map((caveat) => {
    const sentence = caveat.replace(/\.?$/, ".")
    return caveat.startsWith("Not ") ? sentence : `Note: ${sentence}`
  })

/** Failures to report; without rows, failed charts are expected. */
const failuresOf = ({ found, failed }: Evidence): ReadonlyArray<string> =>
  found.some(({ table }) => table.total > 0) || found.length === 0 ? failed : []
