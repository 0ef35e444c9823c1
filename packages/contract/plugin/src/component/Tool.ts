/** Tools: their descriptions, and the sources that run them. */
import type { Asking } from "./Asking.ts"
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { ToolFailed } from "../run/Failure.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { ModelClient } from "./ModelClient.ts"
import type { Problem } from "./Reference.ts"
import type { BuildIndex, TextEmbedder, TextReranker } from "./SearchIndex.ts"
import type { Wording } from "../value/Texts.ts"
import type { Answer, Question } from "../run/Wait.ts"

/** What a call does outside the run: nothing, only reads, or writes. */
export type ToolEffect = "none" | "read" | "write"

/**
 * Which earlier calls answer an equal call. `run`: those of the whole run. `never`: none, except that the retry of a stage
 * does not repeat a write. Without it, those of earlier attempts of the stage.
 */
export type ToolReuse = "run" | "never"

/** An embedder or reranker of the workflow that a tool calls. */
export interface SearchService {
  readonly to: "embedder" | "reranker"
  readonly id: string
  /** The most calls of it by one call of the tool; unknown unless given. */
  readonly calls?: number
}

/** A condition of each call of a tool. */
export interface Requirement {
  /** CEL over `params`, `calls` and `session`: whether the call may be made. */
  readonly that: string
  /** The reason against it, for the user and the model. */
  readonly message: Wording
}

/**
 * Description of a tool. Catalog files and tool sources both provide these; a catalog entry extends its source's
 * description and takes precedence.
 */
export interface Tool {
  readonly name: string
  /** Its name for end users, such as "Send money"; the name as words unless given. */
  readonly title?: Wording
  /** By param: its name for end users. */
  readonly labels?: { readonly [param: string]: Wording }
  /** One line on what it does, for planners. */
  readonly summary: string
  /** Capabilities: `aggregate`, `plot`, `time_series` … Free words that planning matches on. */
  readonly capabilities: ReadonlyArray<string>
  /** Data it takes from earlier steps: slot name → data type (`table`, `chart` …). Filled by reference only. */
  readonly inputs: { readonly [slot: string]: string }
  /** JSON Schema of the arguments object that a planner writes. `role` on a property defines what fills it. */
  readonly params: JsonSchema
  /** JSON Schema of the result. A call fails if its result does not fit; expressions on the result are typed by it. */
  readonly result?: JsonSchema
  /** Data types of its outputs, main one first. */
  readonly outputs: ReadonlyArray<string>
  readonly group?: string
  /** What the tools of the group are for; given by one of them, it holds for each. */
  readonly group_summary?: string
  readonly when_to_use?: string
  /** Utterances that should find this tool. */
  readonly examples?: ReadonlyArray<string>
  /** Extra words for retrieval and matching. */
  readonly keywords?: ReadonlyArray<string>
  /** Groups of words and phrases that mean the same when tools are searched: `[["invoice", "bill"]]`. */
  readonly synonyms?: ReadonlyArray<ReadonlyArray<string>>
  /**
   * By param and value: the phrases that mean the value, `{ state: { off: ["off", "disable"] } }`. A value of an `enum`
   * that is not here is meant by its own name; the values of a param without `enum` are read from words only if here.
   */
  readonly words?: { readonly [param: string]: { readonly [value: string]: ReadonlyArray<string> } }
  /** A tool without one counts as `write`. */
  readonly effect?: ToolEffect
  /** The most that a call asks models; a tool gets `invocation.model` only with it. */
  readonly asks?: ReadonlyArray<Asking>
  /** The most searches in indexes of a call; unknown unless given. */
  readonly searches?: number
  /** The embedders and rerankers that a call uses by `invocation.embedder` and `invocation.reranker`; none unless given. */
  readonly services?: ReadonlyArray<SearchService>
  /** Whether a repeated call with the same key has the effect of one. */
  readonly idempotent?: boolean
  /** Whether equal calls of the run answer its calls, whatever the stage says. */
  readonly reuse?: ToolReuse
  /** A text is the reason why the tool cannot be called now: no model is offered it, and a call fails with the text. */
  readonly available?: true | string
  /**
   * Unless false, models are offered it and plans may use it. Otherwise only an author names it, such as the text of a
   * prompt that a server keeps.
   */
  readonly offered?: boolean
  /** Requires a person's approval before it runs. */
  readonly needs_approval?: boolean
  /**
   * JSON Schema (an object) of the fields that an approval of a call shows. The source gives them by `preview`. Without one
   * an approval shows the params.
   */
  readonly approval_fields?: JsonSchema
  /** By field of an approval: its name for end users. The fields named here are shown first, in this order. */
  readonly approval?: { readonly [field: string]: Wording }
  /** What must hold when the call is made, and before a person is asked to approve it. */
  readonly requires?: ReadonlyArray<Requirement>
  readonly timeout?: string
  /** CEL over `params` and `result`: one line on a result, for events, later stages and the models of agents. */
  readonly summarize?: string
  /** CEL over `params` and `result`: texts that a reader of the result must know, such as how an ambiguous date was read. */
  readonly notes?: string
  /**
   * CEL over `params` and `result`, by type of thing: the things that a result is about, as ids, as `{ id, name }`, or
   * lists of these. Sessions carry them to later turns.
   */
  readonly entities?: { readonly [type: string]: string }
  /** CEL over `params`, by param: the value that a given param is replaced by before the call is checked. */
  readonly normalize?: { readonly [param: string]: string }
  /**
   * CEL over `params`, the workflow's `inputs`, `session` and `user`, by param: the value of a param that is left out. They
   * are evaluated after `normalize`, in order, and each reads the params that are filled so far; null fills nothing.
   */
  readonly defaults?: { readonly [param: string]: string }
  /** Path of its TOOL.md, if the catalog has one. */
  readonly docs?: string
  /** In a catalog: id of the tool source that runs it, for a tool that no source lists. */
  readonly source?: string
  /** In a catalog, with `source`: what the source runs it with, such as the request of an HTTP API. */
  readonly with?: JsonObject
}

/** Arguments of one tool call. */
export interface ToolInvocation {
  readonly tool: string
  /** Validated against the tool's `params`. */
  readonly params: JsonObject
  /** Results of earlier steps, by slot. Never written by a model. */
  readonly inputs: JsonObject
  /** Run and path: the same on a replay, so that it can serve as an idempotency key. */
  readonly key: string
  /**
   * The run's folder for output files: unchanged when the run is resumed, not shared with other runs, and deleted when
   * the run is pruned. The source creates it on first use.
   */
  readonly workspace: string
  /** Given by the host, typed by the workflow's `user:`; empty without one. Never written by a model. */
  readonly user: JsonObject
  /** The inputs of the workflow that makes the call; absent outside of a run. Never written by a model. */
  readonly runInputs?: JsonObject
  /** Language of texts for the end user: of the conversation, else the user's; undefined if neither is known. */
  readonly language?: string | undefined
  /** The variant of an experiment that this run has; undefined if the workflow has no such experiment. */
  readonly variant: (experiment: string) => string | undefined
  /**
   * Folders and files that the run may read, beside `workspace`: absolute paths. A source opens files that params name
   * through `openInside` of `@planloom/plugin/roots`.
   */
  readonly roots: ReadonlyArray<string>
  /** For a source that searches. */
  readonly index: BuildIndex
  /** For a source that keeps an index of its own: an embedder by its id; undefined if no plugin of the workflow has it. */
  readonly embedder?: (id: string) => TextEmbedder | undefined
  /** For a source that searches: a reranker by its id; undefined if no plugin of the workflow has it. */
  readonly reranker?: (id: string) => TextReranker | undefined
  /**
   * Asks the person who is there now, and never suspends the run: a suspended call would be made twice. Without an
   * answer it gives the question's `default`, or `null` from `declined`.
   */
  readonly askNow: (question: Question) => Effect<Answer, ToolFailed>
  /**
   * The stage's model, with its budgets and rates; undefined in a stage without one, and for a tool without `asks`. Its calls are part of this call:
   * recorded, and not made again with it. The model is asked without the prompt and examples of the stage, and no text
   * of it is streamed. `agent` refuses tools that need an approval.
   */
  readonly model?: ModelClient | undefined
  /** Description of a tool that a catalog gives to this source by `source`; its `with` says what to run. */
  readonly entry?: Tool | undefined
  /** Reports progress: 0…1, or undefined if unknown. One line of the message is shown, a few times a second at most. */
  readonly progress: (message: string, fraction?: number) => Effect<void>
  /**
   * Records a note for operators, such as a line of a service's log: an event `Noted`, at most 100 of a call, each cut at
   * 4,000 characters. `text` is its line for people.
   */
  readonly note: (note: string, data: Json, text?: string) => Effect<void>
}

/** A call that is not made yet, for a preview of it, which has no model, asks no questions and reports no progress. */
export type ToolPreview = Omit<ToolInvocation, "askNow" | "model" | "note" | "progress">

/** What a call of a tool gave. */
export interface ToolResult {
  /**
   * At most 16,000,000 characters as JSON: the call fails with class `invalid_output` otherwise. What is larger, and images and
   * other binary data, is written to a file in `workspace`, and the value has its path.
   */
  readonly value: Json
  /**
   * The tool itself reports an error: the call fails with class `tool_error`, and `value` is the detail. The message has its
   * own words, if it is a text or has them as `message`, `error` or `text`.
   */
  readonly isError?: boolean
}

export interface ToolList {
  readonly tools: ReadonlyArray<Tool>
  /** Why the list is incomplete; what is listed can be called. */
  readonly partial?: string
  /** When the source read it from where the tools are: epoch milliseconds. Absent for a list that is always current. */
  readonly synchronized?: number
  /** Until when it holds: epoch milliseconds. `check` reports one that is older. */
  readonly expires?: number
  /**
   * Names of tools that may exist although they are not listed: `github.create_issue`, or the start of names, `github.*`.
   * A workflow may name such a tool: `check` warns, and a run fails only where it needs the tool.
   */
  readonly open?: ReadonlyArray<string>
  /** Facts about the tools for a person, such as one that is withheld: a sentence each, which `check` reports. */
  readonly concerns?: ReadonlyArray<string>
}

/**
 * How a source runs tools that only catalogs describe. The functions are pure, and are called with entries whose `with`
 * fits the schema.
 */
export interface CatalogTools {
  /** JSON Schema of `with`. */
  readonly schema: JsonSchema
  /** What follows from `with`, such as an `effect`; keys that the entry sets take precedence. */
  readonly complete?: (entry: Tool) => Partial<Tool>
  /** Problems of an entry; `at` starts at the entry. */
  readonly check?: (entry: Tool) => ReadonlyArray<Problem>
}

/** A test's replacement of a source, under its id in `given.sources`. */
export interface GivenTools {
  /** JSON Schema of the value. */
  readonly schema: JsonSchema
  /** The list as the source would give it of this value; starts nothing. A failure is that of a source that cannot list its tools. */
  readonly list: (value: Json) => Effect<ToolList, ToolFailed>
}

/**
 * A source of tools. `list` is called often and must be cheap; `call` must be interruptible, return plain data and
 * treat every parameter as data.
 */
export interface ToolSource {
  readonly id: string
  readonly summary: string
  readonly list: Effect<ToolList, ToolFailed>
  /**
   * The list of the last synchronization; starts and connects to nothing. Runs use it, too, unless it has `partial` or
   * `open`: then `list` is read. A source that is only promised until its setup has `known` in its promise.
   */
  readonly known?: Effect<ToolList, ToolFailed>
  /** Emits when the list has changed: `list` is read again. */
  readonly changes?: Stream<void>
  readonly call: (invocation: ToolInvocation) => Effect<ToolResult, ToolFailed>
  /**
   * Whether a call ends at once when it is interrupted, as an async function does by `toolSource` of @planloom/plugin. The
   * calls of other sources run in fibers of their own, which the engine can leave.
   */
  readonly endsAtOnce?: true
  /**
   * The fields of an approval, for tools with `approval_fields`: what the call would do now. It changes nothing, and fails
   * for a call that would fail. It is computed again after the answer: a call that would now do something else is not made
   * before it is approved, too.
   */
  readonly preview?: (preview: ToolPreview) => Effect<JsonObject, ToolFailed>
  /** For a source that runs tools of catalogs, which name it under `source`. */
  readonly catalogTools?: CatalogTools
  /** The form of a test's tools; unless given, that of a `ToolList` with a `fail`. Also in the promise of a source. */
  readonly given?: GivenTools
}
