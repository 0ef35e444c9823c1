/** Joins two tables by corresponding columns. */
import * as Effect from "effect/Effect"
import { isJsonObject, type Json, type ToolInvocation } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { joinKinds } from "../table/Operation.ts"
import type { Table } from "../table/Table.ts"

/** The given pairs, or by default the columns that both tables share by name. */
const pairsOf = (invocation: ToolInvocation, left: Table, right: Table) => {
  const given = many(invocation, "on").map((one) =>
    isJsonObject(one) ? one : { left: one, right: one },
  )
  if (given.length > 0) return given
  const names = new Set(right.columns.map(({ name }) => name))
  const shared = left.columns.filter(({ name }) => names.has(name))
  if (shared.length === 0)
    throw refused("the tables share no column name: say which columns mean the same in `on`", {
      left: left.columns.map(({ name }) => name),
      right: right.columns.map(({ name }) => name),
    })
  return shared.map(({ name }) => ({ left: name, right: name }))
}

const notesOf = (
  how: string,
  pairs: ReadonlyArray<{ readonly left?: unknown; readonly right?: unknown }>,
  left: Table,
  rows: number,
): ReadonlyArray<string> => [
  `Joined by ${pairs.map((one) => (one.left === one.right ? String(one.left) : `${String(one.left)} = ${String(one.right)}`)).join(" and ")} (${how}).`,
  ...(how !== "anti" && rows > left.rows
    ? [
        "The other table has several rows for one key, so rows are repeated: totals count them again.",
      ]
    : []),
  ...(how === "inner" && rows < left.rows
    ? [`Of ${left.rows} rows, those without a partner are left out.`]
    : []),
]

export const join: DataTool = {
  tool: {
    name: "join",
    summary: "Puts two tables side by side where the values of their key columns are equal.",
    capabilities: ["join", "merge", "lookup"],
    inputs: { left: "table", right: "table" },
    params: {
      type: "object",
      properties: {
        on: {
          type: "array",
          description:
            "Columns that mean the same: names both tables have, or {left, right}; all shared names unless given.",
          items: {
            anyOf: [
              { type: "string" },
              {
                type: "object",
                properties: { left: { type: "string" }, right: { type: "string" } },
                required: ["left", "right"],
                additionalProperties: false,
              },
            ],
          },
        },
        how: {
          type: "string",
          enum: [...joinKinds],
          default: "left",
          description:
            "left keeps every row of the left table, inner only rows with a partner, full all rows of both, anti only rows without a partner.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const left = yield* attempt(() => tableIn(invocation, "left"))
    const right = yield* attempt(() => tableIn(invocation, "right"))
    const on = yield* attempt(() => pairsOf(invocation, left, right))
    const how = optional(invocation, "how") ?? "left"
    const beside = { source: right.source, ops: right.ops }
    const joined = yield* extend(left, [{ op: "join", beside, on, how }])
    const { rows } = joined as unknown as Table
    return Object.assign({}, joined, { notes: notesOf(how, on, left, rows) }) as Json
  }),
}
