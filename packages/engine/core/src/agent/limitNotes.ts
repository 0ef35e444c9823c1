/** Notes to a model that nears the limit of its loop: it can still give a result, where the loop would end without one. */
import type { AgentLimits, AgentStop, Message } from "@planloom/plugin/effect"
import { ANSWER } from "./answerTool.ts"

/** The used part of a loop's limits. */
export interface LoopUse {
  /** Turns, with the one that begins. */
  readonly turns: number
  readonly calls: number
  readonly tokens: number
  /** Tokens of the last turn: the next one has at least as many. */
  readonly lastTokens: number
}

/** Fewest turns of a loop that is warned one turn early. */
const WARNED_TURNS = 4

/** The reason why the turn that begins is the last one; undefined if another may follow. A loop of one turn is for its calls. */
export const lastTurn = (limits: AgentLimits, use: LoopUse): AgentStop | undefined => {
  if (use.turns > 1 && use.turns >= limits.turns) return "max_turns"
  const isOutOfCalls = limits.calls !== undefined && use.calls >= limits.calls
  const isOutOfTokens =
    limits.tokens !== undefined && use.turns > 1 && use.tokens + use.lastTokens > limits.tokens
  return isOutOfCalls || isOutOfTokens ? "budget" : undefined
}

/** The note that the model reads in its last turn. */
export const lastNote = ({ result }: AgentLimits): string =>
  `This is your last reply: no further tool is called. ${
    result === undefined ? "Answer now" : `Call \`${ANSWER}\` now`
  } with what you have, and say what is missing.`

/** The same one turn before; undefined in other turns. */
export const nearNote = ({ turns }: AgentLimits, use: LoopUse): string | undefined =>
  turns >= WARNED_TURNS && use.turns === turns - 1
    ? "You have two replies left: call only tools whose results you still need, and answer in the last one."
    : undefined

/** With a note in the last message: templates of some models take no further one after results of tools. */
export const withNote = (
  messages: ReadonlyArray<Message>,
  note: string,
): ReadonlyArray<Message> => {
  const last = messages.at(-1)!
  const noted: Message =
    last.role === "tool"
      ? { ...last, content: { result: last.content, note } }
      : last.role === "user"
        ? { ...last, content: contentWith(last.content, note) }
        : last
  return [...messages.slice(0, -1), noted]
}

const contentWith = (
  content: Extract<Message, { role: "user" }>["content"],
  note: string,
): Extract<Message, { role: "user" }>["content"] =>
  typeof content === "string" ? `${content}\n\n${note}` : [...content, { type: "text", text: note }]

/** The reason why a call of the last turn is not made. */
export const AFTER_LAST = "the limit is reached: no tool is called any more"
