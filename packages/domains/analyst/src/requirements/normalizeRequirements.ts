/** Normalizes requirements from a model: known labels, known columns, no duplicates. */
import { isObject, nearest } from "@planloom/planning"
import type { Json } from "@planloom/plugin/effect"
import { filterOps } from "@planloom/tables"
import type { DataProfile } from "@planloom/tables"
import { singular } from "../language/tokens.ts"
import { analyses, askedGrains, outputs, timeParts } from "./Requirements.ts"
import type { Constraint, Requirements } from "./Requirements.ts"

const texts = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === "string")
    .map((item) => item.trim())
    .filter((item) => item !== "" && item.toLowerCase() !== "unknown")

const unique = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

/** Splits names into those that mean one of `known` (up to case, separators or a typo) and the rest. */
const fold = <A extends string>(names: ReadonlyArray<string>, known: ReadonlyArray<A>) => {
  const found: Array<A> = []
  const lost: Array<string> = []
  for (const name of names) {
    const close = nearest(name, known) ?? nearest(singular(name.toLowerCase()), known)
    const meant = known.find((one) => one === name) ?? (close as A | undefined)
    if (meant === undefined) lost.push(name)
    else found.push(meant)
  }
  return { found: unique(found), lost }
}

const readConstraint = (
  raw: unknown,
  columns: ReadonlyArray<string> | undefined,
): Constraint | string => {
  const said = JSON.stringify(raw) ?? ""
  if (!isObject(raw)) return said
  const column = (name: unknown) =>
    columns === undefined ? texts(name)[0] : fold(texts(name), columns).found[0]
  switch (raw.kind) {
    case "filter":
    case "part":
    case "having": {
      const name = raw.kind === "having" && raw.column === "count" ? "count" : column(raw.column)
      const op = filterOps.find((one) => one === raw.op)
      if (name === undefined || op === undefined) return said
      const bare = op === "is_null" || op === "is_not_null"
      if (!bare && (raw.value === undefined || raw.value === null)) return said
      const listed = op === "in" || op === "not_in" || op === "between"
      const value = listed && !Array.isArray(raw.value) ? [raw.value as Json] : (raw.value as Json)
      return { kind: raw.kind, column: name, op, ...(bare ? {} : { value }) }
    }
    case "time_part": {
      const name = column(raw.column)
      const part = timeParts.find((one) => one === raw.part)
      if (name === undefined || part === undefined) return said
      return { kind: "time_part", column: name, part, as: texts(raw.as)[0] ?? part }
    }
    case "top_n": {
      const n = Number(raw.n)
      if (!Number.isInteger(n) || n < 1) return said
      const by = column(raw.by)
      const order = raw.order === "asc" ? "asc" : "desc"
      const per = column(raw.per)
      return {
        kind: "top_n",
        n,
        order,
        ...(by === undefined ? {} : { by }),
        ...(per === undefined ? {} : { per }),
      }
    }
    case "window":
    case "horizon": {
      const n = Number(raw.n)
      return Number.isInteger(n) && n > 0 ? { kind: raw.kind, n } : said
    }
    case "exclude": {
      const [output] = fold(texts(raw.output), outputs).found
      return output === undefined ? said : { kind: "exclude", output }
    }
    case "chart_type": {
      const [chart] = texts(raw.chart)
      return chart === undefined ? said : { kind: "chart_type", chart: chart.toLowerCase() }
    }
    default:
      return said
  }
}

/**
 * With a profile, columns that the data lacks go to `unknown`, as do labels outside the closed sets and
 * constraints without a meaning. A contradiction (chart wanted and excluded) resolves to the exclusion.
 */
export const normalizeRequirements = (raw: Json, profile?: DataProfile): Requirements => {
  const given: { readonly [key: string]: unknown } = isObject(raw) ? raw : {}
  const parts = (Array.isArray(given.constraints) ? given.constraints : []).flatMap((one) =>
    isObject(one) && one.kind === "time_part" ? texts(one.as ?? one.part) : [],
  )
  const columns =
    profile === undefined ? undefined : [...profile.columns.map(({ name }) => name), ...parts]
  const names = (value: unknown) =>
    columns === undefined ? { found: unique(texts(value)), lost: [] } : fold(texts(value), columns)
  const metrics = names(given.metrics)
  const groups = names(given.group_by)
  const time = isObject(given.time) ? given.time : {}
  const column = names(time.column)
  const analysis = fold(texts(given.analysis), analyses)
  const output = fold(texts(given.outputs), outputs)
  const read = (Array.isArray(given.constraints) ? given.constraints : []).map((one: unknown) =>
    readConstraint(one, columns),
  )
  const constraints = read.filter((one) => typeof one !== "string")
  const excluded = constraints.flatMap((one) => (one.kind === "exclude" ? one.output : []))
  const grain = askedGrains.find((one) => one === time.grain) ?? "unknown"
  const dates = profile?.columns.filter(({ type }) => type === "date") ?? []
  // A grain without a column means the only date there is.
  const only = grain !== "unknown" && dates.length === 1 ? dates[0]?.name : undefined
  return {
    metrics: metrics.found,
    group_by: groups.found,
    time: { column: column.found[0] ?? only ?? "", grain },
    analysis: analysis.found,
    outputs: output.found.filter((one) => !excluded.includes(one)),
    constraints,
    unknown: unique([
      ...texts(given.unknown),
      ...metrics.lost,
      ...groups.lost,
      ...column.lost,
      ...analysis.lost,
      ...output.lost,
      ...read.filter((one) => typeof one === "string"),
    ]),
  }
}
