/** What a message means that stands on what was spoken of before: "the newer one", "and her email?", "off". */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { readDates } from "../language/readDates.ts"
import { folded, plainly, small, wordsOf } from "../language/words.ts"
import { bareAnswer, fillArguments, paramsOf, requiredOf } from "./fillArguments.ts"
import { LEAST, namedTools, type Ranked } from "./rankTools.ts"

/** What was spoken of last: the tool that was meant, what has been said for it, and what was asked for. */
export interface Topic {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly missing: ReadonlyArray<string>
  /** The second of two actions, which has not been done. */
  readonly left?: Ranked
}

const forRest =
  /^(?:(?:ok|okay|yes|yeah|sure|great|thanks|thank you|and|so|also|now|then|please)[ ,.!]+)*(?:(?:(?:do|run|finish|complete|continue with|go on with|carry on with|go ahead with|proceed with) )?(?:(?:the |that )?(?:rest|remainder|remaining|other|second|next)(?: one| thing| action| part)?(?: of (?:it|that|them))?|what(?:'s| is) (?:left|still to do|missing)|both)|continue|go on|carry on|go ahead|proceed|keep going)(?: too| as well| now| then| please)*[ .!?]*$/

/** Whether a message asks for what is left of two actions: "do the rest", "and the other one". */
export const asksForRest = (line: string): boolean => forRest.test(folded(plainly(line)).trim())

/** Longer messages say themselves what they are about. */
const LONGEST = 8

/** A whole request this near to a tool is no answer to what was asked. */
const CLEAR = 0.5

/** How sure it is that a follow-up continues the topic. */
const CONTINUED = 0.7

const refersBack =
  /\b(?:it|its|that|those|them|one|ones|this|these|again|instead|too|as well|same|other|newer|older|more|another|his|her|their)\b|^(?:and|what about|how about|or|but|no|also|then|now)\b/i

/** How a message begins that is only a piece of one. */
const piece = /^(?:from|in|on|at|with|without|before|after|since|until|only|just|of|for)\b/i

/** How a message begins that is a question or a wish of its own. */
const whole =
  /^(?:what(?! about)|who|when|where|why|how(?! about)|which|is|are|am|do|does|did|can|could|would|will|have|has|show|find|search|list|give|tell|turn|switch|call|open|please)\b/i

/** Words that point at the topic and say nothing of it. */
const pointing = new Set(
  `it its that those them one ones this these again instead too also well same other others another more his her their and or but no
then now first second third newer newest older oldest latest most recent next previous only just back without before after since until`.split(
    /\s+/,
  ),
)

interface Asked {
  /** With single spaces. */
  readonly line: string
  readonly verbatim: string
  readonly today: string
  readonly tools: ReadonlyArray<Tool>
  /** What the message means when nothing came before it. */
  readonly alone: () => ReadonlyArray<Ranked>
}

/** Undefined where the message stands for itself. A topic word of another tool beats whatever came before. */
export const followUp = (asked: Asked, topic: Topic): Ranked | undefined => {
  const { line, tools } = asked
  if (wordsOf(line).length > LONGEST) return undefined
  const answers = topic.missing.length > 0
  const leans = answers || refersBack.test(line)
  const named = namedTools(line, tools)
  if (named.size > 0 && !named.has(topic.tool.name))
    return leans ? anotherTool(asked, topic, named) : undefined
  if (named.size > 0 && !leans && !piece.test(line)) return undefined
  if (answers && isRequest(asked, topic)) return undefined
  return leans || isPiece(asked) ? sameTopic(asked, topic) : undefined
}

const isRequest = ({ alone, line }: Asked, topic: Topic): boolean => {
  const [first] = alone()
  return (
    first !== undefined &&
    first.tool !== topic.tool &&
    first.missing.length === 0 &&
    first.score >= (whole.test(line) ? LEAST : CLEAR)
  )
}

/** "Turn on bluetooth", "and the wifi?": what is wanted stays, of something else. */
const anotherTool = (
  { alone }: Asked,
  topic: Topic,
  named: ReadonlySet<string>,
): Ranked | undefined => {
  const found = alone().find(({ tool }) => named.has(tool.name))
  if (found === undefined || found.missing.length === 0) return undefined
  const filled = completed(found, topic.arguments)
  return filled.missing.length > 0
    ? undefined
    : { ...found, ...filled, score: Math.max(found.score, CONTINUED) }
}

/** What is missing, from what was said of something else. */
export const completed = (
  { arguments: given, missing }: Ranked,
  before: JsonObject,
): Pick<Ranked, "arguments" | "missing"> => {
  const found = missing.filter((name) => before[name] !== undefined)
  return {
    arguments: { ...given, ...Object.fromEntries(found.map((name) => [name, before[name]!])) },
    missing: missing.filter((name) => before[name] === undefined),
  }
}

/** The topic with what the message changes of it; undefined when it says something else altogether. */
const sameTopic = (asked: Asked, topic: Topic): Ranked | undefined => {
  const { line, tools, verbatim, today } = asked
  const given = (tool: Tool): JsonObject => ({
    ...answerTo(tool, topic, line),
    ...fillArguments(tool, { text: line, verbatim, today, follows: pointing }),
  })
  const own = given(topic.tool)
  const changes = Object.keys(own).length
  const days = readDates(line, { today, past: topic.tool.group !== "calendar_query" })
  // Nothing has been saved or photographed yet on a day to come.
  if (days !== undefined && days.from > today && topic.tool.group !== "calendar_query")
    return undefined
  // Another way to search may know what to make of a day, or of what is on a photo.
  const sibling = siblingsOf(topic.tool, tools)
    .map((tool) => ({ tool, filled: given(tool) }))
    .find(
      ({ filled, tool }) =>
        Object.keys(filled).length > changes &&
        requiredOf(tool).every((name) => (filled[name] ?? topic.arguments[name]) !== undefined),
    )
  const saysMore = changes > 0 || sibling !== undefined
  const points =
    namedTools(line, tools).has(topic.tool.name) || (days === undefined && isPiece(asked))
  if (!saysMore && !points) return undefined
  const tool = sibling?.tool ?? topic.tool
  const merged = merge(tool, topic.arguments, sibling?.filled ?? own)
  const missing = requiredOf(tool).filter((name) => merged[name] === undefined)
  return { tool, arguments: merged, missing, score: CONTINUED }
}

const siblingsOf = (tool: Tool, tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> =>
  tool.group?.endsWith("_search") === true
    ? tools.filter(({ group, name }) => group === tool.group && name !== tool.name)
    : []

/** The first thing asked for, where the message is nothing but it. */
const answerTo = (tool: Tool, topic: Topic, line: string): JsonObject => {
  const [name] = topic.missing
  if (name === undefined || tool !== topic.tool) return {}
  const param = paramsOf(tool).find(([one]) => one === name)?.[1]
  const value = bareAnswer(param?.role, line)
  return value === undefined ? {} : { [name]: value }
}

/** A new day takes the place of all days before. */
const merge = (tool: Tool, before: JsonObject, given: JsonObject): JsonObject => {
  const { from, to, ...kept } = before
  const days = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
  const known = new Set(paramsOf(tool).map(([name]) => name))
  const all = { ...kept, ...(given["from"] === undefined ? days : {}), ...given }
  return Object.fromEntries(Object.entries(all).filter(([name]) => known.has(name)))
}

/** Whether a message is nothing but pointers, days and small words, or begins as a part of a sentence does. */
const isPiece = ({ line, today }: Asked): boolean => {
  if (piece.test(line)) return true
  if (whole.test(line) && !refersBack.test(line)) return false
  const rest = readDates(line, { today, past: true })?.rest ?? line
  return wordsOf(rest).every((word) => small.has(word) || pointing.has(word))
}
