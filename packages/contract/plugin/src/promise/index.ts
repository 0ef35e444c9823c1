/** Contract for plugin authors in promise style: async functions, and contexts whose members return promises. */
export { eventKind, type EventKind } from "../EventKind.ts"
export {
  ModelFailed,
  StageFailed,
  ToolFailed,
  type Failure,
  type FailureClass,
} from "../Failure.ts"
export type { Finding, StageFinding } from "../Finding.ts"
export type { PointId, Points } from "../HookPoint.ts"
export type { Json, JsonObject, JsonSchema } from "../Json.ts"
export { manifestOf } from "../Manifest.ts"
export type { Message, ModelPart, ModelReply, ModelRequest } from "../Model.ts"
export type { Ask, Showing } from "../ModelClient.ts"
export type { Components, Plugin } from "../Plugin.ts"
export type { Known, Problem, Reference } from "../Reference.ts"
export type { Draft } from "../Review.ts"
export type { IndexDocument } from "../SearchIndex.ts"
export { StoreFailed } from "../StoreFailed.ts"
export { AnswerRefused, type Question } from "../Wait.ts"
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
