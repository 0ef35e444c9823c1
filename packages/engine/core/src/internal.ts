/** Names for Planloom's own packages. They may change in any release. */
export { CallHooks } from "./hook/CallHooks.ts"
export { userOf } from "./run/surroundings/User.ts"
export { inputsOf } from "./run/InputsRejected.ts"
export { answerIssues, answerMismatch } from "./run/stage/question.ts"
export { viewOf as sessionViewOf, type Opened as OpenedSession } from "./run/session/sessionView.ts"
export { PAST, pastSession } from "./run/session/pastSession.ts"
export { stillOpen, undeclared } from "./run/session/refusedTurn.ts"
export { scrubbing } from "./run/journal/scrubbing.ts"
export { scrubber } from "./run/journal/scrub.ts"
export { effectiveEvents } from "./run/journal/effectiveEvents.ts"
export { documentParams } from "./pipeline/documentParams.ts"
export { writes } from "./tool/writes.ts"
export { isEnd } from "./run/journal/EmittedEvents.ts"
export { WORKSPACE, runFolder } from "./run/surroundings/RunFolder.ts"
export { removeRunFolders, type RemainingFolder } from "./run/surroundings/removeRunFolders.ts"
export {
  Personal,
  holdsPersonal,
  markedPersonal,
  missingPersonal,
  personalNames,
} from "./run/journal/personal.ts"
export type { Block, Node, KindWork } from "./pipeline/Pipeline.ts"
export {
  inputsKept,
  missingInputs,
  notPersonal,
  refusedInputs,
  startedWith,
  type InputIssue,
  type StartedWith,
} from "./run/journal/inputsAgain.ts"
export { digestPersonal } from "./run/journal/digestPersonal.ts"
export { runOutcome } from "./run/stage/keepFailure.ts"
export type { Place } from "./run/stage/Place.ts"
export type { ProposedSwap, Swap, SwapReason, SwapTarget } from "./pipeline/Swap.ts"
export type { CassetteCall } from "./model/Cassette.ts"
export type { ReplyCounts } from "./run/RunResult.ts"
export { hookOrder, type PointOrder } from "./pipeline/hookOrder.ts"
export { allCan, modelChoice, unsetModel, type ResolvedModel } from "./pipeline/resolveModel.ts"
