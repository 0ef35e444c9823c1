/** The parts of DuckDB's syntax tree that the truths use, and their reading. */

export interface Node {
  readonly class?: string
  readonly type: string
  readonly alias?: string
  readonly function_name?: string
  readonly column_names?: ReadonlyArray<string>
  readonly children?: ReadonlyArray<Node>
  readonly child?: Node
  readonly left?: Node
  readonly right?: Node
  readonly input?: Node
  readonly lower?: Node
  readonly upper?: Node
  readonly filter?: Node
  readonly distinct?: boolean
  readonly value?: {
    readonly value?: unknown
    readonly type: { readonly id: string; readonly type_info?: { readonly scale?: number } }
  }
}

export interface Select {
  readonly select_list: ReadonlyArray<Node>
  readonly where_clause?: Node
  readonly group_expressions?: ReadonlyArray<Node>
  readonly aggregate_handling?: string
  readonly having?: Node
  readonly modifiers?: ReadonlyArray<{
    readonly type: string
    readonly orders?: ReadonlyArray<{ readonly type: string; readonly expression: Node }>
    readonly limit?: Node
  }>
}

export interface Condition {
  readonly column: string
  readonly op: string
  readonly value?: unknown
}

/** A truth that the script has no words for. */
export class NotScripted extends Error {}

export const constantOf = (node: Node): unknown => {
  if (node.type === "OPERATOR_CAST") return constantOf(node.child!)
  if (node.type !== "VALUE_CONSTANT") throw new NotScripted(node.type)
  const { type, value } = node.value!
  return type.id === "DECIMAL" ? Number(value) / 10 ** (type.type_info?.scale ?? 0) : value
}

const comparisons: { readonly [type: string]: string } = {
  COMPARE_EQUAL: "=",
  COMPARE_NOTEQUAL: "!=",
  COMPARE_GREATERTHAN: ">",
  COMPARE_GREATERTHANOREQUALTO: ">=",
  COMPARE_LESSTHAN: "<",
  COMPARE_LESSTHANOREQUALTO: "<=",
}

/** Text functions that change nothing in the tables of the questions, and the year of a date. */
const wrappers = ["year", "trim", "lower"]

export const columnOf = (node: Node): string => {
  if (node.type === "COLUMN_REF") return node.column_names!.at(-1)!
  if (node.type === "OPERATOR_CAST") return columnOf(node.child!)
  if (isFunction(node, parts)) return parts[node.function_name!]!
  if (wrappers.includes(node.function_name ?? "")) return columnOf(node.children![0]!)
  throw new NotScripted(node.function_name ?? node.type)
}

const likeOf = (column: string, pattern: string): Condition => {
  const [, starts, text, ends] = /^(%?)(.*?)(%?)$/.exec(pattern)!
  if (starts === "%" && ends === "%") return { column, op: "contains", value: text }
  if (ends === "%") return { column, op: "starts_with", value: text }
  throw new NotScripted("LIKE")
}

const isFunction = (node: Node | undefined, names: { readonly [name: string]: string }): boolean =>
  node?.function_name !== undefined && node.function_name in names

/** The recurring parts of dates, by DuckDB's function. */
export const parts: { readonly [name: string]: string } = {
  dayname: "weekday",
  hour: "hour",
  month: "month",
  monthname: "month",
  quarter: "quarter",
}

/** The part of a date in each condition on one. */
export const partsIn = (node: Node | undefined): ReadonlyArray<Node> => {
  if (node === undefined) return []
  const inner = [...(node.children ?? []), node.left, node.input]
  return isFunction(node, parts) ? [node] : inner.flatMap((one) => partsIn(one))
}

/** All conditions of a clause, which must all hold. `left` reads what is compared. */
export const conditionsOf = (
  node: Node | undefined,
  left: (node: Node) => string = columnOf,
): ReadonlyArray<Condition> => {
  if (node === undefined) return []
  if (node.type === "CONJUNCTION_AND")
    return node.children!.flatMap((one) => conditionsOf(one, left))
  if (node.type === "COLUMN_REF") return [{ column: left(node), op: "=", value: true }]
  if (node.type === "OPERATOR_NOT")
    return [{ column: left(node.children![0]!), op: "=", value: false }]
  const op = comparisons[node.type]
  if (op !== undefined) return [{ column: left(node.left!), op, value: constantOf(node.right!) }]
  const [first, ...rest] = node.children ?? []
  if (node.type === "OPERATOR_IS_NULL") return [{ column: left(first!), op: "is_null" }]
  if (node.type === "OPERATOR_IS_NOT_NULL") return [{ column: left(first!), op: "is_not_null" }]
  if (node.type === "COMPARE_IN")
    return [{ column: left(first!), op: "in", value: rest.map(constantOf) }]
  if (node.type === "COMPARE_BETWEEN")
    return [
      {
        column: left(node.input!),
        op: "between",
        value: [constantOf(node.lower!), constantOf(node.upper!)],
      },
    ]
  if (["~~", "~~*"].includes(node.function_name ?? ""))
    return [likeOf(left(first!), String(constantOf(rest[0]!)))]
  throw new NotScripted(node.function_name ?? node.type)
}
