/** Names of what a run records, such as `work[2]/results~2/tool:find`: makes their segments, and takes names apart. */

/**
 * Words of the engine's own segments. Each is written with a colon, `fallback:1`, and the id of a stage has none: a name of
 * the engine is never a name of an author, whatever that is.
 */
export const words = [
  // Parts of an occurrence.
  "answered",
  "attempt",
  "fallback",
  "mechanical",
  "model",
  "new_call",
  "pause",
  "run",
  "workflow",
  // What an attempt does.
  "approval",
  "clarification",
  "embed",
  "events",
  "gate",
  "gate_step",
  "hook",
  "hooks",
  "id",
  "image",
  "made",
  "now",
  "question",
  "random",
  "reply",
  "review",
  "search",
  "section",
  "shown",
  "sleep",
  "step",
  "text",
  "tool",
  "tools",
  "use",
] as const

export type Word = (typeof words)[number]

/** Words of records of a whole run: each is written behind `run:`. */
export const runWords = [
  "correction",
  "failed",
  "finished",
  "prompts",
  "response",
  "section",
  "session",
  "session_kept",
  "shown",
  "tools",
] as const

/** What ends a segment, and what stands for it. */
const special = /[%/~[\]]/

/** A text of an author, a model or a plugin as part of a segment, without the characters that end one. */
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[%/~[\]]/g, encoded) : text

const encoded = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`

const unescaped = (text: string): string =>
  text.replace(/%([0-9A-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** `about` numbers or names what the segment stands for; it is unique among those of its word below `path`. */
export const below = (path: string, word: Word, about: string | number): string =>
  `${path}/${word}:${typeof about === "number" ? about : escaped(about)}`

/** The name of a record of the whole run, or of the nested workflow whose frame has the prefix. */
export const ofRun = (
  what: (typeof runWords)[number],
  about: ReadonlyArray<string | number> = [],
  prefix = "",
): string => `${prefix}${["run", what, ...about].map((part) => escaped(String(part))).join(":")}`

/** A key that no other run has: of a reservation in a shared budget, or of a call of a tool for its service. */
export const inRun = (run: string, name: string): string => `${escaped(run)}/${name}`

/** What a segment `gate` is about: a reviewer, the digest of what it reviews, and which of equal reviews it is. */
export const gateReview = (reviewer: string, digest: string, number: number): string =>
  number === 1 ? `${reviewer}:${digest}` : `${reviewer}:${digest}:${number}`

/** The part of a name for a model: `vendor:small`. */
export const modelPart = (model: string): string => {
  const slash = model.indexOf("/")
  const provider = escaped(model.slice(0, Math.max(0, slash))).replaceAll(":", "%3A")
  return `${provider}:${escaped(model.slice(slash + 1))}`
}

/** The name of the request to one model that a call makes: `…/model:1:vendor:small`. `part`: see `modelPart`. */
export const ofModel = (call: string, part: string): string => `${call}:${part}`

/** The name of the call that a request to one model belongs to: the same for each model that it tries. */
export const callOf = (request: string): string => {
  const start = request.lastIndexOf("/") + 1
  const [word, number] = request.slice(start).split(":")
  return `${request.slice(0, start)}${word}:${number}`
}

/** An occurrence of a stage; `prefix` is empty or ends with a slash, `round` counts from 1. */
export const occurrenceAt = (prefix: string, id: string, round: number): string =>
  round === 1 ? prefix + id : `${prefix}${id}~${round}`

/** An item of a list, or an iteration of a loop. */
export const itemAt = (path: string, index: number): string => `${path}[${index}]`

/** The prefix of what is inside an occurrence. */
export const prefixOf = (path: string): string => `${path}/`

/** `results~2[7]`, `attempt:2[0]`. */
export interface Segment {
  readonly id: string
  readonly round: number
  readonly indices: ReadonlyArray<number>
}

export const segmentOf = (text: string): Segment => {
  const [, id = text, round = "1", indices = ""] =
    /^([^~[\]]+)(?:~(\d+))?((?:\[\d+\])*)$/.exec(text) ?? []
  return {
    id,
    round: Number(round),
    indices: [...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits)),
  }
}

export const segmentsOf = (name: string): ReadonlyArray<string> => name.split("/")

/** The segment in which the name ends. */
export const lastOf = (name: string): Segment => segmentOf(name.slice(name.lastIndexOf("/") + 1))

/** The segment with which the name begins. */
export const firstOf = (name: string): Segment => segmentOf(name.split("/", 1)[0]!)

/** What a segment of this word is about; undefined for another segment. */
export const aboutOf = (segment: string, word: Word): string | undefined =>
  segment.startsWith(`${word}:`) ? unescaped(segment.slice(word.length + 1)) : undefined

/** The number of a segment of this word, without its indices; undefined for another segment. */
export const numberOf = (segment: string, word: Word): number | undefined => {
  const number = aboutOf(segmentOf(segment).id, word)
  return number === undefined || !/^\d+$/.test(number) ? undefined : Number(number)
}

interface Attempted {
  readonly path: string
  readonly answers: ReadonlyArray<unknown>
  readonly strategy: "model" | "mechanical" | undefined
}

/**
 * The name of an attempt's record, and the prefix of the names of its calls. Each strategy has names of its own, so
 * that the second one is not answered with what the first one asked; so has each attempt after a further answer.
 */
export const attemptName = ({ answers, path, strategy }: Attempted, attempt: number): string => {
  const base = answers.length === 0 ? path : below(path, "answered", answers.length)
  return strategy === undefined && attempt === 1 ? base : below(base, strategy ?? "run", attempt)
}

export interface AttemptPosition {
  /** The prefix of the names inside the attempt; empty for the first attempt of a kind with one strategy. */
  readonly within: string
  /** Counts from 1 for each strategy, and again after each answer. */
  readonly attempt: number
  /** Grows with every attempt of the occurrence. */
  readonly rank: number
}

const attemptStart = /^(answered:(\d+)(?:\/|$))?((run|model|mechanical):(\d+)(?:\/|$))?/

/** Parses the part of a name that follows the path of an occurrence, without its leading slash. */
export const parseAttemptName = (inside: string): AttemptPosition => {
  const [within = "", , answered = "0", , strategy = "run", attempt = "1"] =
    attemptStart.exec(inside) ?? []
  return {
    within: within.replace(/\/$/, ""),
    attempt: Number(attempt),
    rank: (Number(answered) * 2 + (strategy === "mechanical" ? 1 : 0)) * 1e6 + Number(attempt),
  }
}

/** The name of the occurrence that an attempt's record belongs to; the name itself if it is that of no attempt. */
export const occurrenceOf = (name: string): string =>
  name.replace(/(?:\/answered:\d+)?(?:\/(?:run|model|mechanical):\d+)?$/, "")

/** A stage's own attempts and the pauses between them, not what is recorded inside of them. */
export const isAttemptOf = (
  name: string,
  { attempt, path }: { readonly path: string; readonly attempt: number },
): boolean => {
  if (name === path) return attempt === 1
  if (!isBelow(name, path)) return false
  const rest = name.slice(path.length + 1)
  const last = segmentsOf(rest).at(-1)!
  const number = numberOf(last, "attempt") ?? numberOf(last, "pause")
  if (number === undefined) return occurrenceOf(name) === path
  return number >= attempt && occurrenceOf(name.slice(0, -last.length - 1)) === path
}

/** Whether a name ends in a segment of one of these words. */
export const endsIn = (name: string, ...ends: ReadonlyArray<Word>): boolean => {
  const { id } = lastOf(name)
  return ends.some((word) => id.startsWith(`${word}:`))
}

/** Words of what is drawn: the time, a random number, an id. */
export const draws = ["now", "random", "id"] as const satisfies ReadonlyArray<Word>

export type Draw = (typeof draws)[number]

/** Whether the name is that of a question with the key. */
export const isQuestion = (name: string, key: string): boolean =>
  segmentsOf(name).at(-1) === `question:${escaped(key)}`

/** The record of the reviews of an output that has left, by the id of the stage that wrote it. */
export const ofCorrection = (output: string, stage: string): string =>
  ofRun("correction", [output, stage])

/** Whether the segment is one of the engine rather than the id of a stage. */
export const isEngines = (segment: string): boolean => segment.includes(":")

/** Whether the name is within the path, and not the path itself. */
export const isBelow = (name: string, path: string): boolean => name.startsWith(`${path}/`)

/** The names that enclose this one, innermost first: `work[2]` and `work` of `work[2]/results`. */
export function* outerNames(name: string): Generator<string> {
  for (let end = name.length - 1; end > 0; end--) {
    if (name[end] === "/" || name[end] === "[") yield name.slice(0, end)
  }
}

/** `work[2]/results` is within `work`, `work[2]` and itself; so are nested records and later reruns. */
export const isPathWithin = (path: string, outer: string): boolean =>
  path.startsWith(outer) && (path.length === outer.length || "/[~".includes(path[outer.length]!))
