/** What of a run's events its user gets; everything else is for operators. */
import type { RunEvent } from "./Event.ts"
import { failureClasses, type FailureRecord } from "./Failure.ts"

/**
 * The event as the user of the run gets it: what is shown to them, and how far the run has come. Values that only stages,
 * tools and operators read are left out. Undefined for an event of operators alone: `seq` then has gaps.
 */
export const userEvent = (event: RunEvent): RunEvent | undefined => {
  switch (event.type) {
    case "StageFinished":
      return { ...event, output: null }
    case "IterationFinished":
      return { ...event, carry: {} }
    case "StageFailed":
      return { ...event, failure: named(event.failure) }
    case "LoopEnded":
      return event.failure === undefined ? event : { ...event, failure: named(event.failure) }
    case "RunFailed":
      return { ...event, failure: worded(event.failure) }
    case "Noted":
      return event.audience === "user" ? event : undefined
    case "RunStarted":
    case "SessionOpened":
    case "RunResumed":
    case "RunReset":
    case "RunForked":
    case "RunMigrated":
    case "StageStarted":
    case "StageSkipped":
    case "IterationStarted":
    case "Progressed":
    case "ToolProgressed":
    case "Asked":
    case "Answered":
    case "RunSuspended":
    case "OutputReady":
    case "OutputCorrected":
    case "RunFinished":
    case "RunCancelled":
      return event
    case "AttemptFailed":
    case "Degraded":
    case "SearchDegraded":
    case "AssertionFailed":
    case "ModelCalled":
    case "ReplyRead":
    case "Reasoned":
    case "ToolCalled":
    case "HookRan":
    case "Reviewed":
    case "PromptsPinned":
    case "ToolListFailed":
    case "VariantAssigned":
    case "VariantExposed":
      return undefined
  }
}

/** Its class, in words. */
const named = ({ class: failure, stage }: FailureRecord): FailureRecord => ({
  class: failure,
  message: failureClasses[failure],
  ...(stage === undefined ? {} : { stage }),
})

/** With the message of the run, and the suggested answers of a question. */
const worded = (failure: FailureRecord): FailureRecord => ({
  ...named(failure),
  message: failure.message,
  ...(failure.class === "clarification" && failure.detail !== undefined
    ? { detail: failure.detail }
    : {}),
})
