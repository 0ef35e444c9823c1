/** Doubles for models and tools, the runner of workflow tests, conformance suites, goldens. */
export { scriptedProvider, type ScriptedProvider } from "./double/scriptedProvider.ts"
export {
  stubTools,
  type ListedStub,
  type StubbedCall,
  type StubSource,
} from "./double/stubTools.ts"
export type { ScriptedFailure, ScriptedReply, ScriptedToolCall, ToolStub } from "@planloom/core"
