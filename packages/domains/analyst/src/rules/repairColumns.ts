/** Repairs column names that differ by case, separators or a typo. */
import { isObject, nearest, propertiesOf } from "@planloom/planning"
import type { Repair } from "@planloom/planning"
import type { CalledTool, Json, JsonObject } from "@planloom/plugin/effect"
import { roleOf } from "./ToolRoles.ts"
import type { Role } from "./ToolRoles.ts"

/** Roles whose values are names of columns. */
export const columnRoles: ReadonlyArray<Role> = [
  "metrics",
  "column",
  "columns",
  "group_by",
  "time_column",
  "x",
  "y",
  "color",
  "facet",
  "order_by",
  "within",
]

type Rename = (name: string, path: string) => string

/** The same value with every name of a column passed through `rename`. */
const mapNames = (role: Role | undefined, value: Json, path: string, rename: Rename): Json => {
  if ((role === "filters" || role === "part" || role === "having") && Array.isArray(value)) {
    return value.map((item: Json, at) =>
      isObject(item) && typeof item.column === "string"
        ? { ...item, column: rename(item.column, `${path}.${at}.column`) }
        : item,
    )
  }
  if (role === undefined || !columnRoles.includes(role)) return value
  if (typeof value === "string") return rename(value, path)
  if (!Array.isArray(value)) return value
  return value.map((item: Json, at) =>
    typeof item === "string" ? rename(item, `${path}.${at}`) : item,
  )
}

const mapColumns = (tool: CalledTool, params: JsonObject, rename: Rename): JsonObject => {
  const role = new Map(propertiesOf(tool).map(([name, schema]) => [name, roleOf(name, schema)]))
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      mapNames(role.get(name), value, `params.${name}`, rename),
    ]),
  )
}

export const repairColumns = (
  tool: CalledTool,
  params: JsonObject,
  columns: ReadonlyArray<string>,
): { readonly params: JsonObject; readonly repairs: ReadonlyArray<Repair> } => {
  const repairs: Array<Repair> = []
  const renamed = mapColumns(tool, params, (name, path) => {
    if (columns.includes(name)) return name
    const meant = nearest(name, columns)
    if (meant === undefined) return name
    const why = `the table has no column ${name}`
    repairs.push({ path, from: name, to: meant, why, rule: "column_name" })
    return meant
  })
  return { params: renamed, repairs }
}
