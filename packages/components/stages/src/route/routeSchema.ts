/** JSON Schemas of `with` and of the output of the stage kind `route`. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { text, texts } from "@planloom/stage-kit"
import { madeCall } from "../madeCalls.ts"
import { toolCalling, toolChoice } from "../ToolChoice.ts"

const said = { ...text, minLength: 1 } as const
/** One text, or one by language. */
const wording = (description: string) =>
  ({
    anyOf: [said, { type: "object", minProperties: 1, additionalProperties: said }],
    description,
  }) as const
const named = { pattern: "^[a-z][a-z0-9_]*$" } as const

const transition = {
  type: "object",
  additionalProperties: false,
  required: ["to"],
  properties: {
    to: { ...said, description: "a state of the flow" },
    tool: { ...said, description: "a successful call of it makes the transition" },
    when: {
      ...said,
      format: "cel",
      description: "makes the transition when it holds; reads `request`, `calls` and `entities`",
    },
  },
} as const satisfies JsonSchema

const state = {
  type: "object",
  additionalProperties: false,
  properties: {
    instructions: { ...text, default: "", description: "what the model reads in the state" },
    reply: wording("what is said on entering it without a model; one text, or one by language"),
    tools: { ...texts, description: "tools of the agent that may be called; all unless written" },
    next: {
      type: "array",
      items: transition,
      default: [],
      description: "a model chooses among those with neither `tool` nor `when`",
    },
    final: { type: "boolean", default: false, description: "the flow ends with it" },
  },
} as const satisfies JsonSchema

const examples = { ...texts, default: [], description: "requests that it is for" } as const

const flow = {
  type: "object",
  additionalProperties: false,
  required: ["description", "start", "states"],
  properties: {
    title: wording("its name for people; one text, or one by language"),
    description: said,
    examples,
    start: { ...said, description: "its first state" },
    states: { type: "object", propertyNames: named, minProperties: 1, additionalProperties: state },
  },
} as const satisfies JsonSchema

const agent = {
  type: "object",
  additionalProperties: false,
  required: ["description"],
  properties: {
    title: wording("its name for people; one text, or one by language"),
    description: { ...said, description: "what it is for; other agents hand over by it" },
    examples,
    prompt: { ...text, default: "", description: "what its model reads besides the prompt" },
    reply: wording(
      "what is said without a model when none of its tools is meant; one text, or one by language",
    ),
    tools: {
      type: "array",
      items: toolChoice,
      default: [],
      description: "tools by name, by group, or found by the workflow's index",
    },
    hands_over_to: { ...texts, description: "agents; all others unless written" },
    human: {
      type: "boolean",
      default: false,
      description: "a person: the turn ends with `escalate`",
    },
    flows: { type: "object", propertyNames: named, default: {}, additionalProperties: flow },
  },
} as const satisfies JsonSchema

const count = (initial: number, description: string) =>
  ({ type: "integer", minimum: 1, maximum: 100, default: initial, description }) as const

const share = (initial: number, description: string) =>
  ({ type: "number", minimum: 0, maximum: 1, default: initial, description }) as const

/** What prompts read as `vars`: the place of the conversation. */
export const placeVars = {
  type: "object",
  properties: { agent: text, flow: text, state: text },
  required: ["agent", "flow", "state"],
  additionalProperties: false,
} as const

export const routeInput = {
  type: "object",
  additionalProperties: false,
  required: ["request", "agents", "start"],
  properties: {
    request: { ...said, description: "what the user says" },
    history: {
      type: "array",
      default: [],
      description: "past turns, oldest first",
      items: {
        type: "object",
        required: ["user", "assistant"],
        properties: { user: text, assistant: text },
      },
    },
    agents: {
      type: "object",
      propertyNames: named,
      minProperties: 1,
      additionalProperties: agent,
      description: "who may be in charge, by name",
    },
    start: { ...said, description: "the agent of the first turn" },
    current: {
      type: ["object", "null"],
      description: "where the last turn ended: its `place`, from the state of the session",
    },
    hop_mode: {
      ...said,
      default: "routing",
      description:
        "mode of the prompt for hops that decide who is in charge; `full` answers at once",
    },
    max_hops: count(6, "the most hops of a turn"),
    max_turns: count(8, "the most model calls of a hop"),
    max_calls: { type: "integer", minimum: 1, description: "the most tool calls of a turn" },
    ...toolCalling,
    profile: { description: "what is known of the user" },
    context: { description: "what the user has: products, credit, past orders" },
    entities: { description: "things that were mentioned before" },
    language: { ...text, default: "", description: "tag of the language of replies" },
    least: share(0.3, "without a model: the least score at which an agent is found"),
    margin: share(
      0.1,
      "without a model: scores closer than this are the same, and the user is asked",
    ),
  },
} as const satisfies JsonSchema

const place = {
  type: "object",
  required: ["agent"],
  properties: {
    agent: text,
    flow: text,
    state: text,
    paused: {
      type: "object",
      required: ["agent", "flow", "state"],
      properties: { agent: text, flow: text, state: text },
    },
    given: { type: "object", additionalProperties: { type: "object" } },
    asked: {
      type: "object",
      required: ["request", "choices"],
      properties: { request: text, choices: texts, offered: { type: "boolean" } },
    },
  },
} as const satisfies JsonSchema

export const routeOutput = {
  type: "object",
  additionalProperties: false,
  required: [
    "text",
    "agent",
    "flow",
    "state",
    "place",
    "hops",
    "calls",
    "entities",
    "asks",
    "escalated",
  ],
  properties: {
    text: { ...text, description: "the reply" },
    agent: { ...text, description: "the one in charge" },
    flow: { ...text, description: "empty outside of flows" },
    state: text,
    place: { ...place, description: "`current` of the next turn" },
    hops: {
      type: "array",
      items: {
        type: "object",
        required: ["agent", "mode", "navigated"],
        properties: {
          agent: text,
          mode: { enum: ["full", "routing", "mechanical"] },
          navigated: { ...text, description: "the navigation tool that ended it" },
        },
      },
    },
    calls: { type: "array", items: madeCall },
    entities: { type: "array", description: "what the results of calls are about" },
    asks: { type: "boolean", description: "whether the reply is a question about the request" },
    escalated: { type: "boolean", description: "whether a person takes over" },
    handover: {
      type: "object",
      required: ["from", "to", "reason"],
      properties: { from: text, to: text, reason: text },
    },
  },
} as const satisfies JsonSchema
