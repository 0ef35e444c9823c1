/** Tools: what the catalog says of one, and the source that runs them. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, StageFailed, ToolFailed } from "./Failure.ts"
import type { Json, JsonObject, JsonSchema } from "./Json.ts"
import type { BuiltIndex, IndexDocument } from "./SearchIndex.ts"

/**
 * What is known of a tool without running it. Catalog files and tool sources both give these;
 * a catalog entry adds to what its source says and wins where both speak.
 */
export interface Tool {
  readonly name: string
  /** One line: what it does. This is what a planner reads. */
  readonly summary: string
  /** What it can be asked for: `aggregate`, `plot`, `time_series` … Free words; planning matches on them. */
  readonly capabilities: ReadonlyArray<string>
  /** Data it takes from earlier steps: slot name → data type (`table`, `chart` …). Filled by reference only. */
  readonly inputs: { readonly [slot: string]: string }
  /** Arguments a planner writes: JSON Schema of an object. `role` on a property says what fills it. */
  readonly params: JsonSchema
  /** Data types it gives, the main one first. */
  readonly outputs: ReadonlyArray<string>
  readonly group?: string
  readonly when_to_use?: string
  /** Utterances that should find this tool. */
  readonly examples?: ReadonlyArray<string>
  /** Extra words for retrieval and matching. */
  readonly keywords?: ReadonlyArray<string>
  /** Asks a person before it runs. */
  readonly needs_approval?: boolean
  readonly timeout?: string
  /** Path of its TOOL.md, when the catalog has one. */
  readonly docs?: string
}

/** One call, as the source sees it. */
export interface ToolInvocation {
  readonly tool: string
  /** Checked against the tool's `params` before the source sees it. */
  readonly params: JsonObject
  /** Results of earlier steps, by slot. Never written by a model. */
  readonly inputs: JsonObject
  /** (run, path): the same on a replay, so a source can use it as an idempotency key. */
  readonly key: string
  /**
   * The run's own folder, for the files it writes: the same when the run is resumed, never that of another run,
   * and removed when the run is pruned. Created on first use by the source.
   */
  readonly workspace: string
  /** Builds the workflow's index, for a source that searches. Fails where no plugin brings one. */
  readonly index: (
    documents: ReadonlyArray<IndexDocument>,
  ) => Effect<BuiltIndex, ModelFailed | StageFailed>
  /** Says how far it is: 0…1, or undefined when unknown. */
  readonly progress: (message: string, fraction?: number) => Effect<void>
}

/**
 * Where tools come from. `list` may be asked often and must be cheap; `call` must obey
 * interruption, must return plain data and must treat every param as data.
 */
export interface ToolSource {
  readonly id: string
  readonly summary: string
  readonly list: Effect<ReadonlyArray<Tool>, ToolFailed>
  readonly call: (invocation: ToolInvocation) => Effect<Json, ToolFailed>
}
