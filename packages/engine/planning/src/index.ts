/** Planning without a domain: requirements, plans, and their checks, repairs and changes. Pure. */
export { planOf, uncoveredIds } from "./plan/Adaptation.ts"
export type { Adaptation } from "./plan/Adaptation.ts"
export { adaptTemplate } from "./plan/adaptTemplate.ts"
export type { TemplateRequest } from "./plan/adaptTemplate.ts"
export { applyModifications } from "./plan/applyModifications.ts"
export type { OrderViolation } from "./plan/checkOrder.ts"
export { checkValue } from "./repair/checkValue.ts"
export type { ValueMismatch } from "./repair/checkValue.ts"
export { chooseTemplate, scoreTemplate } from "./plan/chooseTemplate.ts"
export { coverage } from "./plan/coverage.ts"
export { pruneSteps } from "./plan/pruneSteps.ts"
export { coverageCodes, coverageSchema } from "./plan/CoverageReport.ts"
export type { Coverage, CoverageIssue } from "./plan/CoverageReport.ts"
export { diffPlans } from "./plan/diffPlans.ts"
export { planningDomain } from "./DomainRules.ts"
export type { AdaptRequest, CallRules, DataRules, DomainRules } from "./DomainRules.ts"
export { editDistance, toleratedTypos } from "./repair/editDistance.ts"
export { fuseNarrowing } from "./fuseNarrowing.ts"
export type { Kept, Narrowing, NarrowingInput, Ranking } from "./fuseNarrowing.ts"
export { isObject } from "./Json.ts"
export { sameJson } from "@planloom/schema"
export { lintCodes, type LintCode, type LintIssue } from "./plan/LintIssue.ts"
export { lintPlan, type LintOptions } from "./plan/lintPlan.ts"
export { modificationSchema, modificationsSchema } from "./plan/Modification.ts"
export type { Modification, Modified, Rejected } from "./plan/Modification.ts"
export { nearest, suggest } from "./repair/nearest.ts"
export type { OrderRule, ToolPattern } from "./plan/OrderRule.ts"
export {
  completePlan,
  eachSchema,
  mostCalls,
  planSchema,
  EACH_LIMIT,
  SOURCE,
  stepSchema,
  writtenPlanSchema,
} from "./plan/Plan.ts"
export type { Each, Plan, Step, WrittenPlan } from "./plan/Plan.ts"
export type { PlanTemplate, TemplateStep } from "./plan/PlanTemplate.ts"
export {
  ancestorsOf,
  dataDependencies,
  parallelLevels,
  topologicalOrder,
} from "./plan/planGraph.ts"
export { notServed, plainRules, serviceOf } from "./plan/PlanRules.ts"
export type { PlanRules, Serves, Service, Situation } from "./plan/PlanRules.ts"
export { repairRules } from "./repair/Repair.ts"
export type { Repair, RepairRule } from "./repair/Repair.ts"
export { repairParams } from "./repair/repairParams.ts"
export type { Repaired } from "./repair/repairParams.ts"
export { repairInputs, repairStep } from "./repair/repairStep.ts"
export type { RepairedStep } from "./repair/repairStep.ts"
export {
  matchesPattern,
  needsStep,
  readRequirements,
  requirementListSchema,
} from "./Requirement.ts"
export type { Requirement } from "./Requirement.ts"
export {
  can,
  findTool,
  plannedTool,
  propertiesOf,
  refusesUndeclared,
  requiredOf,
  slotsOf,
} from "./Tool.ts"
export type { PropertySchema, Slot } from "./Tool.ts"
export { nameClash, stepCalls, type StepCall } from "./plan/stepCalls.ts"
export {
  parsePath,
  replaceReferences,
  valueOfPath,
  type StepReference,
} from "./plan/StepReference.ts"
export { toolDocument } from "./toolDocument.ts"
export { freeId, lastStep, reads, redirect, wireByType } from "./plan/wiring.ts"
