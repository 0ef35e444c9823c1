/** Reads the rows for an answer: from the table's preview if it is complete, else by a ranking tool. */
import * as Effect from "effect/Effect"
import type { JsonObject, StageContext, Tool, ToolFailed } from "@planloom/plugin/effect"
import { viewTable } from "@planloom/tables"
import type { TableView } from "@planloom/tables"
import { hasRole, paramOf } from "../rules/ToolRoles.ts"
import { tableSlot } from "../rules/columnsAt.ts"

export const isWhole = (table: TableView): boolean => table.rows.length >= table.total

const ranks = (tool: Tool): boolean =>
  tool.outputs[0] === "table" &&
  hasRole(tool, "limit") &&
  hasRole(tool, "order") &&
  hasRole(tool, "order_by")

const compare = (left: unknown, right: unknown): number => {
  if (typeof left === "number" && typeof right === "number") return left - right
  const [one, two] = [String(left), String(right)]
  return one < two ? -1 : one > two ? 1 : 0
}

const sorted = (rows: ReadonlyArray<JsonObject>, by: string, order: "asc" | "desc") =>
  rows
    .filter((row) => (row[by] ?? null) !== null)
    .toSorted((left, right) => compare(left[by], right[by]) * (order === "asc" ? 1 : -1))

export interface Wanted {
  readonly by: string
  readonly order: "asc" | "desc"
  readonly count: number
}

/** The first rows by a column. Undefined if the preview is incomplete and no tool can rank. */
export const firstRows = (
  table: TableView,
  wanted: Wanted,
  context: StageContext,
  key: string,
): Effect.Effect<ReadonlyArray<JsonObject> | undefined, ToolFailed> => {
  const { by, order, count } = wanted
  if (isWhole(table)) return Effect.succeed(sorted(table.rows, by, order).slice(0, count))
  const tool = context.tools.find(ranks)
  const slot = tool === undefined ? undefined : tableSlot(tool)
  if (tool === undefined || slot === undefined) return Effect.succeed(undefined)
  const name = (role: "order_by" | "order" | "limit") => paramOf(tool, role)?.[0] as string
  return Effect.map(
    context.callTool({
      tool: tool.name,
      params: { [name("order_by")]: by, [name("order")]: order, [name("limit")]: count },
      inputs: { [slot]: table.value },
      key,
    }),
    (value) => viewTable(value)?.rows.slice(0, count),
  )
}
