/** What a workflow's test file says, as plain data: durations in milliseconds, defaults filled in. */
import type { FailureClass, Json, JsonObject, Usage } from "@planloom/plugin/effect"
import type { Past } from "@planloom/language"
import type { Variant } from "./Variant.ts"

export interface WorkflowTest {
  /** Path of the workflow, relative to the test file. */
  readonly workflow: string
  readonly tests: ReadonlyArray<TestCase>
}

export interface TestCase {
  /** A sentence of behaviour. */
  readonly name: string
  readonly given: TestGiven
  readonly expect: TestExpect
}

/** Besides, how the workflow is read; the process's environment switches nothing in a test. */
export interface TestGiven extends Partial<Variant> {
  /** The workflow's inputs. Paths in them mean what they mean to a run: relative to the working folder. */
  readonly inputs: JsonObject
  /** The user of the run, for a workflow that declares one. */
  readonly user?: JsonObject | undefined
  /** The conversation before the run; without it the run is a turn of none. */
  readonly session?: Past | undefined
  /** Replies in order, by the id of a stage or reviewer or by model alias; own replies go before those of the alias. */
  readonly models: { readonly [stageOrReviewerOrAlias: string]: ReadonlyArray<ScriptedReply> }
  /** Folder of a recording that answers instead of the models and tools, relative to the test file. */
  readonly cassette?: string | undefined
  /** By tool name: results, or `real` to call it. Without, a tool that may write fails, and any other is called. */
  readonly tools: { readonly [tool: string]: ToolStub | "real" }
  /** What people answer, in order. An approval that none is for is given; any other question stays open. */
  readonly answers?: ReadonlyArray<ScriptedAnswer> | undefined
}

/** The answer to one question, which is named by its own name or by the stage that asks: exactly one of them. */
export interface ScriptedAnswer {
  readonly name?: string | undefined
  readonly stage?: string | undefined
  readonly value: Json
}

/** One reply of a model: exactly one of `text`, `json`, `chunks`, `tool_calls` and `fail`. */
export interface ScriptedReply {
  readonly text?: string | undefined
  /** Sent as JSON text. */
  readonly json?: Json | undefined
  /** Text in pieces, as a stream gives it. */
  readonly chunks?: ReadonlyArray<string> | undefined
  readonly tool_calls?: ReadonlyArray<ScriptedToolCall> | undefined
  readonly fail?: ScriptedFailure | undefined
  readonly reasoning?: string | undefined
  /** Whether the text ends because it reached its maximum length. */
  readonly cut?: boolean | undefined
  /** Milliseconds before the reply begins. */
  readonly delay?: number | undefined
  /** Kept for a request that contains this text, in its system prompt or messages. */
  readonly when?: string | undefined
  readonly usage?: Usage | undefined
}

export interface ScriptedToolCall {
  readonly name: string
  readonly arguments: JsonObject
}

export interface ScriptedFailure {
  readonly class: FailureClass
  readonly message?: string | undefined
  readonly detail?: Json | undefined
  /** Milliseconds the service asks to be left alone. */
  readonly retry_after?: number | undefined
}

/** What a tool gives instead of running: the same for every call, or in order. */
export interface ToolStub {
  readonly result?: Json | undefined
  /** One per call; one call more is an error. */
  readonly results?: ReadonlyArray<Json> | undefined
  readonly fail?: ScriptedFailure | undefined
  /** Milliseconds before each answer. */
  readonly delay?: number | undefined
}

export interface TestExpect {
  readonly status: "succeeded" | "failed" | "cancelled" | "clarification"
  /** CEL over `outputs, stages, prompts, calls, usage, events, failure, status, degraded, notes`. */
  readonly assert: ReadonlyArray<string>
  /** Ids of requirements, written by hand, that a step of the plan must cover: `metrics:revenue`. */
  readonly requirements: ReadonlyArray<string>
  /** Codes the workflow must be refused with; then nothing runs. */
  readonly diagnostics: ReadonlyArray<string> | undefined
  /** Name of a golden of the outputs. */
  readonly snapshot: string | undefined
}
