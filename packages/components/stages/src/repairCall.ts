/** Repairs the params of calls outside of plans: what the schema of a tool leaves open is no mistake there. */
import type { RepairParams } from "@planloom/plugin/effect"
import { repairParams } from "@planloom/planning"

export const repairCall: RepairParams = (tool, params) =>
  repairParams(tool, params, { keepsUndeclared: true })
