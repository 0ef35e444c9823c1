/** Parameters shared by several tools. */
import { filterOps, grains } from "@planloom/tables"
import { aggregations } from "../table/Operation.ts"

/** Parameters that name a file; a model never writes them. */
export const fileParams = {
  path: {
    type: "string",
    minLength: 1,
    role: "path",
    description:
      "The file, as the user named it. Relative paths start at the process's current directory. Never written by a model.",
  },
  encoding: {
    type: "string",
    description: "The encoding of a text file, such as windows-1251; found out unless given.",
  },
  sheet: {
    type: "string",
    description: "The sheet of an Excel workbook; its first visible one unless given.",
  },
} as const

export const groupByParam = {
  type: "array",
  items: { type: "string" },
  role: "group_by",
  description: "Columns that make the groups.",
} as const

export const titleParam = {
  type: "string",
  role: "title",
  description: "A title; made unless given.",
} as const

export const grainParam = (description: string) => ({
  type: "string",
  enum: [...grains],
  role: "time_grain",
  description,
})

/** Parameters that define a series of a table; descriptions come from the tool. */
export const seriesParams = (says: { readonly group_by: string; readonly time_grain: string }) => ({
  group_by: { ...groupByParam, description: says.group_by },
  time_column: {
    type: "string",
    role: "time_column",
    description: "The dates of the series; the only date column unless given.",
  },
  time_grain: grainParam(says.time_grain),
})

export const aggParam = {
  type: "string",
  enum: [...aggregations],
  default: "sum",
  role: "agg",
  description: "How rows of the same time are put together, where there are several.",
}

export const filtersParam = {
  type: "array",
  role: "filters",
  description:
    "Conditions that must all hold: {column, op, value}. Dates may be 2023, 2023-Q2, 2023-05 or 2023-05-17.",
  items: {
    type: "object",
    properties: {
      column: { type: "string" },
      op: { type: "string", enum: [...filterOps] },
      value: {
        description: "A list for in, not_in and between; absent for is_null and is_not_null.",
      },
    },
    required: ["column", "op"],
    additionalProperties: false,
  },
} as const

const names = { type: ["string", "array"], items: { type: "string" } }

/** Parameters of every chart; unnamed columns are chosen by type. */
export const chartParams = (x: string) => ({
  type: "object",
  properties: {
    x: { type: "string", role: "x", description: x },
    y: {
      ...names,
      role: "y",
      description: "The number or numbers to draw; each gets its own panel.",
    },
    color: { type: "string", role: "color", description: "The column that makes the series." },
    facet: {
      type: "string",
      role: "facet",
      description: "The column that makes panels side by side.",
    },
    title: {
      type: "string",
      role: "title",
      description: "A title; made from the columns unless given.",
    },
  },
  additionalProperties: false,
})
