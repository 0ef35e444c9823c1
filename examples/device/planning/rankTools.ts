/** Which tools a request is for, with how sure that is. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { stemOf, stemsOf, wordsOf } from "../language/words.ts"
import { fillArguments, hasRole, requiredOf, type Reading } from "./fillArguments.ts"
import { likenessOf } from "./likeness.ts"

export interface Ranked {
  readonly tool: Tool
  readonly arguments: JsonObject
  /** Params the tool needs and the request does not give. */
  readonly missing: ReadonlyArray<string>
  /** 0 to 1. */
  readonly score: number
}

/** Below this nothing is proposed. */
export const LEAST = 0.3

/** How often each of the three is right when it is alone; together they add up to 1. */
const LIKENESS = 0.5
const KEYWORDS = 0.35
const PLACE = 0.15

/** What arguments say for or against a tool. */
const FILLED = 0.12
const MISSING = 0.2

/** What a verb of looking says for files. */
const SOUGHT = 0.25

/** What an order says for a tool that finds by what is sought and can sort what it finds. */
const ORDERED = 0.3

const seeking = /\b(?:find|look(?:ing)? (?:for|up)|search|locate|where)\b/i

const needsQuery = (tool: Tool): boolean =>
  hasRole(tool, "query") && requiredOf(tool).includes("query")

/** Words that say which and how many, of whatever is spoken of. */
const anyThing = new Set(
  "recent recently latest newest newer last lately new all every any list kind type format free taken took saved stored changed".split(
    " ",
  ),
)

/** Names of the tools that a text names by a word of their own. */
export const namedTools = (text: string, tools: ReadonlyArray<Tool>): ReadonlySet<string> => {
  const line = wordsOf(text)
    .filter((word) => !anyThing.has(word))
    .join(" ")
  const scores = keywordScores(line, tools)
  return new Set([...scores].flatMap(([name, score]) => (score > 0 ? [name] : [])))
}

const vague = new Set([...anyThing].map(stemOf))

/** What they count beside a topic that is not theirs. */
const VAGUE = 0.4

const isSaid = (key: string, said: string, stems: ReadonlySet<string>): boolean =>
  key.includes(" ") ? said.includes(` ${key}`) : stems.has(key)

const keysKnown = new WeakMap<Tool, ReadonlySet<string>>()

/** The stems of a tool's keywords. */
const keysOf = (tool: Tool): ReadonlySet<string> => {
  const keys =
    keysKnown.get(tool) ?? new Set((tool.keywords ?? []).map((key) => stemsOf(key).join(" ")))
  keysKnown.set(tool, keys)
  return keys
}

const hasOwnWord = (tool: Tool, said: string, stems: ReadonlySet<string>): boolean =>
  [...keysOf(tool)].some((key) => !vague.has(key) && isSaid(key, said, stems))

/** Keywords in a request, each worth less the more tools have it; phrases count as one word. */
const keywordScores = (text: string, tools: ReadonlyArray<Tool>): ReadonlyMap<string, number> => {
  const said = ` ${wordsOf(text).join(" ")} `
  const stems = new Set(stemsOf(text))
  // "The last photo" is about photos: a word for any thing says little where another group's own word stands.
  const topics = new Set(
    tools.filter((tool) => hasOwnWord(tool, said, stems)).map(({ group }) => group),
  )
  const owners = new Map<string, number>()
  for (const tool of tools)
    for (const key of keysOf(tool)) owners.set(key, (owners.get(key) ?? 0) + 1)
  return new Map(
    tools.map((tool) => {
      let score = 0
      for (const key of keysOf(tool)) {
        const there = isSaid(key, said, stems)
        const weight = vague.has(key) && topics.size > 0 && !topics.has(tool.group) ? VAGUE : 1
        if (there) score += weight / Math.sqrt(owners.get(key)!)
      }
      return [tool.name, Math.min(1, score)] as const
    }),
  )
}

/** "On my phone" says where everything is; it is nobody's number. */
const withoutPlace = (text: string): string =>
  text.replace(
    /\b(?:(?:on|of|from|in) )?(?:my|this|the) (?:phone|device|tablet)\b(?! (?:number|book|call))/gi,
    " ",
  )

/**
 * Best first. `near` are the names of the tools an index finds, nearest first. The weights were set on the
 * examples of the catalog and of the workflow's tests.
 */
export const rankTools = (
  reading: Reading,
  tools: ReadonlyArray<Tool>,
  near: ReadonlyArray<string>,
): ReadonlyArray<Ranked> => {
  const text = withoutPlace(reading.text)
  const likest = likenessOf(tools).likest(text)
  const keywords = keywordScores(text, tools)
  // What is looked for and belongs to nothing else is a file.
  const isFile =
    seeking.test(reading.text) &&
    tools.every(({ group, name }) => group === "file_search" || keywords.get(name) === 0)
  return tools
    .map((tool): Ranked => {
      const filled = fillArguments(tool, reading)
      const missing = requiredOf(tool).filter((name) => filled[name] === undefined)
      const place = near.indexOf(tool.name)
      const evidence =
        LIKENESS * (likest.get(tool.name) ?? 0) +
        KEYWORDS * (keywords.get(tool.name) ?? 0) +
        (place < 0 ? 0 : PLACE / (1 + place))
      const looked = isFile && needsQuery(tool) && tool.group === "file_search" ? SOUGHT : 0
      const ordered =
        filled["order"] !== undefined && seeksAThing(tool, filled, tools) ? ORDERED : 0
      const score =
        evidence + looked + fitOf(tool, filled) + ordered - MISSING * Math.min(1, missing.length)
      return { tool, arguments: filled, missing, score: Math.max(0, Math.min(1, score)) }
    })
    .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
}

/** Whether what is sought is more than a number, and than words that another tool of the group is asked with. */
const seeksAThing = (tool: Tool, filled: JsonObject, tools: ReadonlyArray<Tool>): boolean => {
  const others = new Set(
    tools
      .filter(({ group, name }) => group === tool.group && name !== tool.name)
      .flatMap(({ keywords = [] }) => keywords.flatMap(stemsOf)),
  )
  return stemsOf(String(filled["query"] ?? "")).some(
    (stem) => /\p{L}/u.test(stem) && !others.has(stem),
  )
}

/** A tool made for days is meant where there are days and nothing else, one made for kinds where a kind is named. */
const fitOf = (tool: Tool, filled: JsonObject): number => {
  const dated = hasRole(tool, "date_from") && filled["from"] !== undefined
  const typed = hasRole(tool, "file_type") && filled["type"] !== undefined
  const sought = hasRole(tool, "query")
  const needs = requiredOf(tool)
  if (needsQuery(tool)) return filled["query"] === undefined ? 0 : FILLED / 2
  if (needs.includes("type")) return typed ? FILLED * 2 : 0
  if (tool.group === "calendar_query") return dated && !sought ? FILLED : 0
  return hasRole(tool, "date_from") && dated ? FILLED : 0
}
