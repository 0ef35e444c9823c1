/** Plans a turn without a model: every word understood, the nearest look-up, or a question. */
import * as Effect from "effect/Effect"
import type {
  IndexHit,
  ModelFailed,
  StageContext,
  StageFailed,
  Tool,
} from "@planloom/plugin/effect"
import {
  callWords,
  confidenceOf,
  english,
  readCall,
  readRequest,
  readWords,
  uncertainClaims,
  isAbout,
  isComplete,
  namesTool,
  openPhrases,
  openWords,
  type CallReading,
  type RequestReading,
} from "@planloom/planning/reading"
import type { JsonObject } from "@planloom/plugin/effect"
import { sameJson } from "@planloom/schema"
import { toolDocument } from "@planloom/planning"
import { replyFor, unclearOf, type Intent, type PastTurn, type TurnPlan } from "./Intent.ts"
import { shortReply } from "./shortReply.ts"

/** Tools that the index looks up for one text. */
const NEAREST = 5

const UNCLEAR = "Sorry, I did not understand that."

export interface Turn {
  readonly text: string
  /** Oldest first. */
  readonly history: ReadonlyArray<PastTurn>
  /** The user's current date, YYYY-MM-DD. */
  readonly today: string
  readonly tools: ReadonlyArray<Tool>
  readonly intents: ReadonlyArray<Intent>
}

/** The plan of a message by English words. Deterministic: the same turn gives the same plan. */
export const readTurn = (
  turn: Turn,
  { index }: StageContext,
): Effect.Effect<TurnPlan, ModelFailed | StageFailed> =>
  Effect.gen(function* () {
    const { history, text, today, tools } = turn
    const calls = tools.map((tool) => callWords(tool, english))
    const built = yield* index(tools.map(toolDocument))
    const nearTo = (said: string) =>
      Effect.map(
        built.search(said, { limit: NEAREST }),
        (hits: ReadonlyArray<IndexHit>) => () => hits.map(({ id }) => id),
      )
    const input = { grammar: english, today, calls }
    const last = history.at(-1)
    const before =
      last?.assistant.trim().endsWith("?") === true
        ? {
            text: last.user,
            reading: readRequest({ ...input, text: last.user, near: yield* nearTo(last.user) }),
          }
        : undefined
    const reading = readRequest({
      ...input,
      text,
      near: yield* nearTo(text),
      ...(before === undefined ? {} : { before }),
    })
    return planOf(reading, turn)
  })

/** "Is February 28 the last day of the month?" has dates, but no word for what a tool looks up. */
const isElsewhere = ({ reading }: CallReading): boolean =>
  openWords(reading).length > 0 && !namesTool(reading)

const planOf = (reading: RequestReading, { intents, text }: Turn): TurnPlan => {
  if (reading.type === "calls") return proposed(reading.calls, intents)
  const words = readWords(text, english)
  const asks = words.some(({ operator }) => operator === "question")
  const { near } = reading
  if (reading.type === "ask" && !(asks && isElsewhere(reading.near)))
    return idle(near, reading.question.text, "One thing is not known.", [])
  const isEnglish = words.some((word) => word.class !== "content")
  const open = reading.type === "ask" ? [] : reading.open
  const isOther = reading.type === "ask" || near?.call.writes === true
  if (near === undefined || (asks && (isOther || !isAbout(near.reading)))) {
    const chatty = intents.filter(({ tools }) => tools === "none").at(-1)
    const intent = isEnglish ? chatty : unclearOf(intents)
    return idle(undefined, intent?.reply ?? UNCLEAR, "No tool does it.", open, intent?.id)
  }
  const quoted = open.map((phrase) => `"${phrase}"`).join(", ")
  return idle(near, `I did not understand ${quoted}.`, `Not understood: ${quoted}.`, open)
}

const idle = (
  near: CallReading | undefined,
  reply: string,
  why: string,
  open: ReadonlyArray<string>,
  intent = "",
): TurnPlan => ({
  intent: near?.call.tool.group ?? intent,
  reasoning_summary: why,
  chat_response: shortReply(reply),
  candidate_tools: [],
  each: false,
  arguments: {},
  confidence: near === undefined ? 0 : Math.min(0.3, confidenceOf(near.reading)),
  settled: false,
  open,
})

const proposed = (calls: ReadonlyArray<CallReading>, intents: ReadonlyArray<Intent>): TurnPlan => {
  const [first] = calls as [CallReading]
  const names = calls.map(({ call }) => call.tool.name)
  const intent = first.call.tool.group ?? ""
  return {
    intent,
    reasoning_summary: `Every word is used for ${names.join(" and ")}.`,
    chat_response: shortReply(replyFor(intents, intent)),
    candidate_tools: names,
    each: calls.length > 1,
    arguments: Object.assign({}, ...calls.toReversed().map(({ params }) => params)) as JsonObject,
    confidence: Math.min(...calls.map(({ reading }) => confidenceOf(reading))),
    settled: true,
    open: [],
  }
}

/**
 * Whether a model's plan is what the words say: its first tool, read from the message alone, uses every word for
 * certain and gives the same arguments. `open` lists the words without a use.
 */
export const settledBy = (
  text: string,
  today: string,
  tool: Tool,
  params: JsonObject,
): Pick<TurnPlan, "settled" | "open"> => {
  const read = readCall(callWords(tool, english), { text, grammar: english, today })
  const settled =
    isComplete(read) &&
    uncertainClaims(read.reading).length === 0 &&
    Object.entries(read.params).every(([name, value]) => sameJson(value, params[name]))
  return { settled, open: openPhrases(read.reading).map((phrase) => phrase.text) }
}
