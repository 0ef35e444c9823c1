/** The stage that runs a tool loop, as the loop sees it. */
import type { Effect } from "effect/Effect"
import type {
  Ask,
  CallRecord,
  FailureRecord,
  Json,
  JsonObject,
  JsonSchema,
  ModelFailed,
  ModelReply,
  ModelRequest,
  Tool,
  ToolFailed,
  ToolOffer,
} from "@planloom/plugin/effect"

/** A tool as a model service is given it. */
export type Declared = NonNullable<ModelRequest["tools"]>[number]

export interface AgentSite {
  readonly path: string
  /** Undefined for a tool that the workflow does not have. */
  readonly tool: (name: string) => Tool | undefined
  /** Whether a call of the tool changes something outside the run. */
  readonly writes: (tool: Tool) => boolean
  /** The params as the call is made with them. */
  readonly prepare: (tool: Tool, params: JsonObject) => JsonObject
  /** One line on a result. */
  readonly summarize: (tool: Tool, params: JsonObject, result: Json) => string
  /** The known name nearest to an unknown one. */
  readonly suggest: (name: string, known: ReadonlyArray<string>) => string | undefined
  /** One recorded model call; what `more` gives for the offered tools is declared besides them. */
  readonly ask: (
    ask: Ask,
    more: (offers: ReadonlyArray<ToolOffer>) => ReadonlyArray<Declared>,
  ) => Effect<Asked, ModelFailed>
  /** Handles an answer that was cut at its maximum length. */
  readonly complete: (ask: Ask, reply: ModelReply) => Effect<ModelReply, ModelFailed>
  /** Reads the text of a reply as a value of the schema, or reports that it does not fit. */
  readonly read: (reply: ModelReply, schema: JsonSchema) => Effect<ReadAnswer>
  /** Adds to the record of a call what the run knows of it besides its outcome. */
  readonly complement: (record: { -readonly [K in keyof CallRecord]: CallRecord[K] }) => void
  /** Reports that the model reads the documentation of a tool. */
  readonly reportRead: (tool: string) => void
  /** One recorded tool call. */
  readonly call: (call: {
    readonly tool: string
    readonly params: JsonObject
    readonly key: string
    readonly approve: boolean
    /** The reason against the call: it is recorded with this, and fails. */
    readonly refusal?: Pick<FailureRecord, "class" | "message">
  }) => Effect<Json, ToolFailed>
}

/** A reply of one turn. */
export interface LoopReply extends ModelReply {
  /** Why its text cannot be read although it was meant as calls or as an answer. */
  readonly unread?: string
}

export type ReadAnswer = { readonly ok: true; readonly value: Json } | { readonly ok: false }

export interface Asked {
  readonly reply: LoopReply
  /** What the model was offered. */
  readonly offers: ReadonlyArray<ToolOffer>
}
