/** A tool's arguments from the words of a request: each param's `role` says which words are meant. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { addDays, readDates } from "../language/readDates.ts"
import { folded, small, stemOf, wordsOf } from "../language/words.ts"

interface Param {
  readonly role?: string
  readonly enum?: ReadonlyArray<Json>
}

export interface Reading {
  /** With single spaces: patterns over long runs of them take forever. */
  readonly text: string
  /** As it was written; what is quoted is taken from here. */
  readonly verbatim: string
  /** The user's day, as `2026-11-21`. */
  readonly today: string
  /** Words that point at what was said before; given for a message that follows on it. */
  readonly follows?: ReadonlySet<string>
}

type Params = ReadonlyArray<readonly [name: string, param: Param]>
const paramsKnown = new WeakMap<object, Params>()

export const paramsOf = ({ params }: Tool): Params => {
  const { properties = {} } = params as { readonly properties?: { readonly [name: string]: Param } }
  const known = paramsKnown.get(properties) ?? Object.entries(properties)
  paramsKnown.set(properties, known)
  return known
}

export const requiredOf = (tool: Tool): ReadonlyArray<string> => {
  const { required } = tool.params as { readonly required?: unknown }
  return Array.isArray(required) ? required.map(String) : []
}

export const hasRole = (tool: Tool, role: string): boolean =>
  paramsOf(tool).some(([, param]) => param.role === role)

/** What stands in quotes, quotes left out; apostrophes inside words are none. */
export const quoted = (text: string): string | undefined =>
  (
    /["“„«]([^"”“»]+)["”»]/.exec(text) ??
    /(?<!\w)['‘]([^'’]+(?:['’]\w[^'’]*)*)['’](?!\w)/.exec(text)
  )?.[1]?.trim()

/** Names people give to kinds of files, by the kind. */
const typeWords: ReadonlyArray<readonly [string, RegExp]> = [
  ["pdf", /\bpdfs?\b/],
  ["spreadsheet", /\b(?:spread ?sheets?|excel|csvs?|xlsx?)\b/],
  ["presentation", /\b(?:presentations?|power ?points?|slides?|slide ?decks?|decks?|pptx?)\b/],
  ["document", /\b(?:word (?:files?|documents?|docs?)|docx|odt)\b/],
  ["markdown", /\b(?:markdown|md files?)\b/],
  ["text", /\b(?:text (?:files?|documents?)|txt|log files?)\b/],
  ["audio", /\b(?:audio|mp3s?|songs?|voice (?:memos?|notes?)|recordings?|sound files?)\b/],
  ["video", /\b(?:videos?|movies?|clips?|mp4s?)\b/],
  ["archive", /\b(?:zips?|archives?|zip files?)\b/],
  ["image", /\b(?:jpe?gs?|pngs?|image files?)\b/],
]

const anyType = typeWords.map(([, pattern]) => new RegExp(pattern, "gi"))

export const readType = (text: string): string | undefined =>
  typeWords.find(([, pattern]) => pattern.test(folded(text)))?.[0]

const off =
  /\b(?:off|disabl(?:e[ds]?|ing)|deactivat(?:e[ds]?|ing)|disconnect(?:ed|ing)?|kill(?:ing)?|stop(?:ping)?|cut|shut|no more|without|offline|unplug)\b/
const on =
  /\b(?:on|enabl(?:e[ds]?|ing)|activat(?:e[ds]?|ing)|connect(?:ed|ing)?|start(?:ing)?|reconnect|back|online|need|give|make|want)\b/

/** Asks how it is, and wants nothing changed. */
const stateQuestion = /^(?:is|are|was|were|what|why|how|when|did|does|has|have)\b/

export const readSwitch = (text: string): string | undefined => {
  const said = folded(text).trim()
  if (stateQuestion.test(said)) return undefined
  if (/\b(?:toggle|flip)\b/.test(said)) return "flip"
  return off.test(said) ? "off" : on.test(said) ? "on" : undefined
}

/** By when files changed, where a request says so. */
const readOrder = (text: string): string | undefined => {
  const said = folded(text)
  if (/\b(?:newer|newest|latest|most recent)\b/.test(said)) return "newest"
  return /\b(?:older|oldest)\b/.test(said) ? "oldest" : undefined
}

/** What follows a verb of opening, without article and the word "app". */
const readApp = (text: string): string | undefined => {
  const found =
    /\b(?:open(?: up)?|launch|start|run|fire up|bring up|go to|take me to|switch to|show me|load)\s+(?:me )?(.+)$/i.exec(
      text,
    )?.[1] ?? /\b(?:my|the)\s+(.+?)\s+app\b/i.exec(text)?.[1]
  const name = (quoted(text) ?? found ?? "")
    .replace(/^(?:up )?(?:the|my|an?) /i, "")
    .replace(/\b(?:app|application|please|now|for me)\b/gi, " ")
    .replace(/\b(?:and|then)\b.*$/i, "")
    .replace(/[.!?,\s]+$/, "")
    .replace(/\s+/g, " ")
    .trim()
  return name === "" || wordsOf(name).length > 4 ? undefined : name
}

/** What is to be copied: what is quoted, else what follows the wish. */
const readText = ({ text, verbatim }: Reading): string | undefined => {
  const given =
    quoted(verbatim) ??
    /:\s*(\S[\s\S]*)$/.exec(text)?.[1] ??
    /\b(?:copy|put|place)\s+(?:(?:the|these)\s+(?:words?|text|following)\s+)?(.+?)(?:\s+(?:(?:on)?to|on|in|into)\s+(?:the|my)\s+(?:clipboard|pasteboard)\b.*)?[.!]?$/i.exec(
      text,
    )?.[1]
  const found = given?.trim()
  // "copy this text" names nothing that could be copied.
  return found === undefined ||
    /^(?:this|that|it|the)?\s*(?:text|following|this|that|it|down)?$/i.test(found)
    ? undefined
    : found
}

const aroundPeople = new Set(
  `call ring dial phone text message mail email e write contact reach number numbers address addresses mobile cell up lookup details
info send sms ping telephone how book of for friend new find again now`.split(/\s+/),
)

const readPerson = ({ follows, text }: Reading): string | undefined => {
  const said = quoted(text)
  if (said !== undefined) return said
  const named = text
    .replace(/['’]s\b/g, "")
    .split(/[^\p{L}\p{N}.-]+/u)
    .map((word) => word.replace(/^[.-]+|[-]+$|(?<!\bdr)\.$/gi, ""))
    .filter((word) => {
      const plain = folded(word)
      return plain !== "" && !small.has(plain) && !aroundPeople.has(plain) && !follows?.has(plain)
    })
  return named.length === 0 || named.length > 4 ? undefined : named.join(" ")
}

const readField = (text: string): string | undefined =>
  /\be-?mail\b|\bmail\b/i.test(text)
    ? "email"
    : /\b(?:call|ring|dial|number|phone|text|sms)\b/i.test(text)
      ? "phone"
      : undefined

/** A folder is named by "in Downloads" or "my Downloads folder". */
const readFolder = (text: string): string | undefined =>
  /\b(?:in|from|inside|under)\s+(?:the|my)?\s*([\p{L}\p{N}_-]+)\s+(?:folder|directory)\b/iu.exec(
    text,
  )?.[1] ??
  /\b(?:in|from|inside)\s+(?:my\s+|the\s+)?(downloads?|documents|photos|pictures)\b/i.exec(
    text,
  )?.[1]

const readLimit = (text: string): number | undefined => {
  const found =
    /\b(?:top|first|last|latest|newest|recent|show(?: me)?|find|list)\s+(?:the\s+|my\s+)?(\d{1,2})\b/i.exec(
      text,
    )?.[1]
  if (/\b(?:first|newest|latest|oldest) one\b/i.test(text)) return 1
  const limit = Number(found)
  return found === undefined || limit < 1 ? undefined : Math.min(20, limit)
}

/** What is left when a kind of file and a folder have been read, by tools that take them. */
const besides = (tool: Tool, text: string): string => {
  let rest = text
  if (hasRole(tool, "file_type")) for (const pattern of anyType) rest = rest.replace(pattern, " ")
  const folder = hasRole(tool, "folder") ? readFolder(text) : undefined
  return folder === undefined ? rest : rest.replace(folder, " ")
}

/** Words of a request that name its kind of thing, not the thing; by the tool's own words. */
const query = (tool: Tool, reading: Reading, rest: string): string | undefined => {
  const said = quoted(reading.verbatim)
  if (said !== undefined) return said
  // A day alone is nothing to look for, also where a tool knows no days.
  const days = readDates(rest, { today: reading.today, past: true })
  if (days !== undefined && wordsOf(days.rest).every((word) => small.has(word))) return undefined
  const kindly = kindWords(tool)
  const kept = wordsOf(besides(tool, rest)).filter(
    (word) => !small.has(word) && !kindly.has(stemOf(word)) && reading.follows?.has(word) !== true,
  )
  return kept.length === 0 ? undefined : kept.join(" ")
}

const generic: { readonly [group: string]: string } = {
  file_search:
    "file files document documents doc docs saved stored save phone device storage folder most recent latest newest newer older oldest ones",
  photo_search:
    "photo photos picture pictures pic pics image images snap snaps snapshot selfie shot photograph taken took phone gallery",
  calendar_query: `calendar event events schedule agenda busy free plan plans planned next upcoming happening time day meeting meetings appointment
appointments morning afternoon evening noon visit coming anything list go going`,
}

const kinds = new Map(
  Object.entries(generic).map(([group, words]) => [group, new Set(words.split(/\s+/).map(stemOf))]),
)
const noKinds: ReadonlySet<string> = new Set()

/** Stems of the words that name the kind of thing a tool finds. */
export const kindWords = (tool: Tool): ReadonlySet<string> => kinds.get(tool.group ?? "") ?? noKinds

/** Arguments that the words give; what they do not give is left out. */
export const fillArguments = (tool: Tool, reading: Reading): JsonObject => {
  const past = tool.group === "file_search" || tool.group === "photo_search"
  const days = hasRole(tool, "date_from")
    ? readDates(reading.text, { today: reading.today, past })
    : undefined
  const rest = days?.rest ?? reading.text
  // Who asks when something is, without a day, means from today on.
  const soon =
    days === undefined && tool.group === "calendar_query" && reading.follows === undefined
  const values: { readonly [role: string]: Json | undefined } = {
    query: query(tool, reading, rest),
    file_type: readType(reading.text),
    folder: readFolder(reading.text),
    date_from: soon ? reading.today : days?.from,
    date_to: soon ? addDays(reading.today, 365) : days?.to,
    switch: readSwitch(reading.text),
    order: readOrder(reading.text),
    app: readApp(reading.text),
    text: readText(reading),
    person: readPerson(reading),
    contact_field: readField(reading.text),
    limit: readLimit(reading.text),
  }
  return Object.fromEntries(
    paramsOf(tool).flatMap(([name, { role = "" }]) => {
      const value = values[role]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** An answer to the question for one param, without a sentence around it; undefined where it is none. */
export const bareAnswer = (role: string | undefined, line: string): Json | undefined => {
  const said = quoted(line) ?? line.replace(/^(?:the|my|an?|to|for|it is|it's)\s+|[.!?,\s]+$/gi, "")
  if (said === "") return undefined
  switch (role) {
    case "text":
      return said
    case "app":
    case "query":
      return wordsOf(said).length > 4 ? undefined : said
    default:
      return undefined
  }
}
