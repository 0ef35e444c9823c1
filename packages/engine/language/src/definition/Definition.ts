/** The content of a workflow file as plain data: durations in milliseconds, shorthands expanded. */
import type {
  FailureClass,
  Json,
  JsonObject,
  JsonSchema,
  OutputForm,
  ReasoningLevel,
  Texts,
} from "@planloom/plugin/effect"

/** A path into the document: `["stages", 2, "with", "text"]`. Also the address of a diagnostic. */
export type DocumentPath = ReadonlyArray<string | number>

export interface Definition {
  readonly name: string
  readonly description: string | undefined
  readonly use: Use
  readonly inputs: { readonly [name: string]: JsonSchema }
  /** An object; the host gives the value, which expressions read as `user`. Undefined for a workflow without users. */
  readonly user: JsonSchema | undefined
  /** Values that environments and hosts can switch; expressions read `flags.name`. */
  readonly flags: { readonly [name: string]: Flag }
  /** Names only; the values never enter an expression or a prompt. */
  readonly secrets: ReadonlyArray<string>
  readonly defaults: Defaults
  readonly models: { readonly [alias: string]: ModelAlias }
  /** Id of the embedder that searches use; undefined for searches by words alone. */
  readonly embeddings: string | undefined
  readonly index: string | undefined
  readonly policies: Policies
  /** The whole run's time, in milliseconds. */
  readonly timeout: number | undefined
  readonly concurrency: Concurrency | undefined
  readonly modes: { readonly [name: string]: Mode }
  /** Prompt name → path of its Markdown file. */
  readonly prompts: { readonly [name: string]: string }
  /** Texts by name that stages read through tools; expressions read `documents.name`. */
  readonly documents: { readonly [name: string]: DocumentDefinition }
  readonly stages: ReadonlyArray<Stage>
  /** Runs after the stages, in order, whether or not they failed. */
  readonly finally: ReadonlyArray<Stage>
  /** State that a session keeps between runs; undefined for a workflow without sessions. */
  readonly session: SessionDefinition | undefined
  readonly outputs: { readonly [name: string]: Output }
  /** Words to end users by name and language, which expressions read as `texts.name`. */
  readonly texts: Texts | undefined
  readonly on: Triggers | undefined
  /** Base URL of the collector that gets spans and metrics; the project's unless the workflow has its own. */
  readonly telemetry: { readonly otlp: string } | undefined
}

/** The call of a tool that gives a text. */
export interface DocumentDefinition {
  readonly tool: string
  /** Values with `${{ }}`, evaluated in the stage that reads the document. */
  readonly params: JsonObject
  /** The member of the result that is the text. */
  readonly field: string | undefined
}

/** What starts runs of a served workflow. */
export interface Triggers {
  readonly schedule: ReadonlyArray<Schedule>
  readonly webhook: Webhook | undefined
}

export interface Schedule {
  readonly cron: string
  /** IANA name. */
  readonly zone: string
  /** Times that passed while no server ran. */
  readonly missed: "once" | "skip" | "all"
  /** Values with `${{ }}` over `schedule`. */
  readonly inputs: JsonObject
}

export interface Webhook {
  /** Names of the secrets that sign the requests: one, or two while a key is exchanged. */
  readonly secret: ReadonlyArray<string>
  readonly body: JsonSchema | undefined
  /** Values with `${{ }}` over `body`; undefined: the body itself. */
  readonly inputs: JsonObject | undefined
}

export type FlagValue = boolean | number | string

/** A switch of a workflow. */
export interface Flag {
  /** Its default, or what was given in its place. */
  readonly value: FlagValue
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly enum: ReadonlyArray<FlagValue> | undefined
  /** Name of a variable that gives another value. */
  readonly env: string | undefined
}

export interface Use {
  readonly plugins: ReadonlyArray<string>
  /** Paths of files; each declares its own kind. */
  readonly files: ReadonlyArray<string>
}

export interface Defaults {
  readonly model: string | undefined
  /** Per attempt, in milliseconds. */
  readonly timeout: number | undefined
  readonly retry: ReadonlyArray<RetryReference> | undefined
}

/** What to do with text that was cut at its maximum length. */
export const cutPolicies = ["fail", "note", "continue"] as const
export type OnCut = (typeof cutPolicies)[number]

/** The model behind an alias that stages name in `model:`. */
export interface ModelAlias {
  /** `provider/model`, first choice first. */
  readonly try: ReadonlyArray<string>
  /** `try` as written, where it names other aliases, whose models `try` then has. */
  readonly names?: ReadonlyArray<string>
  readonly otherwise: "fail" | "mechanical"
  readonly temperature: number | undefined
  readonly top_k: number | undefined
  /** 0 to 2³¹ − 1: the same seed requests the same reply again. */
  readonly seed: number | undefined
  readonly max_tokens: number | undefined
  readonly stop: ReadonlyArray<string> | undefined
  /** How much it reasons; undefined leaves it to the model. */
  readonly reasoning: ReasoningLevel | undefined
  /** What to do with text that was cut at its maximum length; undefined means `note`. */
  readonly on_cut: OnCut | undefined
  /** Fields of the service's own, added to each request. */
  readonly options: JsonObject | undefined
  /** How JSON is requested; undefined uses the model's facts. */
  readonly structured: OutputForm | undefined
  /** Whether an unusable reply is sent back to the model once for repair; undefined means true. */
  readonly repair: boolean | undefined
}

export interface Policies {
  readonly retry: { readonly [name: string]: RetryPolicy }
  readonly rate: { readonly [name: string]: RatePolicy }
  readonly breaker: BreakerPolicy | undefined
  readonly budget: Budget | undefined
}

export interface RetryPolicy {
  /** Tries after the first. */
  readonly max_retries: number
  /** Before the first retry, in milliseconds. */
  readonly delay: number
  readonly backoff: "constant" | "linear" | "exponential"
  readonly max_delay: number
  /** Spreads each delay evenly over 50 % to 100 % of itself. */
  readonly jitter: boolean
  readonly on: ReadonlyArray<FailureClass>
}

/** A policy's name, or the policy itself where it is used. */
export type RetryReference = string | RetryPolicy

export interface RatePolicy {
  readonly requests_per_minute: number | undefined
  readonly tokens_per_minute: number | undefined
  /** Concurrent calls. */
  readonly concurrency: number | undefined
  /** Providers, models (`provider/model`) and aliases; the policy's own name unless written. */
  readonly for: ReadonlyArray<string> | undefined
}

/** Circuit breaker: rejects calls of a provider that does not answer. */
export interface BreakerPolicy {
  /** Calls failed as unavailable, overloaded or timed out that open the breaker. */
  readonly failures: number
  /** Milliseconds within which those calls failed. */
  readonly within: number
  /** Milliseconds until one call may probe the provider. */
  readonly probe_after: number
}

/** Spending limits; a call that would start above one is rejected. */
export interface Budget {
  readonly tokens: number | undefined
  readonly cost_usd: number | undefined
  readonly tool_calls: number | undefined
  readonly model_calls: number | undefined
  /** Milliseconds of the run's own clock. */
  readonly time: number | undefined
}

export interface Concurrency {
  readonly group: string
  readonly limit: number
  /** `queue` waits its turn, `cancel` stops the oldest in the group, `fail` rejects the new one. */
  readonly on_limit: "queue" | "cancel" | "fail"
}

/** Which tools a mode offers, and which of them the model reads as one line each. */
export interface ToolLoading {
  readonly offer: "all" | "none" | "navigation" | "task" | ReadonlyArray<string>
  /** `lazy`: tools are one line each in the prompt of an agent, except hot ones and those that hand over. */
  readonly load: "full" | "lazy"
  /** Tools and groups that are declared with their parameters in any case. */
  readonly hot: ReadonlyArray<string>
  /** With `full`: of tools that would take more tokens, those that are not hot are one line each. */
  readonly max_tokens: number | undefined
}

/** A prompt mode: which sections, which tools, how many tokens. */
export interface Mode {
  readonly sections: ReadonlyArray<string>
  readonly tools: ToolLoading["offer"] | ToolLoading
  readonly max_tokens: number | undefined
  /** Sections that are shortened or dropped until the prompt has at most `max_tokens`, first one first. */
  readonly truncate: ReadonlyArray<string>
}

export interface Output {
  readonly schema: JsonSchema
  /** A value with `${{ }}` in it. */
  readonly value: Json
  /** Emitted as soon as the stages that it reads have ended, before the run ends. */
  readonly early: boolean
  /** Parts of it reach the host while its stage writes it. */
  readonly stream: boolean
}

/** When and how the older turns of a session become a summary. */
export interface Compaction {
  /** Turns above which all but the newest `window` are summarized; at least `window`. */
  readonly after: number
  readonly by: "model" | "mechanical"
  /** A name under `models:`; undefined means the default model. */
  readonly model: string | undefined
  /** Of the summary. */
  readonly max_tokens: number
}

/** A successful run in a session adds one turn; the values are evaluated at the end of the run. */
export interface SessionDefinition {
  /** Turns that are kept; older ones are dropped, or summarized. */
  readonly window: number
  readonly compact: Compaction | undefined
  /** Text with `${{ }}`: what a turn keeps of the user's request. */
  readonly request: string
  /** Text with `${{ }}`: what a turn keeps of the answer. */
  readonly assistant: string
  /** Entities of tool results that are kept. */
  readonly entities: number
  readonly state: { readonly [name: string]: SessionState }
}

/** A value that is carried from turn to turn. */
export interface SessionState {
  readonly schema: JsonSchema
  /** Its value in the first turn, and in a run without a session. */
  readonly default: Json
  /** A value with `${{ }}` in it: its new value at the end of a turn. */
  readonly value: Json
}

/** Runs a stage kind (`uses`) or contains a block of stages (`stages`). */
export interface Stage {
  readonly id: string
  readonly description: string | undefined
  readonly uses: string | undefined
  /** Values with `${{ }}` in them, as written. */
  readonly with: JsonObject
  readonly prompt: PromptUse | undefined
  /** Examples that its model sees before the request. */
  readonly examples: ExamplesUse | undefined
  readonly model: string | undefined
  /** Overrides the model's setting. */
  readonly repair: boolean | undefined
  /** CEL, without `${{ }}`. */
  readonly if: string | undefined
  /** Undefined when not written: the stage then follows the previous one. */
  readonly needs: ReadonlyArray<string> | undefined
  readonly for_each: ForEach | undefined
  readonly repeat: Repeat | undefined
  readonly stages: ReadonlyArray<Stage> | undefined
  /** Which one of `stages` runs; undefined for a block that runs all of them. */
  readonly branch: Branch | undefined
  readonly assert: ReadonlyArray<Assertion>
  readonly on_error: "fail" | "continue" | "fallback"
  readonly fallback: Fallback | undefined
  /** Per attempt, in milliseconds. */
  readonly timeout: number | undefined
  readonly retry: ReadonlyArray<RetryReference> | undefined
  readonly budget: Budget | undefined
  readonly concurrency: Concurrency | undefined
  /** Narrows the kind's own output schema. */
  readonly output: JsonSchema | undefined
}

export interface PromptUse {
  readonly use: string
  readonly mode: string | undefined
}

export interface ExamplesUse {
  /** Path of the file. */
  readonly file: string
  /** Text with `${{ }}` over inputs and flags: the user's message in an example. */
  readonly user: string
  /** Limit for all examples together. */
  readonly max_tokens: number | undefined
}

export interface ForEach {
  /** CEL that gives a list. */
  readonly in: string
  /** The name the item has in expressions; `item` unless written. */
  readonly as: string
  readonly max_parallel: number
}

/** A typed fold: `iter.<name>` starts as `carry.<name>` and becomes `next.<name>`. */
export interface Repeat {
  readonly carry: JsonObject
  readonly until: string
  readonly next: JsonObject
  /** A number, or CEL over flags and experiments that gives one. */
  readonly max_iterations: number | string
  readonly on_exhausted: "fail" | "continue"
  readonly on_round_error: "fail" | "keep"
  readonly on_no_new_call: "continue" | "end"
}

/** The cases of `uses: switch`. */
export interface Branch {
  /** CEL whose value chooses the case. */
  readonly on: string
  /** In the order of `stages`; `else` is the last one. */
  readonly cases: ReadonlyArray<{
    /** Null for `else`. */
    readonly name: string | null
    /** The path of its stage, from the stage with the cases. */
    readonly at: DocumentPath
  }>
}

export interface Assertion {
  /** CEL that gives a bool. */
  readonly that: string
  /** Text with `${{ }}`. */
  readonly message: string | undefined
  readonly on_fail: "fail" | { readonly rerun: string; readonly max_reruns: number }
}

/** Runs instead of a stage that failed; its output must match the stage's schema. */
export interface Fallback {
  readonly uses: string
  readonly with: JsonObject
  readonly prompt: PromptUse | undefined
  readonly model: string | undefined
}
