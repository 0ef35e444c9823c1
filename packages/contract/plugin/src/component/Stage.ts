/** Stage kinds: the units of work of a workflow, and the context they use. */
import type { Effect } from "effect/Effect"
import type { Asks, AsksOf } from "./Asks.ts"
import type { Domain } from "./Domain.ts"
import type { Failure, FailureRecord, StageFailed, ToolFailed } from "../run/Failure.ts"
import type { BuildIndex } from "./SearchIndex.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { StageFinding } from "./Finding.ts"
import type { Content } from "./Model.ts"
import type { ModelClient } from "./ModelClient.ts"
import type { ReviewDraft, ReviewUse } from "./Review.ts"
import type { Problem, Reference } from "./Reference.ts"
import type { CallRecord } from "../run/CallRecord.ts"
import type { Repair, RepairParams } from "./Repair.ts"
import type { GiveText } from "../value/Texts.ts"
import type { Tool, ToolReuse } from "./Tool.ts"
import type { Answer, Question } from "../run/Wait.ts"

/** Reason for which an assertion reruns this stage. */
export interface Feedback {
  /** The asserting stage. */
  readonly stage: string
  readonly message: string
  /** That stage's whole output: for `cover`, the error payload. */
  readonly output: Json
  /** 1 on the first rerun. */
  readonly count: number
}

/** A question the stage failed with earlier, and its answer. */
export interface Clarified {
  readonly question: string
  readonly answer: Json
}

/** A call as it would be made. */
export interface PreparedCall {
  /** Normalized, filled and repaired, in this order. */
  readonly params: JsonObject
  readonly repairs: ReadonlyArray<Repair>
  /** One sentence on what does not fit the tool's schema; undefined if the call would be made. */
  readonly problem?: string
}

/**
 * Everything a stage may use: no globals, clock or direct network access. All effects that are not a pure function
 * of recorded values are here and are recorded.
 */
export interface StageContext {
  readonly run: string
  /** The path of this occurrence. */
  readonly path: string
  /** The run's user, typed by the workflow's `user:`; empty for a workflow without one. */
  readonly user: JsonObject
  /** The variant of an experiment that this run has, the same throughout; undefined if the workflow has no such experiment. */
  readonly variant: (experiment: string) => string | undefined
  /** The workflow's words to end users, in the user's language. */
  readonly text: GiveText
  /** 1 on the first try. */
  readonly attempt: number
  /** Failure of the previous attempt. */
  readonly previous: FailureRecord | undefined
  readonly feedback: Feedback | undefined
  /** Questions this stage failed with (class `clarification`) and their answers, in order. */
  readonly answers: ReadonlyArray<Clarified>
  readonly model: ModelClient
  /** Tool calls of the run so far: those of other stages as they ended, without `result`, then those of this one as they started. */
  readonly calls: ReadonlyArray<CallRecord>
  /** Every tool that the workflow can reach and that is available, in declared order. */
  readonly tools: ReadonlyArray<Tool>
  /** One recorded, validated, budgeted tool call. `key` must be unique in this stage. */
  readonly callTool: (call: {
    readonly tool: string
    readonly params: JsonObject
    readonly inputs?: JsonObject
    readonly key: string
    /** Repairs the params once they are normalized and filled, before they are checked. */
    readonly repair?: RepairParams
    /**
     * `run`: an equal call that the run has made answers it, for kinds with `reuses`. `never`: it is made, unless a retry
     * would repeat a write.
     */
    readonly reuse?: ToolReuse
    /** Waits for a person's approval even if the tool does not need one. */
    readonly approve?: boolean
    /** Language of the conversation: of the approval, and of the tool's texts; the user's unless given. */
    readonly language?: string
    /**
     * For a call that was read from free text: whether every word of the text has a use. A call with `false` of a tool
     * that writes is refused unless a person approves it. Absent for a call that the workflow's author wrote.
     */
    readonly settled?: boolean
    /** The words that have none, for the refusal and the approval. */
    readonly open?: ReadonlyArray<string>
    /** The stage's own reason against the call: it is recorded and fails with this, and the tool is not called. */
    readonly refusal?: Pick<FailureRecord, "class" | "message" | "detail">
  }) => Effect<Json, ToolFailed>
  /** The params that a call would be made with, and why it would be refused. Nothing is called or recorded. */
  readonly prepareCall: (call: {
    readonly tool: string
    readonly params: JsonObject
    readonly repair?: RepairParams
  }) => Effect<PreparedCall>
  /** The domains of the declared plugins, in declared order. */
  readonly domains: ReadonlyArray<Domain>
  /** Contents of the files of a kind under `use.files`, in declared order. */
  readonly files: (kind: string) => ReadonlyArray<Json>
  readonly index: BuildIndex
  /** Runs another workflow by path, relative to this one; its events are part of this run. */
  readonly workflow: (path: string, inputs: JsonObject) => Effect<JsonObject, StageFailed>
  /** Whether the condition under a key of `with` holds; false if it is not written. Kinds declare them as `conditions`. */
  readonly holds: (key: string, variables: JsonObject) => Effect<boolean, StageFailed>
  /**
   * Reviews a text with subagents and validators of the declared plugins, beside each other, as one recorded call.
   * Returns the findings in the order of the uses, without the reviewers' words; fails if one of them fails, or has a
   * verdict or a rule that it does not declare.
   */
  readonly review: (
    uses: ReadonlyArray<ReviewUse>,
    draft: ReviewDraft,
  ) => Effect<ReadonlyArray<StageFinding>, StageFailed>
  /**
   * An image in a file inside the roots or the folder of the run, as content of a message: its digest is recorded, and its data is read
   * when a request is sent. A relative path starts at the working folder, else at the first root that has the file. Fails
   * with class `invalid_request` for another file.
   */
  readonly image: (path: string) => Effect<Content, StageFailed>
  /** Records any other effect under a name unique in this stage. */
  readonly step: <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect<A, E, R>,
  ) => Effect<A, E, R>
  /**
   * Asks a person and returns the answer. Without an immediate answer the run is suspended: this attempt ends, and
   * starts again once there is an answer; recorded effects are not repeated. Fails with class `timeout` if the
   * question expires without a default.
   */
  readonly ask: (question: Question) => Effect<Answer, StageFailed>
  /** Epoch milliseconds, recorded. */
  readonly now: Effect<number>
  /**
   * Waits until an epoch time in milliseconds. In a store, a long wait suspends the run like a question, and a worker
   * resumes it in time.
   */
  readonly sleepUntil: (time: number) => Effect<void, StageFailed>
  /** 0 ≤ x < 1, recorded. */
  readonly random: Effect<number>
  /** A new unique id, recorded. */
  readonly id: Effect<string>
  readonly progress: (message: string, fraction?: number) => Effect<void>
  /** `shown` says for whom the note is, and gives its line for people; a declared event kind does so itself. */
  readonly note: (
    note: string,
    data: Json,
    shown?: {
      readonly audience: "user" | "operator"
      readonly text: string
      /** Data and text are words of the workflow's author, so that no gate reads them. */
      readonly isAuthored?: true
      /** The author's words in place of a text that a gate blocks, or cannot read. */
      readonly otherwise?: string
      /** Schema of the data, which holds after a review has changed a text in it, too. */
      readonly schema?: JsonSchema
    },
  ) => Effect<void>
}

/**
 * An implementation of a stage's work. `input` is the stage's `with`, evaluated and validated. Must be interruptible
 * and close what it opens (`Effect.scoped`, `Effect.acquireUseRelease`).
 */
export type Strategy<Input = never> = (input: Input, context: StageContext) => Effect<Json, Failure>

/**
 * A stage kind. Implement `run`, or `model` and/or `mechanical`. With both, the model strategy is used if the stage
 * has a model; `otherwise: mechanical` falls back if no model is configured or available, or the budget is spent, and
 * marks the run as degraded. Name the file after the id.
 */
export interface StageKind<Input = never> {
  readonly id: string
  readonly summary: string
  /** JSON Schema (an object) of `with`. Unknown keys are errors. `default`s are filled in. */
  readonly input: JsonSchema
  /**
   * By key of `with`: the JSON Schema that its value must fit beside `input`, such as the params of the tool that another
   * key names. `check` compares them; in a run, what receives the value does.
   */
  readonly expects?: (
    literals: JsonObject,
    receivers: ReceiverSchemas,
  ) => { readonly [key: string]: JsonSchema | undefined }
  /** JSON Schema of the output, or a function of those parts of `with` that are plain values in the YAML. */
  readonly output: JsonSchema | ((literals: JsonObject, known: KnownSchemas) => JsonSchema)
  readonly run?: Strategy<Input>
  readonly model?: Strategy<Input>
  readonly mechanical?: Strategy<Input>
  /**
   * The output field that holds what a call with `parts: "reply"` writes: the text of `model.text`, or the value of
   * `model.json`. A function of the literal `with` if not every use of the kind has one.
   */
  readonly streams?: string | ((literals: JsonObject) => string | undefined)
  /**
   * The output if a gate blocks the request before `mechanical` runs; `text` is for the user. An object with the field of
   * `streams` unless declared.
   */
  readonly refused?: (text: string, input: Input) => JsonObject
  /**
   * The output if a gate blocks the text that `mechanical` has written; `text` is for the user, and `changes` whether a tool
   * call of the stage has changed something. The written output with `text` in the field of `streams` unless declared.
   */
  readonly blocked?: (
    text: string,
    input: Input,
    written: JsonObject,
    changes: boolean,
  ) => JsonObject
  /**
   * It asks no model: its output holds a text of a model only if its `with`, or a workflow that it runs, does. Gates review
   * what a stage of any other kind shows.
   */
  readonly relays?: true
  /**
   * The most that an attempt asks models, for `planloom plan`. Without it, the figures of a workflow that uses the kind are
   * lower limits. A pure function; a kind that asks nothing gives `{}`.
   */
  readonly asks?: (known: AsksOf) => Asks
  /**
   * The output of every attempt, where `with` alone decides it: `planloom plan` then knows it before the run. A pure
   * function.
   */
  readonly foresees?: (input: Input) => Json
  /**
   * Whether it calls tools with `reuse: run`, by its `with` as written: the results of all calls are then kept until the run
   * ends.
   */
  readonly reuses?: (written: JsonObject) => boolean
  /** When it builds an index with `context.index`: in every use, or only in `mechanical`. `check` reports a use where no plugin has one. */
  readonly searches?: "always" | "mechanical"
  /** Ids of the sections that its requests add to the workflow's prompt; `check` compares the filters of hooks with them. */
  readonly sections?: ReadonlyArray<string>
  /** JSON Schema of the `vars` that its requests give to prompts; none unless declared. `check` types what prompts read of them. */
  readonly vars?: JsonSchema
  /**
   * Names in `with` that must exist; workflows among them are checked, too. Receives the entries of `with` that are
   * plain values in the YAML, also if they do not match `input`, and the whole `with` as written.
   */
  readonly refers?: (literals: JsonObject, written: JsonObject) => ReadonlyArray<Reference>
  /**
   * Keys of `with` that are CEL conditions, for the kind to evaluate by `context.holds`, and the variables that each may
   * read besides those of its stage. A condition inside the value of a key is named by its path: `agents.0.when`. Their
   * schema is a string of format `cel`.
   */
  readonly conditions?: (
    literals: JsonObject,
    written: JsonObject,
  ) => {
    readonly [key: string]: { readonly [variable: string]: JsonSchema }
  }
  /** Problems that no schema can express, of the `with` as written, also if it does not match `input`. */
  readonly check?: (written: JsonObject) => ReadonlyArray<Problem>
}

/** Schemas of what `with` names and holds. */
export interface KnownSchemas {
  /** Of the value under a key of `with`, as its expressions are typed; undefined in a run, where they are not typed. */
  readonly given: (key: string) => JsonSchema | undefined
  /** Of the outputs of a workflow. */
  readonly workflow: (path: string) => JsonSchema | undefined
  /** Of the result of a tool; undefined if the tool declares none. */
  readonly toolResult: (name: string) => JsonSchema | undefined
}

/** Schemas of what receives values of a `with`, as objects; undefined for what the workflow does not have. */
export interface ReceiverSchemas {
  /** Of the params of a tool, before its `normalize`. */
  readonly tool: (name: string) => JsonSchema | undefined
  /** Of the inputs of a workflow. */
  readonly workflow: (path: string) => JsonSchema | undefined
}

/** Declares a stage kind; `Input` types `run`'s first argument and must agree with `input`. */
export const stageKind = <Input>(kind: StageKind<Input>): StageKind => kind as StageKind
