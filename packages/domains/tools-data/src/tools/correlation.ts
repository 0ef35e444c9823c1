/** Correlation of number columns. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, type DataFailed } from "../DataFailed.ts"
import { extend, many, tableIn, type DataTool } from "../DataTool.ts"
import { isNumeric } from "../table/Table.ts"

export const correlation: DataTool = {
  tool: {
    name: "correlation",
    summary: "Computes how closely number columns go together: Pearson's r of every pair.",
    capabilities: ["correlation", "relationship", "dependence"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        columns: {
          type: "array",
          items: { type: "string" },
          role: "columns",
          description: "Two or more number columns; all of them unless given.",
        },
        form: {
          type: "string",
          enum: ["pairs", "matrix"],
          default: "pairs",
          description: "pairs: one row per pair, the strongest first; matrix: one row per column.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const given = many(invocation, "columns")
    const columns =
      given.length > 0 ? given : table.columns.filter(isNumeric).map(({ name }) => name)
    const form = invocation.params["form"] === "matrix" ? "matrix" : "pairs"
    return yield* extend(table, [{ op: "correlation", columns, form }], {
      title: () => `Correlation of ${columns.map(String).join(", ")}`,
      notes: [
        "Pearson's r: 1 and −1 are a straight line, 0 means no linear relation. It does not separate cause from effect, nor detect curves.",
      ],
    })
  }),
}
