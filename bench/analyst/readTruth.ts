/** Reads the SQL of a truth as a model would read its question: into requirements, with nothing added. */
import type { DuckDBConnection } from "@duckdb/node-api"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import {
  columnOf,
  conditionsOf,
  constantOf,
  NotScripted,
  parts,
  partsIn,
  type Condition,
  type Node,
  type Select,
} from "./TruthNode.ts"

const functions: { readonly [name: string]: string } = {
  sum: "total",
  avg: "average",
  median: "median",
  min: "minimum",
  max: "maximum",
}

const grains: { readonly [format: string]: string } = { "%Y-%m": "month", "%Y": "year" }

interface Draft {
  readonly metrics: Set<string>
  readonly groups: Set<string>
  readonly analysis: Set<string>
  readonly constraints: Array<JsonObject>
  time: { readonly column: string; readonly grain: string }
}

const constraint = (kind: string, { column, op, value }: Condition): JsonObject => ({
  kind,
  column,
  op,
  ...(value === undefined ? {} : { value: value as Json }),
})

const isAggregate = ({ function_name: name = "" }: Node): boolean =>
  name in functions || ["count", "count_star", "corr", "+", "-", "*", "/"].includes(name)

/** A share of rows: the average of a condition, or of a true or false column. */
const rated = (node: Node): Node | undefined => {
  const [inner] = node.children ?? []
  return node.function_name === "avg" && inner?.type === "OPERATOR_CAST" ? inner.child : undefined
}

/** `sum(x) FILTER (c = 2) / sum(x) FILTER (c = 1) - 1`: the two values of the column, and what is measured. */
const growthOf = (node: Node): { readonly of: string; readonly along: Condition } | undefined => {
  const [ratio, one] = node.children ?? []
  const [after, before] = ratio?.children ?? []
  if (node.function_name !== "-" || one?.type !== "VALUE_CONSTANT" || before === undefined)
    return undefined
  const [later] = conditionsOf(after!.filter)
  const [earlier] = conditionsOf(before.filter)
  if (later?.op !== "=" || earlier?.op !== "=" || later.column !== earlier.column) return undefined
  const value = [earlier.value, later.value]
  return { of: columnOf(after!.children![0]!), along: { column: later.column, op: "in", value } }
}

/** `sum(x) FILTER (…) / sum(x)`: the share of a number that meets conditions. */
const weighedOf = (node: Node) => {
  const [some, all] = node.children ?? []
  if (node.function_name !== "/" || some?.filter === undefined || all?.filter !== undefined)
    return undefined
  const of = columnOf(some.children![0]!)
  if (some.function_name !== "sum" || columnOf(all!.children![0]!) !== of) return undefined
  return { of, part: conditionsOf(some.filter) }
}

const measure = (node: Node, draft: Draft): void => {
  const { children = [], function_name: name = "" } = node
  const part = rated(node)
  const growth = growthOf(node)
  if (growth !== undefined) {
    draft.analysis.add("total").add("change")
    draft.metrics.add(growth.of)
    draft.groups.add(growth.along.column)
    draft.constraints.push(constraint("filter", growth.along))
    return
  }
  const weighed = weighedOf(node)
  if (weighed !== undefined) {
    draft.analysis.add("rate")
    draft.metrics.add(weighed.of)
    draft.constraints.push(...weighed.part.map((one) => constraint("part", one)))
    return
  }
  if (node.filter !== undefined) throw new NotScripted("FILTER")
  if (part !== undefined) {
    draft.analysis.add("rate")
    draft.constraints.push(...conditionsOf(part).map((one) => constraint("part", one)))
  } else if (name === "count_star") draft.analysis.add("count")
  else if (name === "count") {
    draft.analysis.add(node.distinct === true ? "distinct" : "count")
    draft.metrics.add(columnOf(children[0]!))
  } else if (name === "corr") {
    draft.analysis.add("correlation")
    for (const child of children) draft.metrics.add(columnOf(child))
  } else if (functions[name] !== undefined) {
    draft.analysis.add(functions[name])
    draft.metrics.add(columnOf(children[0]!))
  } else if (name === "/" || name === "-") {
    const inner = children.map((child) => child.children?.[0])
    if (children.some((child) => child.function_name !== "sum" || child.filter !== undefined))
      throw new NotScripted(`${name} of something else than totals`)
    draft.analysis.add(name === "/" ? "ratio" : "difference")
    for (const child of inner) draft.metrics.add(columnOf(child!))
  } else throw new NotScripted(name)
}

const addPart = ({ children, function_name: name }: Node, draft: Draft): string => {
  const [column, part] = [columnOf(children![0]!), parts[name!]!]
  draft.constraints.push({ kind: "time_part", column, part, as: part })
  return part
}

const group = (node: Node, draft: Draft): void => {
  const { children = [], function_name: name } = node
  if (name === undefined) return void draft.groups.add(columnOf(node))
  if (name === "year") draft.time = { column: columnOf(children[0]!), grain: "year" }
  else if (name === "date_trunc")
    draft.time = { column: columnOf(children[1]!), grain: String(constantOf(children[0]!)) }
  else if (name === "strftime")
    draft.time = {
      column: columnOf(children[0]!),
      grain: grains[String(constantOf(children[1]!))] ?? "unknown",
    }
  else if (parts[name] !== undefined) draft.groups.add(addPart(node, draft))
  else throw new NotScripted(name)
}

/** How a condition on groups names a number. */
const havingName = (node: Node): string =>
  node.function_name === "count_star" ? "count" : columnOf(node.children![0]!)

const order = (select: Select, draft: Draft): void => {
  const orders = select.modifiers?.find(({ type }) => type === "ORDER_MODIFIER")?.orders
  const limit = select.modifiers?.find(({ type }) => type === "LIMIT_MODIFIER")?.limit
  if (orders === undefined || limit === undefined) return
  draft.analysis.add("ranking")
  const descending = orders[0]!.type === "DESCENDING"
  const n = Number(constantOf(limit))
  const by = [...draft.metrics][0]
  draft.constraints.push({
    kind: "top_n",
    n,
    order: descending ? "desc" : "asc",
    ...(by === undefined ? {} : { by }),
  })
}

/** Rows as they are: those that meet conditions, the first of an order, or one number of each. */
const listed = (select: Select, draft: Draft): void => {
  const columns = select.select_list.map(columnOf)
  if (select.modifiers !== undefined) draft.metrics.add(columns.at(-1)!)
  else if (select.where_clause !== undefined) draft.analysis.add("filter")
  else {
    draft.analysis.add("total")
    draft.metrics.add(columns.at(-1)!)
    for (const name of columns.slice(0, -1)) draft.groups.add(name)
  }
}

const requirementsOf = (select: Select): JsonObject => {
  const draft: Draft = {
    metrics: new Set(),
    groups: new Set(),
    analysis: new Set(),
    constraints: conditionsOf(select.where_clause).map((one) => constraint("filter", one)),
    time: { column: "", grain: "unknown" },
  }
  for (const node of partsIn(select.where_clause)) addPart(node, draft)
  const aggregated = select.select_list.some(isAggregate)
  if (!aggregated) listed(select, draft)
  else
    for (const node of select.select_list)
      if (isAggregate(node)) measure(node, draft)
      else group(node, draft)
  draft.constraints.push(
    ...conditionsOf(select.having, havingName).map((one) => constraint("having", one)),
  )
  order(select, draft)
  return {
    metrics: [...draft.metrics],
    group_by: [...draft.groups],
    time: draft.time,
    analysis: [...draft.analysis],
    outputs: aggregated ? [] : ["table"],
    constraints: draft.constraints,
    unknown: [],
    confidence: 1,
  }
}

/** Undefined for a truth with a shape that no requirement expresses. */
export const readTruth = async (
  database: DuckDBConnection,
  sql: string,
): Promise<JsonObject | undefined> => {
  const quoted = `'${sql.replaceAll("'", "''")}'`
  const [row] = (
    await database.runAndReadAll(
      `SELECT json_serialize_sql(${quoted}, skip_null := true, skip_empty := true, skip_default := true) AS tree`,
    )
  ).getRowObjectsJson()
  const { statements } = JSON.parse(String(row!["tree"])) as {
    readonly statements: ReadonlyArray<{ readonly node: Select }>
  }
  try {
    return requirementsOf(statements[0]!.node)
  } catch (error) {
    if (error instanceof NotScripted) return undefined
    throw error
  }
}
