/** Whether a tool could do an analysis at all, whatever its arguments will be. */
import type { Analysis } from "./Requirements.ts"
import { does, functionsOf } from "./serves.ts"
import { can, hasRole } from "./Tool.ts"
import type { Tool } from "./Tool.ts"

export const canAnalyse = (tool: Tool, analysis: Analysis): boolean => {
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
