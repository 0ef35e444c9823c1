/** Intents of messages, as an author declares them, and the plan of one turn. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { text } from "@planloom/stage-kit"

/** An intent of a message. */
export interface Intent {
  /** Equal to the `group` of the tools that serve the intent. */
  readonly id: string
  /**
   * Relation of a plan's candidate tools: `alternatives`, of which one suffices, or `actions` that were each
   * requested. `none` for an intent without tools. `alternatives` unless given.
   */
  readonly tools?: "none" | "alternatives" | "actions"
  /** Reply before a tool runs, or without a tool; under 20 words. */
  readonly reply: string
}

/** An earlier message and its reply. */
export interface PastTurn {
  readonly user: string
  /** Only the reply's text: a model that sees its own plans tends to write plans instead of text. */
  readonly assistant: string
}

/** Intent of a message, candidate tools, and the reply before they run. */
export interface TurnPlan {
  /** The id of an intent. */
  readonly intent: string
  /** For logs; never shown to the user. */
  readonly reasoning_summary: string
  /** Under 20 words; an announcement without a result. */
  readonly chat_response: string
  /** At most two, best first. */
  readonly candidate_tools: ReadonlyArray<string>
  /** Whether each candidate was requested; otherwise one of them suffices. */
  readonly each: boolean
  /** Arguments of all candidates, by parameter name. */
  readonly arguments: JsonObject
  /** 0 to 1. */
  readonly confidence: number
  /** Whether every word of the message has a use in the plan. Only then is a tool that writes called unasked. */
  readonly settled: boolean
  /** Words of the message that have none. */
  readonly open: ReadonlyArray<string>
}

/**
 * `with.intents` of a kind. The first intent without tools is that of messages without a known word, the last one that
 * of messages that no tool serves: a greeting, a question about the world.
 */
export const intentsSchema = {
  type: "array",
  minItems: 1,
  description:
    "what a message can ask for: an intent's tools are those of the group of its name; the first without tools is for noise, the last for what no tool does",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["id", "reply"],
    properties: {
      id: { ...text, minLength: 1, description: "the `group` of its tools" },
      tools: {
        enum: ["none", "alternatives", "actions"],
        default: "alternatives",
        description: "of `alternatives` one suffices; `actions` are each requested",
      },
      reply: { ...text, minLength: 1, description: "said before a tool runs, in under 20 words" },
    },
  },
} as const

type Intents = ReadonlyArray<Intent>

export const intentOf = (intents: Intents, id: string): Intent | undefined =>
  intents.find((intent) => intent.id === id)

/** Whether a tool serves the intent. */
export const needsTool = (intents: Intents, id: string): boolean =>
  intents.some((intent) => intent.id === id && intent.tools !== "none")

/** The tools whose group is an intent. */
export const offeredTools = (intents: Intents, tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> =>
  tools.filter(({ group }) => group !== undefined && needsTool(intents, group))

/** The intent of messages that are not understood; undefined if every intent has tools. */
export const unclearOf = (intents: Intents): Intent | undefined =>
  intents.find(({ tools }) => tools === "none")

/** The default reply of an intent. */
export const replyFor = (intents: Intents, id: string): string => intentOf(intents, id)?.reply ?? ""
