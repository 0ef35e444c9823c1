/** The compiled workflow: all names bound, all expressions compiled, stages ordered. */
import type {
  Bound,
  Domain,
  EventKind,
  Gate,
  BuiltIndex,
  IndexDocument,
  ModelFailed,
  TextEmbedder,
  TextReranker,
  Json,
  JsonObject,
  JsonSchema,
  StageKind,
  Subagent,
  Validator,
} from "@planloom/plugin/effect"
import type { Effect } from "effect/Effect"
import type { CompiledExpression, CompiledValue } from "@planloom/expression"
import type { Validate } from "@planloom/schema"
import type {
  Budget,
  Concurrency,
  Definition,
  FlagValue,
  RetryPolicy,
  Schedule,
  Example,
  ListProblem,
  LiveTools,
  ToolRegistry,
} from "@planloom/language"
import type { Facts } from "@planloom/plugin/facts"
import type { PromptTable, StageExamples, StagePrompt } from "@planloom/prompt"
import type { HookPlan, ReviewerHooks } from "./HookPlan.ts"
import type { PipelineLimits } from "./limits.ts"
import type { ModelRegistry } from "./ModelRegistry.ts"
import type { ResolvedModel } from "./resolveModel.ts"

export interface Pipeline {
  readonly name: string
  readonly definition: Definition
  readonly inputs: Inputs
  /** Values of flags, as expressions read them. */
  readonly flags: { readonly [name: string]: FlagValue }
  /** What the user of a run must fit; undefined for a workflow without users. */
  readonly user: PipelineUser | undefined
  readonly main: Block
  readonly finally: Block
  /** Ids of all stages, inner ones too. */
  readonly stageIds: ReadonlyArray<string>
  /** How expressions see these stages before any has run. */
  readonly notRun: { readonly [id: string]: { readonly outcome: "skipped" } }
  readonly session: PipelineSession | undefined
  /** What starts its runs where it is served. */
  readonly triggers: PipelineTriggers | undefined
  readonly outputs: ReadonlyArray<PipelineOutput>
  /** Outputs that are emitted before the run has ended. */
  readonly early: ReadonlyArray<EarlyOutput>
  /** Outputs that are reviewed after they have left. */
  readonly reviewed: ReadonlyArray<ReviewedOutput>
  /** Milliseconds for the whole run. */
  readonly timeout: number | undefined
  readonly budget: Budget | undefined
  readonly concurrency: Concurrency | undefined
  /** As they were when the workflow was loaded. */
  readonly tools: ToolRegistry
  /** Set if they may change; a run uses a snapshot. */
  readonly liveTools: LiveTools | undefined
  /** Tool sources some of whose tools were missing when the workflow was loaded. */
  readonly listProblems: ReadonlyArray<ListProblem>
  readonly domains: ReadonlyArray<Domain>
  readonly subagents: ReadonlyMap<string, Subagent>
  readonly validators: ReadonlyMap<string, Validator>
  /** Of its own sections or those of its project. */
  readonly gate: Gate | undefined
  /** Whether it, one of its stages or a workflow that they run has a gate. */
  readonly isGated: boolean
  /** Whether it, or a workflow that its stages run, has a stage whose calls equal calls of other stages may answer. */
  readonly reusesCalls: boolean
  /** Sections of the workflow and its project that give expressions values. */
  readonly sections: ReadonlyArray<PipelineSection>
  /** Hooks at the points of a whole run; undefined without any. */
  readonly hooks: HookPlan | undefined
  /** Kinds of events that plugins declare, by name. */
  readonly events: ReadonlyMap<string, EventKind>
  /** Contents of the files under `use.files`, by kind. */
  readonly files: ReadonlyMap<string, ReadonlyArray<Json>>
  readonly index: WorkflowIndex | undefined
  /** An embedder that a tool source names. */
  readonly embedder: (id: string) => TextEmbedder | undefined
  /** A reranker that a tool source names. */
  readonly reranker: (id: string) => TextReranker | undefined
  readonly prompts: PromptTable
  /** By name. */
  readonly documents: ReadonlyMap<string, PipelineDocument>
  /** Undefined when calls are not limited. */
  readonly limits: PipelineLimits | undefined
  /** Folders and files that its runs may read: absolute paths. */
  readonly roots: ReadonlyArray<string>
  /** The models that the stages call at present. */
  readonly models: ModelRegistry
  /** The model of a reviewer, by its id and the model that it names; undefined leaves it that of its stage. */
  readonly reviewerModel?: (
    reviewer: string,
    model: string | undefined,
  ) => ResolvedModel | undefined
  /** What is known of models, by name. */
  readonly facts: Facts
  /** Workflows that stages run, by path as written. */
  readonly workflows: ReadonlyMap<string, Pipeline>
}

/** A text that stages read by a call of a tool. */
export interface PipelineDocument {
  readonly tool: string
  readonly params: CompiledValue
  /** The member of the result that is the text. */
  readonly field: string | undefined
}

/** The index that the workflow names, else the only one of its plugins, with the workflow's embedder. */
export interface WorkflowIndex {
  readonly build: (documents: ReadonlyArray<IndexDocument>) => Effect<BuiltIndex, ModelFailed>
  /** Without the embedder. */
  readonly buildByWords: WorkflowIndex["build"]
  /** Name of the embedder's model; undefined when searches go by words alone. */
  readonly embedder: string | undefined
}

export interface Inputs {
  readonly schema: JsonSchema
  readonly defaults: JsonObject
  readonly validate: Validate
}

export interface PipelineUser {
  readonly schema: JsonSchema
  readonly validate: Validate
}

export interface PipelineOutput {
  readonly name: string
  readonly value: CompiledValue
  /** As written. */
  readonly source: string
  /** Emitted before the run ends. */
  readonly early: boolean
  /** Parts of it reach the host while its stage writes it. */
  readonly stream: boolean
  readonly schema: JsonSchema
  readonly validate: Validate
}

/** An output and the ids of the stages that must have ended before it is what it will be. */
export interface EarlyOutput {
  readonly output: PipelineOutput
  readonly after: ReadonlySet<string>
}

/** An output with the stages that write it and whose gates review texts that have left. */
export interface ReviewedOutput {
  readonly output: PipelineOutput
  readonly stages: ReadonlyArray<ReviewedNode>
}

export interface ReviewedNode {
  readonly node: Node & { readonly work: KindWork }
  readonly after: NonNullable<Gate["after"]>
  /** Milliseconds that `after` takes at most. */
  readonly afterMs: number
  /** Its own id and those of the stages around it, outermost first. */
  readonly ids: ReadonlyArray<string>
  /** Of its outermost stage in the workflow. */
  readonly position: number
}

/** Values that a section of a plugin gives expressions under its key. */
export interface PipelineSection {
  readonly key: string
  readonly variables: Bound["variables"]
  /** In place of `variables`. */
  readonly variants: Bound["variants"]
  readonly validate: Validate
}

export interface PipelineTriggers {
  readonly schedules: ReadonlyArray<
    Pick<Schedule, "cron" | "zone" | "missed"> & {
      /** Over `schedule`. */
      readonly inputs: CompiledValue
    }
  >
  readonly webhook:
    | {
        /** Names of the secrets that sign requests; each of them is accepted. */
        readonly secrets: ReadonlyArray<string>
        /** Of the request's body. */
        readonly validate: Validate
        /** Over `body`. */
        readonly inputs: CompiledValue
      }
    | undefined
}

/** What a turn of a conversation leaves behind. */
export interface PipelineSession {
  readonly window: number
  /** Undefined for a session that drops older turns. */
  readonly compact: PipelineCompaction | undefined
  /** Entities of tool results that are kept. */
  readonly entities: number
  readonly request: CompiledValue
  readonly assistant: CompiledValue
  readonly state: ReadonlyArray<PipelineState>
  /** What expressions see as `session` in a run without one. */
  readonly none: JsonObject
  /** The input through which the user speaks, when `request` reads exactly one. */
  readonly message: string | undefined
}

export interface PipelineCompaction {
  readonly after: number
  readonly maxTokens: number
  /** The stage of the model that summarizes; undefined for a mechanical summary. */
  readonly block: Block | undefined
}

export interface PipelineState {
  readonly name: string
  readonly initial: Json
  readonly value: CompiledValue
  readonly schema: JsonSchema
  readonly validate: Validate
}

/** Stages that belong together. `needs[i]` lists the nodes that node `i` waits for; undefined means one after another. */
export interface Block {
  readonly nodes: ReadonlyArray<Node>
  readonly needs: ReadonlyArray<ReadonlyArray<number>> | undefined
}

/** One stage. */
export interface Node {
  readonly id: string
  readonly work: KindWork | BlockWork
  readonly condition: CompiledExpression | undefined
  readonly forEach: NodeForEach | undefined
  readonly assertions: ReadonlyArray<NodeAssertion>
  readonly onError: "fail" | "continue" | "fallback"
  readonly fallback: KindWork | undefined
  /** Undefined when nothing is declared: the way without timers or counters. */
  readonly policy: NodePolicy | undefined
  /** Of its own sections, or else of those of its workflow. */
  readonly gate: Gate | undefined
  /** Its own sections that give expressions values. */
  readonly sections: ReadonlyArray<PipelineSection>
  /** Hooks at the points of its attempts and calls; undefined without any. */
  readonly hooks: HookPlan | undefined
  /** Hooks around the model calls of its reviewers; undefined without any. */
  readonly reviewerHooks: ReviewerHooks | undefined
}

export interface NodePolicy {
  /** Per attempt, in milliseconds. */
  readonly timeout: number | undefined
  /** The first whose `on` holds the failure's class and that has retries left decides. */
  readonly retries: ReadonlyArray<RetryPolicy>
  readonly budget: Budget | undefined
  readonly concurrency: Concurrency | undefined
  /** Whether it applies to each attempt alone: nothing is held or counted across them. */
  readonly perAttempt: boolean
}

/** A stage kind at work. */
export interface KindWork {
  readonly type: "kind"
  readonly kind: StageKind
  readonly uses: string
  /** The kind with its plugin, if that is known: `acme/charge`. */
  readonly component: string
  readonly with: CompiledValue
  /** The documents that its `with` reads; undefined for none. */
  readonly documents: ReadonlySet<string> | "all" | undefined
  /** Paths of the workflows that its literal `with` names. */
  readonly workflows: ReadonlyArray<string>
  /** Conditions of its own in `with`, by key. */
  readonly conditions: ReadonlyMap<string, CompiledExpression>
  /** Undefined when `with` is all literals that `check` has seen to fit. */
  readonly validateInput: Validate | undefined
  readonly validateOutput: Validate
  readonly outputSchema: JsonSchema
  /** What it asks at the next call: the registry may swap it. */
  readonly model: ResolvedModel | undefined
  /** What the stage says of sending replies back; undefined leaves it to its model. */
  readonly repair: boolean | undefined
  /** Field of its output that is its reply. */
  readonly text: string | undefined
  /** Names of the outputs that its reply is streamed to. */
  readonly streams: ReadonlyArray<string>
  readonly prompt: StagePrompt | undefined
  readonly examples: NodeExamples | undefined
}

/** What the model of a stage is shown before the question. */
export interface NodeExamples extends StageExamples {
  readonly file: string
  readonly examples: ReadonlyArray<Example>
}

/** Stages inside a stage. */
export interface BlockWork {
  readonly type: "block"
  readonly block: Block
  readonly repeat: NodeRepeat | undefined
  /** Set if one of the stages runs, not all of them. */
  readonly branch: NodeBranch | undefined
}

export interface NodeForEach {
  readonly in: CompiledExpression
  readonly as: string
  readonly maxParallel: number
}

export interface NodeRepeat {
  readonly carry: CompiledValue
  readonly until: CompiledExpression
  readonly next: CompiledValue
  /** The greatest number of iterations that there can be. */
  readonly maxIterations: number
  /** The number in force; undefined where it is constant. */
  readonly iterations: CompiledExpression | undefined
  readonly onExhausted: "fail" | "continue"
  readonly onRoundError: "fail" | "keep"
  readonly onNoNewCall: "continue" | "end"
}

export interface NodeBranch {
  readonly on: CompiledExpression
  /** Values of `on` by the position of their stages; null for any other value. */
  readonly cases: ReadonlyArray<string | null>
}

export interface NodeAssertion {
  readonly that: CompiledExpression
  readonly source: string
  readonly message: CompiledValue | undefined
  /** Index of the node to go back to, in the same block. */
  readonly rerun: { readonly node: number; readonly id: string; readonly max: number } | undefined
}
