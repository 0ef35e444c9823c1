/** Doubles for models and tools, the runner of workflow tests, conformance suites, goldens. */
export { scriptedProvider, type ScriptedProvider } from "./double/scriptedProvider.ts"
export {
  stubTools,
  type ListedStub,
  type StubbedCall,
  type StubSource,
} from "./double/stubTools.ts"
export type { ScriptedFailure, ScriptedReply, ScriptedToolCall, ToolStub } from "@planloom/core"
export { runWorkflowTest, type WorkflowTestOptions } from "./workflow/runWorkflowTest.ts"
export {
  passed,
  type TestFailure,
  type TestFileReport,
  type TestResult,
} from "./workflow/TestReport.ts"
export { count, type TestCounts } from "./report/count.ts"
export { json } from "./report/json.ts"
export { junit } from "./report/junit.ts"
export { pretty, type PrettyOptions } from "./report/pretty.ts"
