/** Lints column names against the table that a step reads. */
import type { Json, Tool } from "@planloom/plugin/effect"
import { isObject, propertiesOf, suggest } from "@planloom/planning"
import type { LintIssue, Plan, Step } from "@planloom/planning"
import type { DataProfile } from "@planloom/tables"
import { namesIn, roleOf, valueOf } from "./ToolRoles.ts"
import type { Role } from "./ToolRoles.ts"
import { columnsOf } from "./columnsAt.ts"
import { columnRoles } from "./repairColumns.ts"

const conditions = ["filters", "part", "having"] as const

/** The columns in a call's conditions. */
const testedBy = (tool: Tool, step: Step, role: Role): ReadonlyArray<string> => {
  const filters = conditions.some((one) => one === role)
    ? valueOf(tool, step.params, role)
    : undefined
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
  return [...columnRoles, ...conditions].flatMap((role) => {
    const param = propertiesOf(tool).find(([name, schema]) => roleOf(name, schema) === role)
    return namesIn(tool, step.params, [role])
      .concat(testedBy(tool, step, role))
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
