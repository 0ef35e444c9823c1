/** The analyst plugin, and its parts for hosts that plan over tables without a workflow. */
export { default } from "./plugin.ts"
export { adaptPlan } from "./adapt/adaptPlan.ts"
export type { AdaptInput } from "./adapt/AdaptInput.ts"
export { defaultVocabulary } from "./language/vocabulary/defaultVocabulary.ts"
export { extractRequirements } from "./language/extractRequirements.ts"
export type { Extraction } from "./language/extractRequirements.ts"
export { extendVocabulary, vocabularySchema } from "./language/vocabulary/Vocabulary.ts"
export type { Vocabulary, VocabularyFile } from "./language/vocabulary/Vocabulary.ts"
export { vocabularyKind } from "./language/vocabulary/vocabularyKind.ts"
export { vocabularyOf } from "./language/vocabulary/vocabularyOf.ts"
export { listRequirements } from "./requirements/listRequirements.ts"
export type { TableRequirement } from "./requirements/listRequirements.ts"
export { normalizeRequirements } from "./requirements/normalizeRequirements.ts"
export {
  analyses,
  askedGrains,
  noRequirements,
  outputs,
  requirementsSchema,
} from "./requirements/Requirements.ts"
export type { Analysis, Constraint, Output, Requirements } from "./requirements/Requirements.ts"
export { coverTablePlan, lintTablePlan } from "./rules/checkTablePlan.ts"
export { tables } from "./tables.ts"
