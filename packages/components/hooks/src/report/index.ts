/** Reports on experiments, and keys of kept assignments, for hosts. */
export {
  reportExperiment,
  type ExperimentReport,
  type Exposure,
  type VariantReport,
} from "./reportExperiment.ts"
export type { Experiment, Experiments } from "../experiments/Experiment.ts"
export { COLLECTION as ASSIGNMENTS, keysOf } from "../experiments/assignVariant.ts"
export type { Interval } from "./statistics.ts"
