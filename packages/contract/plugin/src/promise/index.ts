/** Contract for plugin authors in promise style: async functions, and contexts whose members return promises. */
export { eventKind, type EventKind } from "../component/EventKind.ts"
export {
  ModelFailed,
  StageFailed,
  ToolFailed,
  type Failure,
  type FailureClass,
} from "../run/Failure.ts"
export type { Finding, StageFinding } from "../component/Finding.ts"
export type { PointId, Points } from "../component/HookPoint.ts"
export type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
export { manifestOf } from "../component/Manifest.ts"
export type { Message, ModelPart, ModelReply, ModelRequest } from "../component/Model.ts"
export type { Ask, Showing } from "../component/ModelClient.ts"
export type { Components, Plugin } from "../Plugin.ts"
export type { Known, Problem, Reference } from "../component/Reference.ts"
export type { Draft } from "../component/Review.ts"
export type { IndexDocument } from "../component/SearchIndex.ts"
export { StoreFailed } from "../run/StoreFailed.ts"
export { AnswerRefused, type Question } from "../run/Wait.ts"
export type { FromSchema } from "@planloom/schema"
export type { ModelClient } from "./Async.ts"
export { gate, type Gate, type GateContext } from "./Gate.ts"
export {
  hook,
  subagent,
  validator,
  type CallContext,
  type Hook,
  type Subagent,
  type Validator,
} from "./Hook.ts"
export {
  embedder,
  provider,
  reranker,
  type Embedder,
  type Provider,
  type Reranker,
} from "./Model.ts"
export {
  definePlugin,
  fileKind,
  sectionKind,
  type FileKind,
  type Host,
  type SectionKind,
} from "./Plugin.ts"
export { index, type BuiltIndex, type Index } from "./SearchIndex.ts"
export { store, type OpenedRun, type RunStore } from "./Store.ts"
export { stageKind, type StageContext, type StageKind } from "./Stage.ts"
export {
  tool,
  toolSource,
  type Tool,
  type ToolInvocation,
  type ToolPreview,
  type ToolSource,
} from "./Tool.ts"
