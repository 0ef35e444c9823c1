/** A stage's model: questions, structured replies and tool loops. */
import type { Effect } from "effect/Effect"
import type { Capability } from "../facts/Facts.ts"
import type { Failure, ModelFailed, StageFailed } from "../run/Failure.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { Message, ModelReply } from "./Model.ts"
import type { Section, ToolOffer } from "./Prompt.ts"
import type { CallRecord } from "../run/CallRecord.ts"
import type { RepairParams } from "./Repair.ts"

/** Changes to the stage's prompt for one question. */
export interface AskPrompt {
  /** Name of a prompt of the workflow; default: the stage's. */
  readonly use?: string
  /** `full`, `routing`, `minimal` or a declared mode; an unknown one falls back to `full`, with a warning event. */
  readonly mode?: string
  /** Read by prompts as `vars`. */
  readonly vars?: JsonObject
  /** Sections of the stage kind, after those of the mode. */
  readonly sections?: ReadonlyArray<Pick<Section, "id" | "text" | "stable">>
}

/** The part of a reply that hosts are shown while it is written. */
export interface Showing {
  /** Made for each reply: gives the text that may leave now, and holds back an end that more text may change. */
  readonly open: () => (text: string) => string
  /** The shown part of the whole reply; it begins with all that has left. */
  readonly whole: (text: string) => string
}

/** A question to the stage's model. The engine adds the model, the prompt of the stage and its mode. */
export interface Ask {
  readonly messages: ReadonlyArray<Message>
  readonly prompt?: AskPrompt
  /** Names of tools, offered by schema unless an agent's mode is lazy, or offers. The mode's `tools:` selects among them. */
  readonly tools?: ReadonlyArray<string | ToolOffer>
  /**
   * `reply`: the reply is the output field that the kind names in `streams`, and may reach hosts while it is written.
   * Without it, nothing of the reply leaves before the stage ends.
   */
  readonly parts?: "reply" | "hidden"
  /** With `parts: "reply"`: what hosts are shown of it, where that is not all. The stage gets the reply as it was written. */
  readonly showing?: Showing
  readonly temperature?: number
  readonly topK?: number
  readonly seed?: number
  readonly maxTokens?: number
  /** Stop sequences. */
  readonly stop?: ReadonlyArray<string>
  /**
   * Position of the stage's examples: `turns` before the messages (default); `system` at the end of the system prompt,
   * for messages that are a conversation; or `none` for a question unrelated to the examples.
   */
  readonly examples?: "turns" | "system" | "none"
}

/** Limits of a tool loop. */
export interface AgentLimits {
  /** Maximum number of model calls. */
  readonly turns: number
  /** Maximum number of tool calls. */
  readonly calls?: number
  /** Maximum number of tool calls that run at the same time; default 8. */
  readonly parallel?: number
  /** Maximum number of tokens of all its model calls, input and output. */
  readonly tokens?: number
  /** Schema of the final answer, which is then `value`. */
  readonly result?: JsonSchema
  /** Tools whose calls wait for a person's approval, besides those that write or always need it. */
  readonly approve?: ReadonlyArray<string>
  /** Tools that write and whose calls the author approves in advance: a model chooses calls by its reading of a text. */
  readonly autoApprove?: ReadonlyArray<string>
  /** Whether the same call (tool and params) may run more than once; default false. */
  readonly repeat?: boolean
  /** `run`: calls that the run has made answer equal ones, for kinds with `reuses`. */
  readonly reuse?: "run"
  /** Repairs the params of its calls. */
  readonly repair?: RepairParams
  /** Ends the loop after a turn. */
  readonly stopWhen?: (calls: ReadonlyArray<CallRecord>) => Effect<boolean, StageFailed>
}

/** Why a tool loop ended; all but `answer` and `handover` keep a partial result. */
export type AgentStop = "answer" | "cut_off" | "handover" | "stop_when" | "max_turns" | "budget"

/** The outcome of a tool loop. */
export interface AgentReply {
  /** The last reply of the model. */
  readonly reply: ModelReply
  /** The answer that fits `result`; absent if the loop ended before there was one. */
  readonly value?: Json
  /** In the order in which the model asked. */
  readonly calls: ReadonlyArray<CallRecord>
  readonly stopped: AgentStop
  /** The call that handed over. */
  readonly handover?: { readonly tool: string; readonly params: JsonObject }
}

/** The stage's model. Each call is recorded, counted against budgets and emitted as an event. */
export interface ModelClient {
  /** Whether the facts on every model that may answer list the capability. An unknown model lists none. */
  readonly can: (capability: Capability) => boolean
  /** The reply's text excludes the contents of reasoning tags, which are in `reasoning`. */
  readonly text: (ask: Ask) => Effect<ModelReply, ModelFailed>
  /**
   * Parses and validates the reply: repairs it if the repair is certain, otherwise asks the model again. Fails
   * with class `invalid_output` and { reply, issues, reasoning? } in `detail`.
   */
  readonly json: (
    ask: Ask,
    output: { readonly name: string; readonly schema: JsonSchema },
  ) => Effect<Json, ModelFailed>
  /**
   * Lets the model call tools until it answers, hands over or reaches a limit. Each call is recorded, so that a resumed
   * run repeats none. Results and failures of tools go to the model as data; a refused approval is such a failure.
   */
  readonly agent: (ask: Ask, limits: AgentLimits) => Effect<AgentReply, Failure>
}
