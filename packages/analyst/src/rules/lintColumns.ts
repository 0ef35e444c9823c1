/** Lints column names against the table that a step reads. */
import type { Json, Tool } from "@planloom/plugin/effect"
import { isObject, propertiesOf, suggest } from "@planloom/planning"
import type { LintIssue, Plan, Step } from "@planloom/planning"
import type { DataProfile } from "@planloom/tables"
import { namesIn, roleOf, valueOf } from "./ToolRoles.ts"
import { columnsOf } from "./columnsAt.ts"
import { columnRoles } from "./repairColumns.ts"

/** The columns in a call's conditions. */
const filteredBy = (tool: Tool, step: Step): ReadonlyArray<string> => {
  const filters = valueOf(tool, step.params, "filters")
  return Array.isArray(filters)
    ? filters.flatMap((one: Json) =>
        isObject(one) && typeof one.column === "string" ? [one.column] : [],
      )
    : []
}

export const lintColumns = (
  step: Step,
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  profile: DataProfile,
): ReadonlyArray<LintIssue> => {
  const columns = columnsOf(plan, step, tools, profile)
  if (columns.open) return []
  return [...columnRoles, "filters" as const].flatMap((role) => {
    const param = propertiesOf(tool).find(([name, schema]) => roleOf(name, schema) === role)
    return namesIn(tool, step.params, [role])
      .concat(role === "filters" ? filteredBy(tool, step) : [])
      .filter((name) => !columns.names.includes(name))
      .map((name): LintIssue => ({
        code: "unknown_column",
        step: step.id,
        path: `params.${param?.[0] ?? role}`,
        message: `the table has no column ${name} here; it has ${columns.names.join(", ")}`,
        ...suggest(name, columns.names),
      }))
  })
}
