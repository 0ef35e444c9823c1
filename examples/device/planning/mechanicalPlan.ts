/** A plan without a model: the tools nearest to the words, arguments from the words, nothing where it is not sure. */
import type { JsonObject, Tool } from "@planloom/plugin"
import { asLine, small, stemsOf, wordsOf } from "../language/words.ts"
import { asks, mannerOf } from "./manner.ts"
import { intents, type Intent, type PlannerOutput } from "./PlannerOutput.ts"
import { rankTools, type Ranked } from "./rankTools.ts"
import { hasRole } from "./fillArguments.ts"
import { replyFor } from "./reply.ts"
import { isFor, settingNamed } from "./settingNamed.ts"

/** Below this nothing is proposed. */
const LEAST = 0.3

/** A second tool is proposed when it is nearly as near. */
const NEARLY = 0.75

/** What is sought in an order may as well be seen by that order: then half as near will do. */
const NEARLY_IN_ORDER = 0.5

const rounded = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 100) / 100

const without = (
  intent: Intent,
  why: string,
  confidence: number,
  reply?: string,
): PlannerOutput => ({
  intent,
  reasoning_summary: why,
  chat_response: reply ?? replyFor(intent),
  candidate_tools: [],
  arguments: {},
  confidence,
})

export const intentOf = (tool: Tool): Intent => {
  const { group } = tool
  return intents.find((intent) => intent === group) ?? "user_question"
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

/** Half words of a follow-up, which mean what was spoken of before. */
const refersBack =
  /\b(?:it|that|those|them|one|ones|this|again|instead|too|same|other|newer|older|more|another)\b|^(?:and|what about|how about|or|but|no|also)\b/i

/** What to plan for: a follow-up stands on the last turn, when it says too little itself. */
const spokenOf = (text: string, history: ReadonlyArray<{ readonly user: string }>): string => {
  const last = history.at(-1)?.user
  if (last === undefined || wordsOf(text).length > 8 || !refersBack.test(text)) return text
  return `${asLine(last)} ${text}`
}

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

/** Clauses that may each be a wish of their own: "turn off wifi and open the gallery". */
const wishes = (text: string): ReadonlyArray<string> =>
  text
    .split(/\s*(?:,?\s+and then\s+|,?\s+then\s+|\s+and\s+|;\s*|\.\s+)/i)
    .filter((part) => wordsOf(part).length > 1)

const planned = (chosen: ReadonlyArray<Ranked>, why: string): PlannerOutput => {
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

export interface Turn {
  /** What was said, as it was written. */
  readonly text: string
  /** The user's day, as `2026-11-21`. */
  readonly today: string
  readonly history: ReadonlyArray<{ readonly user: string; readonly assistant: string }>
  readonly tools: ReadonlyArray<Tool>
  /** Names of the tools an index finds for a text, nearest first. */
  readonly near: (text: string) => ReadonlyArray<string>
}

/** Two actions asked for in one sentence, both with all they need; undefined for anything else. */
const twoActions = (line: string, turn: Turn): ReadonlyArray<Ranked> | undefined => {
  const { near, today, tools } = turn
  const parts = wishes(line)
  if (parts.length !== 2) return undefined
  const found = parts.map(
    (text) => rankTools({ text, verbatim: text, today }, tools, near(text))[0],
  )
  const [first, second] = found
  if (first === undefined || second === undefined || first.tool === second.tool) return undefined
  const acts = [first, second].every(
    ({ missing, score, tool }) =>
      missing.length === 0 && score >= LEAST && intentOf(tool) === "automation",
  )
  return acts ? [first, second] : undefined
}

const leadsToSwitch = (first: Ranked | undefined): boolean =>
  first !== undefined && first.score >= LEAST && isSwitch(first.tool)

const isSwitch = (tool: Tool): boolean => hasRole(tool, "switch")

/** The first setting that is wanted switched and that no tool is for. */
const unknownSetting = (line: string, tools: ReadonlyArray<Tool>): string | undefined => {
  const switches = tools.filter(isSwitch)
  const settings = [line, ...wishes(line)].flatMap((wish) => settingNamed(wish) ?? [])
  return settings.find((setting) => !switches.some((tool) => isFor(tool, setting)))
}

/** Names more of what can be switched would not fit into a reply. */
const MOST_NAMED = 3

const askWhichSetting = (setting: string, tools: ReadonlyArray<Tool>): string => {
  const names = tools
    .filter(isSwitch)
    .slice(0, MOST_NAMED)
    .map(({ name }) => name.replaceAll("_", " "))
  const wanted = wordsOf(setting).length > 4 ? "that" : `"${setting}"`
  return `I cannot switch ${wanted}. Which do you mean: ${names.join(", ")}?`
}

/** Greetings, noise and questions about the world propose nothing; so does whatever is too far from every tool. */
export const mechanicalPlan = (turn: Turn): PlannerOutput => {
  const { history, near, today, tools } = turn
  const line = asLine(turn.text)
  const manner = mannerOf(line)
  if (manner === "noise") return without("unclear", "The words are no words.", 0.1)
  if (manner === "greeting")
    return without("user_question", "A greeting.", 0.9, "Hello! What can I do for you?")
  if (manner === "refusal")
    return without(
      "user_question",
      "Nothing is to be done.",
      0.8,
      "All right, I leave it as it is.",
    )
  if (manner === "question")
    return without("user_question", "A question that no tool answers.", 0.8)
  const strange = unknownSetting(line, tools)
  const nearest = (said: string) =>
    rankTools({ text: said, verbatim: said, today }, tools, near(said))[0]
  if (strange !== undefined && [line, ...wishes(line)].some((wish) => leadsToSwitch(nearest(wish))))
    return without(
      "automation",
      `No tool is for ${strange}.`,
      0.35,
      askWhichSetting(strange, tools),
    )
  const both = twoActions(line, turn)
  if (both !== undefined) return planned(both, "Two actions are asked for.")
  const text = spokenOf(line, history)
  if (wordsOf(text).every((word) => small.has(word)))
    return without("unclear", "The words name nothing.", 0.2)
  const verbatim = text === line ? turn.text : text
  const ranked = rankTools({ text, verbatim, today }, tools, near(text))
  const [first] = ranked
  if (first === undefined || first.score < LEAST)
    return asks(line) && stemsOf(line).length > 2
      ? without("user_question", "No tool is near enough.", 0.5)
      : without("unclear", "No tool is near enough.", 0.2)
  if (first.missing.length > 0)
    return without(
      intentOf(first.tool),
      `Nearest to ${first.tool.name}, which also needs ${first.missing.join(", ")}.`,
      0.35,
      questionFor(first),
    )
  const chosen = candidates(ranked)
  const followed = text === line ? "" : " It follows on the turn before."
  return planned(
    chosen,
    `Nearest to ${chosen.map(({ tool }) => tool.name).join(" and ")}.${followed}`,
  )
}
