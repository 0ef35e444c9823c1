/** The planning domain: requirements, tools, plans, and everything that can be said of them without doing anything. */
export { adaptPlan, planOf } from "./adaptPlan.ts"
export type { Adaptation, AdaptInput } from "./adaptPlan.ts"
export { applyModifications } from "./applyModifications.ts"
export { checkValue } from "./checkValue.ts"
export type { ValueFault } from "./checkValue.ts"
export { canAnalyse } from "./canAnalyse.ts"
export { chooseTemplate, scoreTemplate } from "./chooseTemplate.ts"
export { citeAll } from "./citations.ts"
export { columnsOf, tableSlot } from "./columnsAt.ts"
export type { Columns } from "./columnsAt.ts"
export { coverage } from "./coverage.ts"
export { coverageCodes, coverageSchema } from "./CoverageReport.ts"
export type { Coverage, CoverageCode, CoverageIssue } from "./CoverageReport.ts"
export { diffPlans } from "./diffPlans.ts"
export { editDistance, toleratedSlips } from "./editDistance.ts"
export { fuseNarrowing } from "./fuseNarrowing.ts"
export type { Kept, Narrowing, NarrowingInput, Ranking } from "./fuseNarrowing.ts"
export { isObject } from "./Json.ts"
export { lintCodes, lintPlan } from "./lintPlan.ts"
export type { LintCode, LintIssue, LintOptions } from "./lintPlan.ts"
export { modificationSchema, modificationsSchema } from "./Modification.ts"
export type { Modification, Modified, Rejected } from "./Modification.ts"
export { nearest } from "./nearest.ts"
export type { Disorder } from "./ordering.ts"
export { planSchema, SOURCE, stepSchema } from "./Plan.ts"
export type { Plan, Step } from "./Plan.ts"
export { parallelLevels, topologicalOrder } from "./planGraph.ts"
export type { PlanTemplate, TemplateStep } from "./PlanTemplate.ts"
export { repairRules } from "./Repair.ts"
export type { Repair, RepairRule } from "./Repair.ts"
export { repairParams } from "./repairParams.ts"
export { repairStep } from "./repairStep.ts"
export { listRequirements, requirementKinds } from "./Requirement.ts"
export type { Requirement, RequirementKind } from "./Requirement.ts"
export {
  analyses,
  filterOps,
  grains,
  noRequirements,
  outputs,
  requirementsSchema,
} from "./Requirements.ts"
export type {
  Analysis,
  Constraint,
  Filter,
  FilterOp,
  Grain,
  Output,
  Requirements,
} from "./Requirements.ts"
export { serves } from "./serves.ts"
export {
  aggregates,
  can,
  drawsChart,
  hasRole,
  paramOf,
  propertiesOf,
  roleOf,
  roles,
} from "./Tool.ts"
export type { Role, Tool } from "./Tool.ts"
