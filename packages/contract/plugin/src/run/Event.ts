/** Events of a run, as plain data; the result of a run is a fold over them. */
import type { Entity } from "./CallRecord.ts"
import type { Assignment } from "./Assignment.ts"
import type { FailureRecord } from "./Failure.ts"
import type { Finding, ReportedFinding, Verdict } from "../component/Finding.ts"
import type { PointId } from "../component/HookPoint.ts"
import type { JsonPatch } from "../value/JsonPatch.ts"
import type { Json, JsonObject } from "../value/Json.ts"
import type { LoopStop } from "./LoopStop.ts"
import type { FinishReason, ReplyRepair } from "../component/Model.ts"
import type { Correction, Reviewed } from "../component/Review.ts"
import type { Repair } from "../component/Repair.ts"
import type { Usage } from "./Usage.ts"
import type { Wait } from "./Wait.ts"
import { isPathWithin, itemAt } from "./Segment.ts"

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
      /** The session that the run is a turn of. */
      readonly session?: string
    })
  /** The session's turns and state were loaded. */
  | (At & {
      readonly type: "SessionOpened"
      readonly session: string
      /** Number of runs saved in it before this one. */
      readonly version: number
      readonly turns: number
      /** State keys that no longer fit the workflow's schema and were reset. */
      readonly reset?: ReadonlyArray<string>
      /** The run of the turn before, which is not among the turns: its later reviews did not end. */
      readonly unreviewed?: string
    })
  /** A run was resumed: after a kill, after a cancellation, or with an answer. */
  | (At & {
      readonly type: "RunResumed"
      /** 2 the first time. */
      readonly epoch: number
      /** Who resumed it; absent if a worker did so by itself. */
      readonly by?: string
    })
  /** The run is reset to a stage: earlier events at the paths in `again` are void, see `isVoid`. */
  | (At & {
      readonly type: "RunReset"
      readonly from: string
      readonly again: ReadonlyArray<string>
      readonly since: number
    })
  /** A new run that starts with the recorded work of another run up to a stage. */
  | (At & { readonly type: "RunForked"; readonly of: string; readonly from: string })
  /** The run resumes with another definition; events that no longer apply are void, see `isVoid`. */
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
      /** Strategy used, if the kind has more than one. */
      readonly strategy?: "model" | "mechanical"
    })
  | (AtStage & {
      readonly type: "StageFailed"
      readonly failure: FailureRecord
      readonly attempts: number
      /** How the workflow handles the failure. */
      readonly onError: "fail" | "continue" | "fallback"
    })
  | (AtStage & {
      readonly type: "AttemptFailed"
      readonly attempt: number
      readonly failure: FailureRecord
      /** Milliseconds until the next attempt. */
      readonly delay: number
    })
  /** A kind fell back to its mechanical strategy; the run is marked as degraded. */
  | (AtStage & { readonly type: "Degraded"; readonly failure: FailureRecord })
  /** A search went by words alone, because it got no vectors; the run is marked as degraded. */
  | (AtStage & {
      readonly type: "SearchDegraded"
      readonly failure: FailureRecord
      /** Absent where it went without vectors. */
      readonly without?: "rerank"
    })
  | (AtStage & { readonly type: "IterationStarted"; readonly iteration: number })
  | (AtStage & {
      readonly type: "IterationFinished"
      readonly iteration: number
      readonly done: boolean
      readonly carry: JsonObject
    })
  /** A `repeat` has its output. */
  | (AtStage & {
      readonly type: "LoopEnded"
      /** Whole rounds, whose last one the output is from. */
      readonly iterations: number
      readonly stopped: LoopStop
      /** Of the round that failed, with `on_round_error: keep`; the run is marked as degraded. */
      readonly failure?: FailureRecord
    })
  | (AtStage & {
      readonly type: "AssertionFailed"
      readonly that: string
      readonly message: string
      /** The stage to rerun and the number of reruns so far; absent if the run fails. */
      readonly rerun?: { readonly stage: string; readonly count: number; readonly max: number }
    })
  | (AtStage & {
      readonly type: "ModelCalled"
      readonly model: string
      /** The name under `models:` that the stage, or its reviewer, asks. */
      readonly alias?: string
      /** Of the model of an embedder or a reranker. */
      readonly operation?: "embeddings" | "rerank"
      /** Of a reviewer's model: its id. Its replies are in no event and no record. */
      readonly reviewer?: string
      readonly usage: Usage
      readonly cost?: number
      readonly ms: number
      /** The reason for the end of the reply; absent for failures, embedders and rerankers. */
      readonly finish?: FinishReason
      /** The service's request id, for support requests. */
      readonly requestId?: string
      readonly failure?: FailureRecord
    })
  /** Outcome of reading a structured reply. */
  | (AtStage & {
      readonly type: "ReplyRead"
      readonly model: string
      /** Of a reply to a reviewer: its id. */
      readonly reviewer?: string
      /**
       * `direct`: valid as received. `salvaged`: after repairing its text or values. `repaired`: after asking the model
       * again. `failed`: not usable; emitted once per call.
       */
      readonly rung: "direct" | "salvaged" | "repaired" | "failed"
      /** Repairs made without the model, at most fifty. */
      readonly repairs?: ReadonlyArray<ReplyRepair>
      /** Problems of the unusable reply. */
      readonly issues?: ReadonlyArray<string>
    })
  /** A model's reasoning before its answer; not part of any output, message or prompt. */
  | (AtStage & {
      readonly type: "Reasoned"
      readonly model: string
      /** Its length: texts between spaces. */
      readonly words: number
      /** Absent where a gate reads the replies of the stage. */
      readonly text?: string
    })
  | (AtStage & {
      readonly type: "ToolCalled"
      readonly tool: string
      readonly key: string
      /** Of a call with long params, a summary of each. */
      readonly params: JsonObject
      /** One line on the result, or the message of the failure. */
      readonly summary: string
      /**
       * The tool with its params, normalized, filled and repaired, and its inputs, by digest: equal calls of a run have one
       * identity. Absent for a call that did not reach its tool.
       */
      readonly identity?: string
      /** It was not made: an equal call of the run has answered it. */
      readonly from?: "made"
      /** Name of its record, unless it is that of the first attempt. */
      readonly call?: string
      /** Repairs of the params that the stage gave. */
      readonly repairs?: ReadonlyArray<Repair>
      /** The things that the result is about, by the tool's `entities`. */
      readonly entities?: ReadonlyArray<Entity>
      /** What a reader of the result must know, by the tool's `notes`. */
      readonly notes?: ReadonlyArray<string>
      readonly ms: number
      readonly failure?: FailureRecord
      /** Set if the call was refused before the tool: unknown, with params that do not fit, or not allowed. Counts in no budget. */
      readonly refused?: true
    })
  /** Progress of a tool call; at most a few in a second. */
  | (AtStage & {
      readonly type: "ToolProgressed"
      readonly tool: string
      readonly key: string
      /** One line. */
      readonly message: string
      /** 0…1 */
      readonly fraction?: number
    })
  | (AtStage & {
      readonly type: "Progressed"
      readonly message: string
      readonly fraction?: number
    })
  /** A note recorded by a stage kind: a repair, a narrowing trace, a verdict. */
  | (AtStage & {
      readonly type: "Noted"
      readonly note: string
      readonly data: Json
      /** Of a note whose kind a plugin declares. */
      readonly audience?: "user" | "operator"
      /** One line for people, by the kind's renderer. */
      readonly text?: string
    })
  /** A hook changed something, has a finding other than `pass`, or failed. `path` and `stage` are empty outside of stages. */
  | (AtStage & {
      readonly type: "HookRan"
      readonly hook: string
      readonly point: PointId
      readonly ms: number
      /** The call that it surrounded, as the record names it. */
      readonly call: string
      /** The section, model, tool or output that it ran for. */
      readonly of?: string
      /** Fields of the draft that it changed. */
      readonly changed?: ReadonlyArray<string>
      /** From the draft before it to the one after it; applied in order of `seq`, patches give what the run used. */
      readonly patch?: JsonPatch
      readonly finding?: Finding
      readonly failure?: FailureRecord
      /** The failed hook was skipped; the run is marked as degraded. */
      readonly skipped?: true
    })
  /** A subagent or validator that a stage kind or a gate called gave its finding, or failed. */
  | (AtStage & {
      readonly type: "Reviewed"
      readonly reviewer: string
      readonly cause: Reviewed["cause"]
      /** What the review counts as, after policies; that of the finding if no gate acts on it. */
      readonly verdict?: Verdict
      readonly ms: number
      readonly finding?: ReportedFinding
      /** The kind of the failure: the review queue has the reviewer's message. */
      readonly failure?: FailureRecord
    })
  /** The stage needs an answer; the rest of the run continues as far as possible. */
  | (AtStage & { readonly type: "Asked"; readonly wait: Wait })
  | (AtStage & {
      readonly type: "Answered"
      /** Name of the question. */
      readonly name: string
      readonly kind: Wait["kind"]
      readonly value: Json
      readonly by: string
    })
  /** The run cannot continue without an answer to one of these questions. */
  | (At & { readonly type: "RunSuspended"; readonly waits: ReadonlyArray<Wait> })
  /** The host replaced texts of prompts of a workflow; the run keeps these versions when it is resumed. */
  | (At & {
      readonly type: "PromptsPinned"
      readonly workflow: string
      /** By name of the prompt. */
      readonly versions: { readonly [prompt: string]: string }
    })
  /** A tool source could not list its tools, or not all of them, when the run started: once for each source and reason. */
  | (At & {
      readonly type: "ToolListFailed"
      /** Id of the tool source. */
      readonly source: string
      /** A clause: `cannot list its tools: no route`. */
      readonly reason: string
    })
  /** The run has a variant of an experiment. */
  | (At &
      Assignment & {
        readonly type: "VariantAssigned"
        readonly workflow: string
        readonly experiment: string
      })
  /** Something in the run read the variant of an experiment that assigned the unit; once for each experiment. */
  | (At & {
      readonly type: "VariantExposed"
      readonly workflow: string
      readonly experiment: string
      readonly variant: string
      readonly unit: Assignment["unit"]
    })
  /** An output that is available before the run ends. */
  | (At & { readonly type: "OutputReady"; readonly name: string; readonly value: Json })
  /** A review that ended after the output had left. `text` is the new text, or for `append` what follows the text. */
  | (At & {
      readonly type: "OutputCorrected"
      readonly name: string
      /** 2 for the first correction of an output: once for each output and revision. */
      readonly revision: number
      readonly action: Correction["action"]
      readonly text?: string
    })
  | (At & {
      readonly type: "RunFinished"
      readonly outputs: JsonObject
    })
  | (At & {
      readonly type: "RunFailed"
      readonly failure: FailureRecord
      /** Outputs of a run that failed only because its session had changed meanwhile. */
      readonly outputs?: JsonObject
    })
  | (At & { readonly type: "RunCancelled"; readonly reason: string })

export type RunEventType = RunEvent["type"]

/** The place of an event in its run. */
interface Placed {
  readonly seq: number
  readonly path?: string
  readonly iteration?: number
}

/**
 * Whether a reset or migration made the event void: it belongs to one of the paths or is nested in it, or has at
 * least the sequence number `since` and belongs to a stage around one.
 */
export const isVoid = (
  { iteration, path: at, seq }: Placed,
  { again, since }: { readonly again: ReadonlyArray<string>; readonly since: number },
): boolean => {
  if (at === undefined) return false
  const occurrence = iteration === undefined ? at : itemAt(at, iteration)
  return again.some(
    (path) => isPathWithin(occurrence, path) || (seq >= since && isPathWithin(path, at)),
  )
}

/** An event as emitted; the engine adds `seq` and `at`. */
export type Untimed<E> = E extends unknown ? Omit<E, "seq" | "at"> : never
