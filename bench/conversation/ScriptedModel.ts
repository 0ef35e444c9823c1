/** A model that plays the script: it hands over, reads documentation where it has to, calls tools, and answers. */
import * as Effect from "effect/Effect"
import type { JsonObject, Message, ModelRequest, Provider, ToolCall } from "@planloom/plugin/effect"

interface ScriptedCall {
  readonly tool: string
  readonly params: JsonObject
  /** What the model writes before it has read the parameters, if it does not read them first. */
  readonly guess?: JsonObject
}

/** One message of the conversation. */
export interface Turn {
  readonly message: string
  readonly agent: string
  /** Tools of navigation, in order. */
  readonly hops?: ReadonlyArray<string>
  readonly state?: string
  readonly tools?: ReadonlyArray<string>
  /** Each entry holds the calls that are made at once. */
  readonly calls: ReadonlyArray<ReadonlyArray<ScriptedCall>>
  readonly answer: string
}

export class ScriptedModel {
  readonly requests: Array<ModelRequest> = []
  /** Requests of hops after the first that decide who answers. */
  readonly laterHops: Array<ModelRequest> = []
  reads = 0
  guesses = 0
  private turn: Turn | undefined
  private hop = 0
  private step = 0
  private done = new Set<ScriptedCall>()
  private ids = 0

  readonly provider: Provider = {
    id: "openai",
    summary: "Plays a script.",
    generate: (request) => Effect.sync(() => this.reply(request)),
  }

  start(turn: Turn): void {
    this.turn = turn
    this.hop = 0
    this.step = 0
    this.done = new Set()
  }

  private reply(request: ModelRequest) {
    this.requests.push(request)
    const toolCalls = this.wanted(request)
    return {
      text: toolCalls.length === 0 ? this.turn!.answer : "",
      reasoning: "",
      toolCalls,
      finish: toolCalls.length === 0 ? ("stop" as const) : ("tool_calls" as const),
      usage: { input: 1, output: 1 },
    }
  }

  private wanted(request: ModelRequest): ReadonlyArray<ToolCall> {
    const { calls, hops = [] } = this.turn!
    const next = hops[this.hop]
    if (next !== undefined) {
      if (this.hop > 0) this.laterHops.push(request)
      this.hop++
      return [this.call(next, next, { reason: "The message is about it." })]
    }
    while (calls[this.step]?.every((one) => this.done.has(one)) === true) this.step++
    return (calls[this.step] ?? [])
      .filter((one) => !this.done.has(one))
      .map((one) => this.made(one, request))
  }

  /** Directly if the tool is declared; else by `call_tool`, once its parameters were read. */
  private made(one: ScriptedCall, { messages, tools = [] }: ModelRequest): ToolCall {
    const { guess, params, tool } = one
    const by = (given: JsonObject) => this.call(tool, "call_tool", { name: tool, arguments: given })
    if (tools.some(({ name }) => name === tool)) {
      this.done.add(one)
      return this.call(tool, tool, params)
    }
    if (messages.some((message) => showsParameters(message, tool))) {
      this.done.add(one)
      return by(params)
    }
    if (guess !== undefined) {
      this.guesses++
      return by(guess)
    }
    this.reads++
    return this.call(tool, "read_tool_documentation", { name: tool })
  }

  private call(tool: string, name: string, given: JsonObject): ToolCall {
    return { id: `${tool}:${++this.ids}`, name, arguments: given }
  }
}

/** Documentation and rejected calls give the parameters. */
const showsParameters = (message: Message, tool: string): boolean =>
  message.role === "tool" &&
  message.toolCallId.startsWith(`${tool}:`) &&
  JSON.stringify(message.content).includes('"parameters"')
