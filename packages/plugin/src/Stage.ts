/** Stage kinds: the units of work a workflow is written in, and what one may use while it works. */
import type { Effect } from "effect/Effect"
import type { Domain } from "./Domain.ts"
import type { Failure, FailureRecord, ModelFailed, StageFailed, ToolFailed } from "./Failure.ts"
import type { BuiltIndex, IndexDocument } from "./SearchIndex.ts"
import type { Json, JsonObject, JsonSchema } from "./Json.ts"
import type { Message, ModelReply, ModelRequest } from "./Model.ts"
import type { Reader } from "./Reader.ts"
import type { Tool } from "./Tool.ts"
import type { Answer } from "./Wait.ts"

/** A plan template as its file says it; planning gives it meaning. */
export interface PlanTemplate {
  readonly name: string
  readonly intent: string
  /** Requirement labels this template is for, by kind; planning scores templates on them. */
  readonly match: { readonly [kind: string]: ReadonlyArray<string> }
  /** The curated tool subset. */
  readonly tools: ReadonlyArray<string>
  readonly steps: ReadonlyArray<TemplateStep>
}

export interface TemplateStep {
  readonly id: string
  readonly tool: string
  /** Slot → id of the step (or `source`, the workflow's data) whose result fills it. */
  readonly inputs: { readonly [slot: string]: string }
  readonly params: JsonObject
  /** Requirement kinds or `kind:label` this step satisfies. */
  readonly satisfies: ReadonlyArray<string>
  /** Kept only when a requirement asks for it. */
  readonly optional: boolean
}

/** A structured question to the stage's model. The engine adds model, system prompt and mode. */
export interface Ask {
  readonly messages: ReadonlyArray<Message>
  /** Appended to the assembled system prompt. */
  readonly system?: string
  readonly temperature?: number
  readonly topK?: number
  readonly seed?: number
  readonly maxTokens?: number
  /** Texts that end the reply where the model writes one of them. */
  readonly stop?: ReadonlyArray<string>
  readonly tools?: ModelRequest["tools"]
  /**
   * Where the examples stand that the workflow gives the stage: before the messages as turns (unless said otherwise);
   * at the end of the system prompt, for messages that are a conversation of their own; or nowhere, for a question
   * they are not about.
   */
  readonly examples?: "turns" | "system" | "none"
}

/** The stage's model. Each call is recorded, counted against budgets and told as an event. */
export interface ModelClient {
  /** The reply's text is without what stood in reasoning tags; `reasoning` has it. */
  readonly text: (ask: Ask) => Effect<ModelReply, ModelFailed>
  /**
   * Reads and checks the reply: mended where that is beyond doubt, asked for once more where it is not. Fails
   * with class `invalid_output` and { reply, issues, reasoning? } in `detail`.
   */
  readonly json: (
    ask: Ask,
    output: { readonly name: string; readonly schema: JsonSchema },
  ) => Effect<Json, ModelFailed>
}

/** Why an assertion sent the run back to this stage. */
export interface Feedback {
  /** The asserting stage. */
  readonly stage: string
  readonly message: string
  /** That stage's whole output: for `cover`, the error payload. */
  readonly output: Json
  /** 1 on the first rerun. */
  readonly count: number
}

/** What a kind asks a person. */
export interface Question {
  /** Unique in this stage; needed only when it asks more than one question. */
  readonly key?: string
  /** `approval` where the answer is a yes or a no to what is shown; `signal` otherwise. */
  readonly kind?: "approval" | "signal"
  readonly message: string
  /** What an answer must fit; any value unless given. */
  readonly schema?: JsonSchema
  readonly show?: Json
  readonly options?: ReadonlyArray<Json>
  /** How long an answer is taken, from now: milliseconds, or text as in workflows (`48h`). */
  readonly expires?: number | string
  readonly default?: Json
}

/** A question the stage has ended in earlier, and its answer. */
export interface Clarified {
  readonly question: string
  readonly answer: Json
}

/**
 * What a stage may use. Nothing else: no globals, no clock, no network of its own. Everything that
 * is not a pure function of recorded values is here and is recorded.
 */
export interface StageContext {
  readonly run: string
  /** The path of this occurrence. */
  readonly path: string
  /** 1 on the first try. */
  readonly attempt: number
  /** Why the attempt before failed. */
  readonly previous: FailureRecord | undefined
  readonly feedback: Feedback | undefined
  /** The questions this stage has failed with (class `clarification`) and what was answered, in order. */
  readonly answers: ReadonlyArray<Clarified>
  readonly model: ModelClient
  /** Every tool the workflow can reach, catalog and sources merged, in declared order. */
  readonly tools: ReadonlyArray<Tool>
  /** One recorded, validated, budgeted tool call. `key` must be unique in this stage. */
  readonly callTool: (call: {
    readonly tool: string
    readonly params: JsonObject
    readonly inputs?: JsonObject
    readonly key: string
  }) => Effect<Json, ToolFailed>
  readonly templates: ReadonlyArray<PlanTemplate>
  /** The domains of the declared plugins, in declared order. */
  readonly domains: ReadonlyArray<Domain>
  /** The readers of the declared plugins, in declared order. */
  readonly readers: ReadonlyArray<Reader>
  /** Contents of the files of a kind under `use.files`, in declared order. */
  readonly files: (kind: string) => ReadonlyArray<Json>
  /** Builds the workflow's index (the embedded one unless a plugin gives another). */
  readonly index: (
    documents: ReadonlyArray<IndexDocument>,
  ) => Effect<BuiltIndex, ModelFailed | StageFailed>
  /** Runs another workflow by path, relative to this one; its run is part of this run. */
  readonly workflow: (path: string, inputs: JsonObject) => Effect<JsonObject, StageFailed>
  /** Records any other effect under a name unique in this stage. */
  readonly step: <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect<A, E, R>,
  ) => Effect<A, E, R>
  /**
   * Asks a person and gives the answer, however long it takes. With nobody there the run is suspended: this
   * attempt ends here, and is begun again once there is an answer; what it has recorded is not done again.
   * Fails with class `timeout` when the question has expired and has no default.
   */
  readonly ask: (question: Question) => Effect<Answer, StageFailed>
  /** Epoch milliseconds, recorded. */
  readonly now: Effect<number>
  /** 0 ≤ x < 1, recorded. */
  readonly random: Effect<number>
  /** A new unique id, recorded. */
  readonly id: Effect<string>
  readonly progress: (message: string, fraction?: number) => Effect<void>
  readonly note: (note: string, data: Json) => Effect<void>
}

/**
 * One way to do a stage's work. `input` is the stage's `with`, evaluated and checked. Must obey
 * interruption; what it opens it must close (`Effect.scoped`, `Effect.acquireUseRelease`).
 */
export type Strategy<Input = never> = (input: Input, context: StageContext) => Effect<Json, Failure>

/**
 * A stage kind. Give `run`, or `model` and/or `mechanical`. With both, the model strategy is used when
 * the stage has a model; `otherwise: mechanical` uses the other where no model is configured, none can answer, or a
 * budget lets none be asked, and marks the run degraded.
 * The file that holds it bears its id.
 */
export interface StageKind<Input = never> {
  readonly id: string
  readonly summary: string
  /** JSON Schema (an object) of `with`. Unknown keys are errors. `default`s are filled in. */
  readonly input: JsonSchema
  /** JSON Schema of the output, or a function of those parts of `with` that are plain values in the YAML. */
  readonly output: JsonSchema | ((literals: JsonObject, known: KnownWorkflows) => JsonSchema)
  readonly run?: Strategy<Input>
  readonly model?: Strategy<Input>
  readonly mechanical?: Strategy<Input>
  /** Names of tools that a literal `with` mentions, so that `check` can say which do not exist. */
  readonly toolsOf?: (literals: JsonObject) => ReadonlyArray<string>
  /** Names of plan templates that a literal `with` mentions. */
  readonly templatesOf?: (literals: JsonObject) => ReadonlyArray<string>
  /** Ids of readers that a literal `with` mentions. */
  readonly readersOf?: (literals: JsonObject) => ReadonlyArray<string>
  /** Paths of workflows that a literal `with` mentions; they are checked along. */
  readonly workflowsOf?: (literals: JsonObject) => ReadonlyArray<string>
}

/** What `output` may ask about workflows its `with` names: the schema of their outputs. */
export interface KnownWorkflows {
  readonly workflow: (path: string) => JsonSchema | undefined
}

/** Declares a stage kind; `Input` types `run`'s first argument and must agree with `input`. */
export const stageKind = <Input>(kind: StageKind<Input>): StageKind => kind as StageKind
