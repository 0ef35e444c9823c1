/** Doubles for models and tools, the runner of workflow tests, conformance suites, goldens. */
export type {
  ScriptedFailure,
  ScriptedReply,
  ScriptedToolCall,
  ToolStub,
} from "./file/WorkflowTest.ts"
export { scriptedProvider, type ScriptedProvider } from "./double/scriptedProvider.ts"
export {
  stubTools,
  type ListedStub,
  type StubbedCall,
  type StubSource,
} from "./double/stubTools.ts"
export {
  wireServer,
  type WireRequest,
  type WireServer,
  type WireServerOptions,
} from "./double/wire/wireServer.ts"
export type { RawAnswer, WireAnswer, WireFault } from "./double/wire/WireAnswer.ts"
export { keepPassing } from "./workflow/keepPassing.ts"
export { runWorkflowTest, type WorkflowTestOptions } from "./workflow/runWorkflowTest.ts"
export {
  passed,
  type TestFailure,
  type TestFileReport,
  type TestResult,
  judgementsIn,
  predictionsIn,
} from "./workflow/TestReport.ts"
export {
  exampleCases,
  runExample,
  type ExampleCase,
  type ExampleOutcome,
} from "./examples/runExample.ts"
export {
  leastRuns,
  proposedThreshold,
  thresholdRows,
  type ThresholdRow,
  type ThresholdRun,
} from "./evaluation/thresholds.ts"
export {
  expectationJudge,
  type ExpectationJudge,
  type Expected,
  type RecordedResult,
} from "./evaluation/expectationJudge.ts"
export { evaluationName } from "./evaluation/prepareEvaluation.ts"
export { runEvaluation, type EvaluationOptions } from "./evaluation/runEvaluation.ts"
export type { EndedRun, EvaluationProgress } from "./evaluation/Results.ts"
export type {
  Compared,
  EvaluationReport,
  FailedRun,
  Figures,
  GateResult,
} from "./evaluation/EvaluationReport.ts"
export {
  evaluationBaselineText,
  readEvaluationBaselines,
  type EvaluationBaselines,
} from "./evaluation/Baseline.ts"
export { readsBaseline } from "./evaluation/judgeGates.ts"
export { evaluationJson, evaluationPassed } from "./report/evaluationJson.ts"
export { evaluationJunit } from "./report/evaluationJunit.ts"
export { count, type TestCounts } from "./report/count.ts"
export { json } from "./report/json.ts"
export { junit } from "./report/junit.ts"
export { pretty, type PrettyOptions } from "./report/pretty.ts"
export {
  baselineText,
  readBaseline,
  regressions,
  type Baseline,
  type Regression,
} from "./metrics/Baseline.ts"
export {
  planningMetrics,
  tallyOf,
  type PlanningMetricName,
  type PlanningMetrics,
} from "./metrics/planningMetrics.ts"
export { sumTallies, type PlanningTally } from "./metrics/PlanningTally.ts"
export { tallyPlanning } from "./metrics/tallyPlanning.ts"
export {
  calibrationMetrics,
  type CalibrationBin,
  type CalibrationMetrics,
  type Prediction,
} from "./metrics/calibration.ts"
export {
  confidenceMetrics,
  confidenceNotes,
  judgementsOf,
  type ConfidenceMetrics,
  type ConfidenceNote,
  type Judgement,
} from "./metrics/judgements.ts"
export { replyMetrics, type ReplyMetrics } from "./metrics/replies.ts"
export { repliesText } from "./report/repliesText.ts"
export { calibrationText } from "./report/calibrationText.ts"
export { confidenceText } from "./report/confidenceText.ts"
export { metricsText } from "./report/metricsText.ts"
export { compareGolden } from "./golden/compareGolden.ts"
export { eventsText } from "./golden/eventsText.ts"
export { goldenRun } from "./golden/goldenRun.ts"
export { normaliseEvents } from "./golden/normaliseEvents.ts"
export { collectionSuite } from "./conformance/collectionSuite.ts"
export { embedderSuite } from "./conformance/embedderSuite.ts"
export { faultSuite, type FaultOptions } from "./conformance/faultSuite.ts"
export { gateSuite, type GateCase } from "./conformance/gateSuite.ts"
export { hookSuite, type HookCase } from "./conformance/hookSuite.ts"
export { indexSuite, sampleDocuments } from "./conformance/indexSuite.ts"
export {
  journalSuite,
  type JournalPlace,
  type JournalSuiteOptions,
} from "./conformance/journalSuite.ts"
export { ownerSuite, type OwnerSuiteOptions, type StorePlace } from "./conformance/ownerSuite.ts"
export {
  providerSuite,
  type AnsweringProvider,
  type ProviderSuiteOptions,
} from "./conformance/providerSuite.ts"
export { stageKindSuite, type StageKindCase } from "./conformance/stageKindSuite.ts"
export { subagentSuite, type SubagentCase } from "./conformance/subagentSuite.ts"
export { validatorSuite, type ValidatorCase } from "./conformance/validatorSuite.ts"
export { storeSuite } from "./conformance/storeSuite.ts"
export type { SuiteRunner } from "./conformance/SuiteRunner.ts"
export {
  toolSourceSuite,
  type ToolCase,
  type ToolSourceSuiteOptions,
} from "./conformance/toolSourceSuite.ts"
export { readEvaluation } from "./file/readEvaluation.ts"
export { recordCassette, replayCassette, type CassetteSettings } from "./cassette/cassettes.ts"
