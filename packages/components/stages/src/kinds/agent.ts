/** Stage kind `agent`: a model works on a task with tools until it answers or reaches a limit. */
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type {
  AgentReply,
  Json,
  JsonObject,
  JsonSchema,
  StageContext,
  Tool,
} from "@planloom/plugin/effect"
import { isObject, nestedSchema } from "@planloom/schema"
import {
  attachedFiles,
  attachments,
  corrections,
  text,
  withAttachments,
  withSummary,
} from "@planloom/stage-kit"
import { madeCall, madeCalls } from "../madeCalls.ts"
import { repairCall } from "../repairCall.ts"
import { reuse, reuseOf, reuses, type Reuse } from "../reuse.ts"
import {
  listedTools,
  namedTools,
  offersOf,
  endingToolChoice,
  toolsAsked,
  type ToolChoice,
  toolCalling,
} from "../ToolChoice.ts"

interface Input {
  readonly task: string
  readonly context?: Json
  readonly attach?: ReadonlyArray<string>
  readonly tools: ReadonlyArray<ToolChoice>
  readonly max_turns: number
  readonly max_calls?: number
  readonly max_tokens?: number
  readonly parallel: number
  readonly approve: ReadonlyArray<string>
  readonly auto_approve: ReadonlyArray<string>
  readonly repeat_calls: boolean
  readonly reuse: Reuse
  readonly result?: JsonSchema
  readonly stop_when?: string
}

const agentRun = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const content = yield* withAttachments(requestOf(input), input.attach, context)
  const offers = yield* offersOf(input.tools, context)
  const reply = yield* context.model.agent(
    {
      messages: [{ role: "user", content }, ...corrections(context)],
      tools: offers,
      ...(input.result === undefined ? { parts: "reply" } : {}),
    },
    {
      turns: input.max_turns,
      parallel: input.parallel,
      approve: input.approve,
      autoApprove: input.auto_approve,
      repeat: input.repeat_calls,
      repair: repairCall,
      ...reuseOf(input.reuse),
      ...(input.max_calls === undefined ? {} : { calls: input.max_calls }),
      ...(input.max_tokens === undefined ? {} : { tokens: input.max_tokens }),
      ...(input.result === undefined ? {} : { result: input.result }),
      ...(input.stop_when === undefined
        ? {}
        : {
            stopWhen: (calls) =>
              context.holds("stop_when", { calls: calls.map(({ ...one }) => one as Json) }),
          }),
    },
  )
  return outputOf(reply)
})

const MAX_TURNS = 100

const SEPARATOR = "\n\n"

const isSearch = (choice: unknown): boolean => isObject(choice) && "search" in choice

const isLazy = (choice: unknown): boolean => isObject(choice) && choice["load"] === "lazy"

/** More than any choice of them takes in a request. */
const declared = (tools: ReadonlyArray<Tool>, isOffered: boolean): ReadonlyArray<string> =>
  isOffered
    ? tools.map(({ name, params, summary }) =>
        JSON.stringify({ name, description: summary, parameters: params }),
      )
    : []

/** Room for the tool by which a model gives an answer of a shape, and for the instruction to call it. */
const answering = (result: Json | undefined): ReadonlyArray<string> =>
  result === undefined ? [] : [JSON.stringify(result), " ".repeat(1000)]

const requestOf = ({ context: known, task }: Input): string =>
  known === undefined || known === null
    ? task
    : `${task}${SEPARATOR}${typeof known === "string" ? known : JSON.stringify(known)}`

const outputOf = ({ calls, handover, reply, stopped, value }: AgentReply): Json => ({
  text: stopped === "answer" && value !== undefined ? "" : reply.text.trim(),
  stopped,
  calls: madeCalls(calls),
  ...(value === undefined ? {} : { value }),
  ...(handover === undefined ? {} : { handover: { ...handover } }),
})

const summary = (output: Json): string => {
  const { calls, stopped } = output as {
    readonly calls: ReadonlyArray<Json>
    readonly stopped: string
  }
  const made = `${calls.length} tool call${calls.length === 1 ? "" : "s"}`
  return stopped === "answer" ? made : `${made}, stopped: ${stopped}`
}

export const agent = stageKind<Input>({
  id: "agent",
  summary: "Lets a model work on a task with tools until it answers or reaches a limit.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["task", "tools"],
    properties: {
      task: { ...text, description: "what the model has to do" },
      context: { description: "what it may use for it" },
      attach: attachments,
      tools: {
        type: "array",
        description: "tools by name, by group, or found by the workflow's index",
        items: endingToolChoice,
      },
      max_turns: {
        type: "integer",
        minimum: 1,
        maximum: MAX_TURNS,
        default: 8,
        description: "the most model calls",
      },
      max_calls: { type: "integer", minimum: 1, description: "the most tool calls" },
      max_tokens: {
        type: "integer",
        minimum: 1,
        description: "tokens of its model calls after which no further one is made",
      },
      ...toolCalling,
      repeat_calls: {
        type: "boolean",
        default: false,
        description: "whether the same call may be made more than once",
      },
      reuse,
      result: {
        type: "object",
        format: "json-schema",
        description: "the JSON Schema of the answer",
      },
      stop_when: {
        ...text,
        format: "cel",
        description: "ends the stage after a turn; reads `calls`",
      },
    },
  },
  output: ({ result }) => ({
    type: "object",
    additionalProperties: false,
    required: ["text", "stopped", "calls"],
    properties: {
      text,
      stopped: { enum: ["answer", "cut_off", "handover", "stop_when", "max_turns", "budget"] },
      calls: { type: "array", items: madeCall },
      handover: {
        type: "object",
        required: ["tool", "params"],
        properties: { tool: text, params: { type: "object" } },
      },
      ...(result === undefined
        ? {}
        : { value: nestedSchema(result as JsonObject, "/properties/value") }),
    },
  }),
  refers: ({ approve, attach = [], auto_approve: auto, tools }) => [
    ...attachedFiles({ attach }),
    ...namedTools(tools).map((one) => ({ ...one, at: ["tools", ...one.at] })),
    ...listedTools("approve", approve),
    ...listedTools("auto_approve", auto),
  ],
  reuses,
  asks: ({ open, tools: all, with: { max_calls: calls, max_turns: turns, result, tools } }) => {
    const isKnown = Array.isArray(tools) && !open.includes("result") && !tools.some(isLazy)
    // Without tools and a shape, the first reply is the answer.
    const isOneReply = isKnown && tools.length === 0 && result === undefined
    return {
      questions: [
        {
          way: "agent",
          turns: isOneReply ? 1 : typeof turns === "number" ? turns : MAX_TURNS,
          isReply: result === undefined,
          ...(isKnown
            ? { adds: [SEPARATOR, ...declared(all, tools.length > 0), ...answering(result)] }
            : {}),
        },
      ],
      calls: typeof calls === "number" ? calls : Infinity,
      ...toolsAsked(tools),
      searches: Array.isArray(tools) ? tools.filter(isSearch).length : Infinity,
    }
  },
  streams: ({ result }) => (result === undefined ? "text" : undefined),
  conditions: () => ({ stop_when: { calls: { type: "array", items: madeCall } } }),
  model: withSummary(agentRun, summary),
})
