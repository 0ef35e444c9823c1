/** A plan without a model: the tools nearest to the words, arguments from the words, nothing where it is not sure. */
import type { JsonObject, Tool, TurnPlan, TurnRequest } from "@planloom/plugin/effect"
import { clauses, wishes } from "../language/clauses.ts"
import { mended } from "../language/mended.ts"
import { asLine, small, stemsOf, wordsOf } from "../language/words.ts"
import { clockAnswer, type Moment } from "./clockAnswer.ts"
import { asks, mannerOf } from "./manner.ts"
import { intents, needsTool, replyFor, type Intent } from "./intents.ts"
import { asksForRest, completed, followUp, type Topic } from "./followUp.ts"
import { LEAST, rankTools, type Ranked } from "./rankTools.ts"
import { askWhichSetting, isSwitch, unknownSetting } from "./unknownSetting.ts"
import { vocabularyOf } from "./vocabularyOf.ts"

/** A second tool is proposed when it is nearly as near. */
const NEARLY = 0.75

/** What is sought in an order may as well be seen by that order: then half as near will do. */
const NEARLY_IN_ORDER = 0.5

const rounded = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 100) / 100

const without = (intent: Intent, why: string, confidence: number, reply?: string): TurnPlan => ({
  intent,
  reasoning_summary: why,
  chat_response: reply ?? replyFor(intent),
  candidate_tools: [],
  arguments: {},
  confidence,
})

const intentOf = (tool: Tool): Intent => {
  const { group } = tool
  return intents.find(({ id }) => id === group)?.id ?? "user_question"
}

/** The question that asks for what a tool still needs. */
const questionFor = ({ missing, tool }: Ranked): string =>
  ({
    state: "Should it be on or off?",
    text: "What should I copy? Put it in quotes.",
    name: "Whom do you mean?",
    app: "Which app should I open?",
    query: "What should I look for?",
    type: "Which kind of files?",
    from: "Of which day?",
  })[missing[0]!] ??
  `What is the ${missing[0]!.replaceAll("_", " ")} for ${tool.name.replaceAll("_", " ")}?`

const candidates = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const [first, second] = ranked
  if (first === undefined) return []
  const close =
    second !== undefined &&
    second.missing.length === 0 &&
    second.score >= LEAST &&
    second.score >=
      (first.arguments["order"] === undefined ? NEARLY : NEARLY_IN_ORDER) * first.score &&
    second.tool.group === first.tool.group
  return close && first.tool.group?.endsWith("_search") === true ? [first, second] : [first]
}

const planned = (chosen: ReadonlyArray<Ranked>, why: string): TurnPlan => {
  const intent = intentOf(chosen[0]!.tool)
  return {
    intent,
    reasoning_summary: why,
    chat_response: replyFor(intent),
    candidate_tools: chosen.map(({ tool }) => tool.name),
    arguments: Object.assign({}, ...chosen.toReversed().map((one) => one.arguments)) as JsonObject,
    confidence: rounded(0.45 + chosen[0]!.score * 0.6),
  }
}

/** The plan that says the time or the day; undefined where something else is asked. */
export const clockPlan = (text: string, moment: Moment): TurnPlan | undefined => {
  const told = clockAnswer(asLine(text), moment)
  return told === undefined
    ? undefined
    : without("user_question", "The clock answers it.", 0.95, told)
}

export interface Turn extends TurnRequest {
  /** Names of the tools an index finds for a text, nearest first. */
  readonly near: (text: string) => ReadonlyArray<string>
}

/**
 * Two actions asked for in one sentence, both with all they need; undefined for anything else. "Turn off wifi and
 * bluetooth" says once what is wanted of both.
 */
const twoActions = (line: string, { rank }: Heard): ReadonlyArray<Ranked> | undefined => {
  const parts = clauses(line)
  if (parts.length !== 2) return undefined
  const [first, other] = parts.map((text) => rank(text)[0])
  if (first === undefined || other === undefined || first.tool === other.tool) return undefined
  const second = { ...other, ...completed(other, first.arguments) }
  const acts = [first, second].every(
    ({ missing, score, tool }) =>
      missing.length === 0 && score >= LEAST && intentOf(tool) === "automation",
  )
  return acts ? [first, second] : undefined
}

const leadsToSwitch = ({ score, tool }: Ranked): boolean => score >= LEAST && isSwitch(tool)

/** One message, and the tools by how near they are to a text. */
interface Heard extends Pick<Turn, "text" | "time" | "today" | "tools"> {
  readonly rank: (text: string, verbatim?: string) => ReadonlyArray<Ranked>
}

/** What one message means, and what is spoken of after it. */
interface Understood {
  readonly plan: TurnPlan
  readonly topic: Topic | undefined
}

/**
 * Greetings, noise and questions about the world propose nothing; so does whatever is too far from every tool. What
 * the turns before were about is read from them anew: six short texts, and nothing else is kept.
 */
export const mechanicalPlan = ({ history, near, text, time, today, tools }: Turn): TurnPlan => {
  const ranked = new Map<string, ReadonlyArray<Ranked>>()
  const rank: Heard["rank"] = (said, verbatim = said) => {
    const key = JSON.stringify([said, verbatim])
    const known = ranked.get(key) ?? rankTools({ text: said, verbatim, today }, tools, near(said))
    ranked.set(key, known)
    return known
  }
  const heard = { time, today, tools, rank }
  const topic = history.reduce<Topic | undefined>(
    (before, { user }) => understood({ ...heard, text: user }, before).topic,
    undefined,
  )
  return understood({ ...heard, text }, topic).plan
}

/** As it is written; where that comes to nothing, without its slips of the finger. */
const understood = (turn: Heard, topic: Topic | undefined): Understood => {
  const read = reading(turn, topic)
  if (read.plan.candidate_tools.length > 0) return read
  const text = mended(asLine(turn.text), vocabularyOf(turn.tools))
  if (text === asLine(turn.text)) return read
  const second = reading({ ...turn, text }, topic)
  return needsTool(second.plan.intent) ? second : read
}

const reading = (turn: Heard, topic: Topic | undefined): Understood => {
  const { rank, today, tools } = turn
  const line = asLine(turn.text)
  // A question that is not answered now is not open any more.
  const kept = topic === undefined || topic.missing.length > 0 ? undefined : topic
  const nothing = (...said: Parameters<typeof without>): Understood => ({
    plan: without(...said),
    topic: kept,
  })
  const told = clockPlan(line, turn)
  if (told !== undefined) return { plan: told, topic: kept }
  if (topic?.left !== undefined && asksForRest(line))
    return meant([topic.left], "It is what is left of the turn before.")
  if (asksForRest(line) && /\b(?:rest|remain\w*|left)\b/i.test(line))
    return nothing("user_question", "Nothing is left.", 0.8, "Nothing is left to do.")
  const alone = () => rank(line, turn.text)
  const followed = () =>
    topic && followUp({ line, verbatim: turn.text, today, tools, alone }, topic)
  const manner = mannerOf(line)
  const answer =
    topic !== undefined && topic.missing.length > 0 && manner !== "refusal" ? followed() : undefined
  if (answer?.missing.length === 0) return meant([answer], "It answers the question before.")
  if (manner === "noise") return nothing("unclear", "The words are no words.", 0.1)
  if (manner === "greeting")
    return nothing("user_question", "A greeting.", 0.9, "Hello! What can I do for you?")
  if (manner === "refusal")
    return nothing(
      "user_question",
      "Nothing is to be done.",
      0.8,
      "All right, I leave it as it is.",
    )
  if (manner === "question")
    return nothing("user_question", "A question that no tool answers.", 0.8)
  const follows = followed()
  if (follows !== undefined) return meant([follows], "It follows on the turn before.")
  const strange = unknownSetting(line, tools)
  const switches = [line, ...wishes(line)].map((wish) => rank(wish)[0]!).filter(leadsToSwitch)
  if (strange !== undefined && switches.length > 0)
    return {
      plan: without(
        "automation",
        `No tool is for ${strange}.`,
        0.35,
        askWhichSetting(strange, tools),
      ),
      // Whichever is named next: it is to be switched as this was.
      topic: { ...switches[0]!, missing: ["setting"] },
    }
  const both = twoActions(line, turn)
  if (both !== undefined) {
    const { plan, topic: first } = meant(both, "Two actions are asked for.")
    return { plan, topic: { ...first!, left: both[1]! } }
  }
  if (wordsOf(line).every((word) => small.has(word)))
    return nothing("unclear", "The words name nothing.", 0.2)
  const ranked = completeFirst(alone())
  const [first] = ranked
  if (first === undefined || first.score < LEAST)
    return asks(line) && stemsOf(line).length > 2
      ? nothing("user_question", "No tool is near enough.", 0.5)
      : nothing("unclear", "No tool is near enough.", 0.2)
  const chosen = candidates(ranked)
  return meant(chosen, `Nearest to ${chosen.map(({ tool }) => tool.name).join(" and ")}.`)
}

/** A search that lacks what is sought gives way to one of its kind that has all it needs. */
const completeFirst = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const [first] = ranked
  if (first === undefined || first.missing.length === 0) return ranked
  const other = ranked.find(
    ({ missing, score, tool }) =>
      missing.length === 0 && score >= LEAST && tool.group === first.tool.group,
  )
  return other === undefined || !first.tool.group!.endsWith("_search") ? ranked : [other]
}

/** The plan for tools that were found, or the question for what the first still needs. */
const meant = (chosen: ReadonlyArray<Ranked>, why: string): Understood => {
  const [topic] = chosen as [Ranked]
  return {
    topic,
    plan:
      topic.missing.length === 0
        ? planned(chosen, why)
        : without(
            intentOf(topic.tool),
            `Nearest to ${topic.tool.name}, which also needs ${topic.missing.join(", ")}.`,
            0.35,
            questionFor(topic),
          ),
  }
}
