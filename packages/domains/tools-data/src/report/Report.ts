/** Content of a report, extracted from stage outputs of any shape. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"
import type { ColumnType } from "@planloom/tables"
import type { Chart } from "../chart/Chart.ts"
import type { Column } from "../table/Table.ts"
import type { Raw } from "../table/read.ts"

export interface ReportStep {
  readonly id: string
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: ReadonlyArray<string>
  readonly satisfies: ReadonlyArray<string>
  readonly rationale: string | undefined
}

export interface ReportTable {
  readonly title: string
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<JsonObject>
  readonly total: number
  readonly notes: ReadonlyArray<string>
}

export interface Report {
  readonly title: string | undefined
  readonly question: string
  readonly answer: string
  readonly steps: ReadonlyArray<ReportStep>
  /** Requirement id → ids of the steps that satisfy it. */
  readonly matrix: ReadonlyMap<string, ReadonlyArray<string>>
  readonly tables: ReadonlyArray<ReportTable>
  readonly charts: ReadonlyArray<
    Pick<Chart, "title" | "svg" | "alt"> & { readonly notes: ReadonlyArray<string> }
  >
  readonly notes: ReadonlyArray<string>
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []

const columnTypes: ReadonlyArray<ColumnType> = ["number", "integer", "string", "date", "boolean"]

const stepOf = (raw: Raw): ReportStep => ({
  id: text(raw["id"]) ?? "",
  tool: text(raw["tool"]) ?? "",
  params: isJsonObject(raw["params"]) ? raw["params"] : {},
  inputs: isJsonObject(raw["inputs"]) ? Object.values(raw["inputs"]).map(String) : [],
  satisfies: texts(raw["satisfies"]),
  rationale: text(raw["rationale"]),
})

const stepsOf = (plan: unknown): ReadonlyArray<ReportStep> => {
  const held = isJsonObject(plan) && isJsonObject(plan["plan"]) ? plan["plan"] : plan
  const steps = isJsonObject(held) ? held["steps"] : held
  return Array.isArray(steps) ? steps.filter(isJsonObject).map(stepOf) : []
}

/** From the coverage check if present, else from the steps' own requirement lists. */
const matrixOf = (
  coverage: unknown,
  steps: ReadonlyArray<ReportStep>,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const matrix = new Map<string, ReadonlyArray<string>>()
  if (isJsonObject(coverage) && isJsonObject(coverage["matrix"]))
    for (const [requirement, ids] of Object.entries(coverage["matrix"]))
      matrix.set(requirement, texts(ids))
  for (const { id, satisfies } of steps)
    for (const requirement of satisfies) {
      const ids = matrix.get(requirement) ?? []
      if (!ids.includes(id)) matrix.set(requirement, [...ids, id])
    }
  return matrix
}

const columnOf = (raw: unknown): ReadonlyArray<Column> => {
  const name = isJsonObject(raw) ? text(raw["name"]) : undefined
  if (!isJsonObject(raw) || name === undefined) return []
  const label = text(raw["label"])
  const grain = text(raw["grain"]) as Column["grain"]
  return [
    {
      name,
      type: columnTypes.find((type) => type === raw["type"]) ?? "string",
      ...(label === undefined ? {} : { label }),
      ...(grain === undefined ? {} : { grain }),
    },
  ]
}

const tableOf = (raw: Raw, title: string): ReportTable => {
  const rows = Array.isArray(raw["preview"]) ? raw["preview"].filter(isJsonObject) : []
  return {
    title: text(raw["title"]) ?? title,
    columns: Array.isArray(raw["columns"]) ? raw["columns"].flatMap(columnOf) : [],
    rows,
    total: typeof raw["rows"] === "number" ? raw["rows"] : rows.length,
    notes: texts(raw["notes"]),
  }
}

/** Maximum depth to search results for tables and charts. */
const MAX_DEPTH = 6

/** Collects the tables and charts in a value, in order, with the name of their step. */
const collect = (
  value: unknown,
  name: string,
  found: (raw: Raw, name: string) => void,
  depth = 0,
): void => {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) for (const each of value) collect(each, name, found, depth + 1)
  if (!isJsonObject(value)) return
  if (value["type"] === "table" || value["type"] === "chart") return found(value, name)
  const own = text(value["step"]) ?? text(value["id"])
  for (const [key, each] of Object.entries(value))
    collect(each, own ?? (depth === 0 ? key : name), found, depth + 1)
}

/** A table without a title gets the name of the tool that created it. */
const headings = (steps: ReadonlyArray<ReportStep>): ReadonlyMap<string, string> =>
  new Map(steps.map(({ id, tool }) => [id, tool.replaceAll("_", " ")]))

/** `parts` are the arguments of `render_report` by name. Unknown shapes are ignored. */
export const readReport = (parts: { readonly [name: string]: Json | undefined }): Report => {
  const steps = stepsOf(parts["plan"])
  const heads = headings(steps)
  const tables: Array<ReportTable> = []
  const charts: Array<Report["charts"][number]> = []
  for (const key of ["results", "charts", "tables", "table", "chart"])
    collect(parts[key], "", (raw, name) => {
      if (raw["type"] === "chart")
        charts.push({
          title: text(raw["title"]) ?? "",
          svg: text(raw["svg"]) ?? "",
          alt: text(raw["alt"]) ?? text(raw["title"]) ?? "chart",
          notes: texts(raw["notes"]),
        })
      else tables.push(tableOf(raw, heads.get(name) ?? name.replaceAll("_", " ")))
    })
  const answer = text(parts["answer"]) ?? ""
  return {
    title: text(parts["title"]),
    question: text(parts["question"]) ?? "",
    answer,
    steps,
    matrix: matrixOf(parts["coverage"], steps),
    tables,
    charts,
    // The answer may hold them already.
    notes: texts(parts["notes"]).filter((note) => !answer.includes(note)),
  }
}
