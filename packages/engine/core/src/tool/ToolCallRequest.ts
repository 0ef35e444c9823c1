/** One call of a tool by a stage, its name in the record, and the record that hooks and stages see of it. */
import type { Effect } from "effect/Effect"
import type {
  Answer,
  CallRecord,
  FailureRecord,
  GiveText,
  Json,
  JsonObject,
  ModelClient,
  Question,
  Repair,
  RepairParams,
  StageFailed,
  TextEmbedder,
  TextReranker,
  ToolFailed,
  ToolInvocation,
  ToolReuse,
  Wait,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { ToolRegistry } from "@planloom/language"
import type { EmbeddingObserver } from "../pipeline/EmbeddingObserver.ts"
import type { CallSite } from "../model/CallSite.ts"
import type { CallIdentity } from "./identity/CallIdentity.ts"
import type { Making } from "./Making.ts"
import type { StageCalls } from "./identity/StageCalls.ts"
import { entitiesOf, notesOf, summarize, type ExpressionFault } from "./ToolExpressions.ts"

/** The model of a stage for one call of a tool. */
export interface ToolModel {
  readonly client: ModelClient
  /** Records the events of its calls; undefined if it has made none. */
  readonly keep: () => Effect<Json> | undefined
}

/** An attempt as its tool calls see it. */
export interface ToolSite extends CallSite {
  readonly workspace: string
  readonly roots: ReadonlyArray<string>
  readonly user: JsonObject
  readonly variant: ToolInvocation["variant"]
  /** Words to end users. */
  readonly text: GiveText
  /** For tools: their calls are recorded as a whole. */
  readonly toolIndex: ToolInvocation["index"]
  /** An embedder whose calls count as a part of the tool call of this key. */
  toolEmbedder(id: string, key: string): TextEmbedder | undefined
  /** The same for a reranker. */
  toolReranker(id: string, key: string): TextReranker | undefined
  /** Tool calls of the run so far, also those of this attempt that a resumed run has not replayed yet. */
  readonly runCalls: ReadonlyArray<CallRecord>
  /** The session as expressions of the workflow see it. */
  readonly session: JsonObject
  /** The inputs of the workflow. */
  readonly inputs: JsonObject
  /** The calls that may answer those of the attempt; undefined inside a call. */
  readonly toolCalls: StageCalls | undefined
  /** Adds a tool call, at the place of its number, to those that hooks and stages see. */
  readonly called: (call: CallRecord, number: number, identity: CallIdentity | undefined) => void
  /** Records what is computed without a call of a service; no cassette has it. */
  keep<A extends Json>(name: string, computed: Effect<A, ToolFailed>): Effect<A, ToolFailed>
  /** The model for the call of this name; undefined for a stage without one. */
  modelAt(name: string): ToolModel | undefined
  /** Names the tool while its code executes, to a host that follows it. */
  placed<A, E>(source: string, tool: string, call: () => Effect<A, E>): Effect<A, E>
  /** Limits the time of a call, without that in which it asks a person. */
  within<A>(
    call: Effect<A, ToolFailed>,
    ms: number,
    late: () => StageFailed,
  ): Effect<A, ToolFailed | StageFailed>
  /** Puts a question to a person; without an answer the attempt is suspended. */
  put(wait: Wait): Effect<{ readonly wait: Wait; readonly answer: Answer }, StageFailed>
  /** What the call shows to a person, after the gate of its stage. The same value if nothing in it was changed. */
  shown<A extends Json>(
    value: A,
  ): Effect<{ readonly value: A; readonly isBlocked: boolean }, StageFailed>
  /** The same for what a call shows under a name of its own: nothing else of the attempt counts it. */
  shownAs<A extends Json>(
    name: string,
    value: A,
  ): Effect<{ readonly value: A; readonly isBlocked: boolean }, StageFailed>
  /** Asks the person who is there now, from the call of this name. */
  askNow(question: Question, name: string): Effect<Answer, StageFailed>
}

/** What becomes known of a call on its way is set in place: a copy would take longer than all else that a step does. */
export interface ToolCallRequest {
  readonly site: ToolSite
  readonly registry: ToolRegistry
  readonly tool: string
  params: JsonObject
  readonly inputs: JsonObject
  /** Unique within the attempt. */
  readonly key: string
  /** Among the calls of the attempt. */
  readonly number: number
  /** Repairs params that are normalized and filled. */
  readonly repair?: RepairParams | undefined
  /** Which calls of the run may answer it; those of earlier attempts of its stage unless given. */
  readonly reuse?: ToolReuse | undefined
  /** Set once it may be made. */
  making: Making | undefined
  /** Made by `repair`. */
  repairs: ReadonlyArray<Repair>
  /** Of its record, once that was asked for. */
  name: string | undefined
  /** Waits for a person's approval even if the tool does not need one. */
  readonly approve?: boolean
  /** Language of what the end user is asked; the user's unless given. */
  readonly language: string | undefined
  /** Of a call that was read from free text: whether every word of the text has a use. */
  readonly settled: boolean | undefined
  /** The words that have none. */
  readonly open?: ReadonlyArray<string>
  /** The stage's own reason against the call. */
  readonly refusal?: Pick<FailureRecord, "class" | "message" | "detail"> | undefined
  /** Counts the calls of an embedder. */
  readonly observer: EmbeddingObserver | undefined
}

export const nameOf = (request: ToolCallRequest): string =>
  (request.name ??= below(request.site.attemptPath, "tool", request.key))

/** The record of a call that succeeded, without its identity. */
export const callRecord = (
  request: ToolCallRequest,
  result: Json,
  onFault?: (request: ToolCallRequest, fault: ExpressionFault) => void,
): { -readonly [K in keyof CallRecord]: CallRecord[K] } => {
  const { key, making, params, registry, repairs, site, tool: name } = request
  const tool = registry.get(name)?.tool
  const { fault, summary } = summarize(tool, params, result)
  const noted = notesOf(tool, params, result)
  const { entities, faults: ofEntities } = entitiesOf(tool, params, result)
  const record: { -readonly [K in keyof CallRecord]: CallRecord[K] } = {
    tool: name,
    params,
    key,
    path: site.path,
    ok: true,
    summary,
    result,
  }
  if (making?.from !== undefined) record.from = making.from
  if (repairs.length > 0) record.repairs = repairs
  if (entities.length > 0) record.entities = entities
  if (noted.notes.length > 0) record.notes = noted.notes
  if (onFault !== undefined) {
    if (fault !== undefined) onFault(request, fault)
    if (noted.fault !== undefined) onFault(request, noted.fault)
    for (const one of ofEntities) onFault(request, one)
  }
  return record
}
