/** What happens in a run, as plain data; the result of a run is a fold over these. */
import type { FailureRecord } from "./Failure.ts"
import type { Json, JsonObject } from "./Json.ts"
import type { ReplyRepair, Usage } from "./Model.ts"
import type { Wait } from "./Wait.ts"

interface At {
  /** 0, 1, 2 … within the run, without gaps. */
  readonly seq: number
  /** Epoch milliseconds of the engine's clock. */
  readonly at: number
}

/** `path` names a stage occurrence: `plan`, `work[2]/results`, `rows[7]`; reruns add `~2`. */
interface AtStage extends At {
  readonly path: string
  /** The stage's id as written in the YAML. */
  readonly stage: string
}

export type RunEvent =
  | (At & {
      readonly type: "RunStarted"
      readonly run: string
      readonly workflow: string
      readonly inputs: JsonObject
      /** The session it is a turn of. */
      readonly session?: string
    })
  /** What the session brings into the run. */
  | (At & {
      readonly type: "SessionOpened"
      readonly session: string
      /** How many runs were kept in it before this one. */
      readonly version: number
      readonly turns: number
      /** State that no longer fits what the workflow says, and begins anew. */
      readonly reset?: ReadonlyArray<string>
    })
  /** A run begun earlier goes on: after a kill, after it was cancelled, or with an answer. */
  | (At & {
      readonly type: "RunResumed"
      /** 2 the first time. */
      readonly epoch: number
    })
  /** The run is reset to a stage: earlier events at the paths in `again` are void, see `isVoid`. */
  | (At & {
      readonly type: "RunReset"
      readonly from: string
      readonly again: ReadonlyArray<string>
      readonly since: number
    })
  /** A new run that has taken over what another one had done before a stage. */
  | (At & { readonly type: "RunForked"; readonly of: string; readonly from: string })
  /** The run goes on with another definition; what no longer holds is void, see `isVoid`. */
  | (At & {
      readonly type: "RunMigrated"
      readonly again: ReadonlyArray<string>
      readonly since: number
    })
  | (AtStage & { readonly type: "StageStarted"; readonly uses: string })
  | (AtStage & { readonly type: "StageSkipped"; readonly reason: string })
  | (AtStage & {
      readonly type: "StageFinished"
      readonly output: Json
      readonly attempts: number
      /** Which way it was done, when the kind has more than one. */
      readonly strategy?: "model" | "mechanical"
    })
  | (AtStage & {
      readonly type: "StageFailed"
      readonly failure: FailureRecord
      readonly attempts: number
      /** What the workflow does about it. */
      readonly onError: "fail" | "continue" | "fallback"
    })
  | (AtStage & {
      readonly type: "AttemptFailed"
      readonly attempt: number
      readonly failure: FailureRecord
      /** Milliseconds until the next attempt. */
      readonly delay: number
    })
  /** A kind fell back to its mechanical strategy; the run's answer says so. */
  | (AtStage & { readonly type: "Degraded"; readonly failure: FailureRecord })
  | (AtStage & { readonly type: "IterationStarted"; readonly iteration: number })
  | (AtStage & {
      readonly type: "IterationFinished"
      readonly iteration: number
      readonly done: boolean
      readonly carry: JsonObject
    })
  | (AtStage & {
      readonly type: "AssertionFailed"
      readonly that: string
      readonly message: string
      /** The stage the run goes back to, with how often it has by now; absent when the run fails. */
      readonly rerun?: { readonly stage: string; readonly count: number; readonly max: number }
    })
  | (AtStage & {
      readonly type: "ModelCalled"
      readonly model: string
      readonly usage: Usage
      readonly cost?: number
      readonly ms: number
      /** The service's own name of the request, for asking it about one. */
      readonly requestId?: string
      readonly failure?: FailureRecord
    })
  /** What came of a reply that was to be JSON of a shape. */
  | (AtStage & {
      readonly type: "ReplyRead"
      readonly model: string
      /**
       * As it was; after mending its text or values; after asking the model once more; or not at all. A
       * model that is asked in vain is told once, as failed.
       */
      readonly rung: "direct" | "salvaged" | "repaired" | "failed"
      /** What was mended without asking, at most fifty. */
      readonly repairs?: ReadonlyArray<ReplyRepair>
      /** What was wrong with the reply that could not be used. */
      readonly issues?: ReadonlyArray<string>
    })
  /** What a model said to itself before its answer: no output, message or prompt holds it. */
  | (AtStage & { readonly type: "Reasoned"; readonly model: string; readonly text: string })
  | (AtStage & {
      readonly type: "ToolCalled"
      readonly tool: string
      readonly key: string
      readonly ms: number
      readonly failure?: FailureRecord
    })
  | (AtStage & {
      readonly type: "Progressed"
      readonly message: string
      readonly fraction?: number
    })
  /** Something a stage kind wants on record: a repair, a narrowing trace, a verdict. */
  | (AtStage & { readonly type: "Noted"; readonly note: string; readonly data: Json })
  /** The stage needs an answer; the rest of the run goes on as far as it can without it. */
  | (AtStage & { readonly type: "Asked"; readonly wait: Wait })
  | (AtStage & {
      readonly type: "Answered"
      /** Of the question. */
      readonly name: string
      readonly kind: Wait["kind"]
      readonly value: Json
      readonly by: string
    })
  /** Nothing more can be done without an answer to one of these. */
  | (At & { readonly type: "RunSuspended"; readonly waits: ReadonlyArray<Wait> })
  /** An output that is told before the run has ended. */
  | (At & { readonly type: "OutputReady"; readonly name: string; readonly value: Json })
  | (At & {
      readonly type: "RunFinished"
      readonly outputs: JsonObject
    })
  | (At & {
      readonly type: "RunFailed"
      readonly failure: FailureRecord
      /** Of a run that had them and failed all the same: its session has gone on without it. */
      readonly outputs?: JsonObject
    })
  | (At & { readonly type: "RunCancelled"; readonly reason: string })

export type RunEventType = RunEvent["type"]

/**
 * Whether a run that has gone back tells this event again: it happened at one of the paths or inside of it,
 * or, after the number `since`, to a stage around one.
 */
export const isVoid = (
  event: RunEvent,
  { again, since }: { readonly again: ReadonlyArray<string>; readonly since: number },
): boolean => {
  if (!("path" in event)) return false
  const place = "iteration" in event ? `${event.path}[${event.iteration}]` : event.path
  return again.some(
    (path) => isPathWithin(place, path) || (event.seq >= since && isPathWithin(path, event.path)),
  )
}

/** `work[2]/results` is within `work`, `work[2]` and itself; so is what is recorded below it, and its later rounds. */
export const isPathWithin = (path: string, outer: string): boolean =>
  path.startsWith(outer) && (path.length === outer.length || "/[~".includes(path[outer.length]!))

/** An event as the one who tells it writes it; the engine adds `seq` and `at`. */
export type Untimed<E> = E extends unknown ? Omit<E, "seq" | "at"> : never
