/** Whether a tool can do an analysis with some arguments. */
import { can } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import type { Analysis } from "../requirements/Requirements.ts"
import { hasRole } from "./ToolRoles.ts"
import { does, functionsOf } from "./serves.ts"

export const canAnalyze = (tool: Tool, analysis: Analysis): boolean => {
  if (functionsOf[analysis] !== undefined && hasRole(tool, "agg")) return true
  switch (analysis) {
    case "trend":
      return can(tool, "trend", "time_series") || hasRole(tool, "time_grain")
    case "filter":
      return hasRole(tool, "filters")
    case "compare":
      return does(tool, analysis) || hasRole(tool, "group_by")
    case "ranking":
      return does(tool, analysis) || hasRole(tool, "order")
    default:
      return does(tool, analysis)
  }
}
