/** Planning without a domain: requirements, plans, and their checks, repairs and changes. Pure. */
export { planOf, uncoveredIds } from "./Adaptation.ts"
export type { Adaptation } from "./Adaptation.ts"
export { adaptTemplate } from "./adaptTemplate.ts"
export type { TemplateRequest } from "./adaptTemplate.ts"
export { applyModifications } from "./applyModifications.ts"
export type { OrderViolation } from "./checkOrder.ts"
export { checkValue } from "./checkValue.ts"
export type { ValueMismatch } from "./checkValue.ts"
export { chooseTemplate, scoreTemplate } from "./chooseTemplate.ts"
export { coverage } from "./coverage.ts"
export { pruneSteps } from "./pruneSteps.ts"
export { coverageCodes, coverageSchema } from "./CoverageReport.ts"
export type { Coverage, CoverageIssue } from "./CoverageReport.ts"
export { diffPlans } from "./diffPlans.ts"
export { planningDomain } from "./DomainRules.ts"
export type { AdaptRequest, CallRules, DataRules, DomainRules } from "./DomainRules.ts"
export { editDistance, toleratedTypos } from "./editDistance.ts"
export { fuseNarrowing } from "./fuseNarrowing.ts"
export type { Kept, Narrowing, NarrowingInput, Ranking } from "./fuseNarrowing.ts"
export { isObject } from "./Json.ts"
export { sameJson } from "@planloom/schema"
export { lintCodes, type LintCode, type LintIssue } from "./LintIssue.ts"
export { lintPlan, type LintOptions } from "./lintPlan.ts"
export { modificationSchema, modificationsSchema } from "./Modification.ts"
export type { Modification, Modified, Rejected } from "./Modification.ts"
export { nearest, suggest } from "./nearest.ts"
export type { OrderRule, ToolPattern } from "./OrderRule.ts"
export {
  completePlan,
  eachSchema,
  mostCalls,
  planSchema,
  EACH_LIMIT,
  SOURCE,
  stepSchema,
  writtenPlanSchema,
} from "./Plan.ts"
export type { Each, Plan, Step, WrittenPlan } from "./Plan.ts"
export type { PlanTemplate, TemplateStep } from "./PlanTemplate.ts"
export { ancestorsOf, dataDependencies, parallelLevels, topologicalOrder } from "./planGraph.ts"
export { notServed, plainRules, serviceOf } from "./PlanRules.ts"
export type { PlanRules, Serves, Service, Situation } from "./PlanRules.ts"
export { repairRules } from "./Repair.ts"
export type { Repair, RepairRule } from "./Repair.ts"
export { repairParams } from "./repairParams.ts"
export type { Repaired } from "./repairParams.ts"
export { repairInputs, repairStep } from "./repairStep.ts"
export type { RepairedStep } from "./repairStep.ts"
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
export { nameClash, stepCalls, type StepCall } from "./stepCalls.ts"
export { parsePath, replaceReferences, valueOfPath, type StepReference } from "./StepReference.ts"
export { toolDocument } from "./toolDocument.ts"
export { freeId, lastStep, reads, redirect, wireByType } from "./wiring.ts"
