/** Reads a request as calls of tools, without a model: a complete reading, the nearest look-up, or a question. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { CallWords } from "./CallWords.ts"
import { clausesOf, withoutAmends } from "./dialogueAct.ts"
import { chosen, type Choice, type Question } from "./chosen.ts"
import type { CallReading, RequestText, Undecided } from "./CallReading.ts"
import { isComplete, readCall } from "./readCall.ts"
import {
  covers,
  hasOwn,
  isAbout,
  openPhrases,
  openWords,
  uncertainClaims,
  type Reading,
} from "./Reading.ts"
import type { SpokenParam } from "./SpokenParam.ts"
import { isQuoted, readWords, type Word } from "./words/Word.ts"

/** An answer stands for a tool, or for params that complete the call in question. */
interface CallChoice extends Choice {
  readonly call: CallWords
  readonly params?: JsonObject
}

export type RequestReading =
  /** One call, or two that were each asked for. */
  | { readonly type: "calls"; readonly calls: ReadonlyArray<CallReading> }
  /** `near`: the tool that the question is about. */
  | { readonly type: "ask"; readonly question: Question<CallChoice>; readonly near: CallReading }
  /** No tool has a word of the request, or the words left open cannot be asked about. */
  | { readonly type: "none"; readonly near?: CallReading; readonly open: ReadonlyArray<string> }

export interface RequestInput extends Omit<RequestText, "params"> {
  readonly calls: ReadonlyArray<CallWords>
  /** Names of the tools nearest to a text, nearest first. */
  readonly near: (text: string) => ReadonlyArray<string>
  /** The tools that the conversation is at, best first: values of their params alone ask for them. */
  readonly expected?: ReadonlyArray<Expected>
  /** The message before, if its reading ended with a question. */
  readonly before?: { readonly text: string; readonly reading: RequestReading }
}

export interface Expected {
  readonly tool: string
  /** Values of its params that earlier messages gave; those of this one take their place. */
  readonly given?: JsonObject
}

/** Most calls of one request. */
const MAX_CALLS = 2

/** A longer text is a document, not a request; reading takes time in the square of its words. */
const MAX_CHARACTERS = 1000

const labelOf = ({ tool }: CallWords): string => tool.name.replaceAll("_", " ")

/** Writes of which every word is understood for certain; reads never compete with them. */
const settledWrites = (readings: ReadonlyArray<CallReading>): ReadonlyArray<CallReading> =>
  readings.filter(
    (one) =>
      one.call.writes &&
      isComplete(one) &&
      uncertainClaims(one.reading).length === 0 &&
      isAskedFor(one.reading),
  )

/** Whether a word of the tool is more than the unit of a number: "5000 dollars" asks for nothing. */
const isAskedFor = ({ claims, words }: Reading): boolean => {
  const isUsed = (word: Word | undefined, by: string) =>
    word !== undefined && claims.some((claim) => claim.by === by && covers(claim, word))
  const heavy = words.filter((word) => word.class !== "function")
  return heavy.some(
    (word, at) =>
      isUsed(word, "tool") &&
      (word.operator !== undefined ||
        !(isUsed(heavy[at - 1], "number") || isUsed(heavy[at + 1], "number"))),
  )
}

const severalWrites = (input: RequestInput): ReadonlyArray<CallReading> | undefined => {
  const clauses = clausesOf(input.text, input.grammar)
  if (clauses.length !== MAX_CALLS) return undefined
  const found = clauses.map((text) =>
    settledWrites(input.calls.map((call) => readCall(call, { ...input, text }))),
  )
  if (!found.every(({ length }) => length === 1)) return undefined
  const calls = found.flat()
  return new Set(calls.map(({ call }) => call)).size === MAX_CALLS ? calls : undefined
}

export const readRequest = (input: RequestInput): RequestReading => answered(input) ?? fresh(input)

const fresh = (input: RequestInput): RequestReading => {
  if (input.text.length > MAX_CHARACTERS) return { type: "none", open: [] }
  const readings = input.calls.map((call) => readCall(call, input))
  const settled = settledWrites(readings)
  const expected = expectedIn(input, readings)
  // "Send it to Rosa" asks for what is settled, and not for the amount of another price.
  if (expected !== undefined && (expected.missing.length === 0 || settled.length === 0))
    return nearest(expected, [])
  if (settled.length === 1) return { type: "calls", calls: settled }
  if (settled.length > 1) return which(settled)
  const several = severalWrites(input)
  if (several !== undefined) return { type: "calls", calls: several }
  const near = input
    .near(input.text)
    .flatMap((name) => readings.filter(({ call }) => call.tool.name === name))
    .filter(({ reading }) => hasOwn(reading))
  // The index knows no place for a word that stays open; the reading does.
  const [first] = near.toSorted(
    (left, right) => openOf(left) - openOf(right) || lackOf(left) - lackOf(right),
  )
  if (first === undefined) return { type: "none", open: openTexts(readings[0]) }
  return first.call.writes && isComplete(first) && !isAskedFor(first.reading)
    ? confirm(first, [])
    : nearest(first, readings)
}

/** The first of the expected tools for which the request has values and nothing else, also as a correction: "no, 25". */
const expectedIn = (
  input: RequestInput,
  readings: ReadonlyArray<CallReading>,
): CallReading | undefined => {
  const { expected = [] } = input
  if (expected.length === 0) return undefined
  const text = withoutAmends(input.text, input.grammar)
  const amended =
    text === input.text ? [] : input.calls.map((call) => readCall(call, { ...input, text }))
  for (const all of [readings, amended])
    for (const { given, tool } of expected) {
      const read = all.find((one) => one.call.tool.name === tool && givesValues(one))
      if (read !== undefined) return withGiven(read, given)
    }
  return undefined
}

const withGiven = (read: CallReading, given: JsonObject = {}): CallReading => ({
  ...read,
  params: { ...given, ...read.params },
  missing: read.missing.filter(({ name }) => given[name] === undefined),
})

/** Whether the request is values for the tool and nothing else. */
const givesValues = ({ reading }: CallReading): boolean =>
  openWords(reading).length === 0 && reading.claims.some(({ by }) => by !== "tool" && by !== "form")

const lackOf = ({ missing, reading }: CallReading): number =>
  missing.length + openWords(reading).length

const openOf = ({ reading }: CallReading): number => openWords(reading).length

/** Whether more words are the tool's own than are open: "what's 17 times 23" does not ask for the time. */
const isMostlyRead = ({ reading }: CallReading): boolean =>
  isAbout(reading) &&
  reading.claims.filter(({ by }) => by !== "form").length > openWords(reading).length

const openTexts = (reading: CallReading | undefined): ReadonlyArray<string> =>
  reading === undefined ? [] : openPhrases(reading.reading).map(({ text }) => text)

const nearest = (near: CallReading, readings: ReadonlyArray<CallReading>): RequestReading => {
  const { call, missing, reading, undecided } = near
  const open = openTexts(near)
  if (undecided !== undefined && openWords(reading).every((word) => word === undecided.word))
    return whichParam(near, undecided)
  if (open.length > 0)
    return call.writes || missing.length > 0 || !isMostlyRead(near)
      ? { type: "none", near, open }
      : confirm(near, open)
  const [lacking] = missing
  // No answer would give it.
  if (missing.some(({ takes }) => takes === "other")) return { type: "none", near, open }
  if (lacking !== undefined) return forValue(near, lacking)
  const rivals = readings.filter((one) => one !== near && one.call.writes && isComplete(one))
  if (call.writes && rivals.length > 0) return which([near, ...rivals])
  const guesses = uncertainClaims(reading)
  if (call.writes && guesses.length > 0) return confirm(near, open)
  return guesses.some(({ by }) => by === "rest")
    ? confirm(
        near,
        guesses.map(({ end, start }) => reading.text.slice(start, end)),
      )
    : { type: "calls", calls: [near] }
}

/** A question about what the request leaves out. */
const ask = (
  near: CallReading,
  text: string,
  choices: ReadonlyArray<CallChoice>,
): RequestReading => ({
  type: "ask",
  near,
  question: { about: "", text, choices },
})

const which = (found: ReadonlyArray<CallReading>): RequestReading =>
  ask(
    found[0]!,
    `Which one: ${found.map(({ call }) => labelOf(call)).join(", ")}?`,
    found.map(({ call }) => ({ label: labelOf(call), call })),
  )

/** A question for the param that a code is of. */
const whichParam = (near: CallReading, { params, word: { text } }: Undecided): RequestReading => {
  const choices = params.map(({ label, name }) => ({
    label: `${label} ${text}`,
    call: near.call,
    params: { ...near.params, [name]: text },
  }))
  const labels = choices.map(({ label }) => label)
  return ask(near, `${capital(labelOf(near.call))}: ${alternatives(labels)}?`, choices)
}

const forValue = (near: CallReading, { name, takes, values }: SpokenParam): RequestReading => {
  const label = capital(labelOf(near.call))
  if (takes !== "choice") return ask(near, `${label}: which ${name.replaceAll("_", " ")}?`, [])
  const choices = values.map(({ value }) => ({
    label: String(value),
    call: near.call,
    params: { ...near.params, [name]: value },
  }))
  return ask(near, `${label}: ${alternatives(choices.map((choice) => choice.label))}?`, choices)
}

const confirm = (near: CallReading, open: ReadonlyArray<string>): RequestReading => {
  const quoted = open.map((text) => `"${text}"`).join(", ")
  const unread = open.length === 0 ? "" : ` I did not understand ${quoted}.`
  const given = Object.entries(near.params).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  )
  const values = given.length === 0 ? "" : ` with ${given.join(", ")}`
  return ask(near, `${capital(labelOf(near.call))}${values}?${unread}`, [
    { label: "yes", call: near.call },
  ])
}

/** `on, off or flip`. */
const alternatives = (labels: ReadonlyArray<string>): string =>
  labels.length < 2 ? labels.join("") : `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The message read as the answer to the question before; undefined if it answers nothing. */
const answered = (input: RequestInput): RequestReading | undefined => {
  const { before, text } = input
  if (before === undefined || before.reading.type !== "ask") return undefined
  const { near, question } = before.reading
  if (question.choices.length === 0) return withValue(input, before.text, near)
  const choice = chosen(question, contentOf(text, input))
  if (choice === undefined) return undefined
  const { call, params } = choice
  const read = readCall(call, { ...input, text: before.text, ...(params && { params }) })
  // A yes confirms every interpretation; a name chooses between complete readings.
  return params === undefined ? { type: "calls", calls: [confirmed(read)] } : nearest(read, [])
}

/** Words without politeness: "Wi-Fi, please". */
const contentOf = (text: string, { grammar }: RequestInput): string => {
  const words = readWords(text, grammar)
  const heavy = words.filter((word) => word.class !== "function")
  return (heavy.length === 0 ? words : heavy).map(({ word }) => word).join(" ")
}

const confirmed = (read: CallReading): CallReading => ({
  ...read,
  reading: {
    ...read.reading,
    claims: read.reading.claims.map((claim) => ({ ...claim, certain: true })),
  },
})

/** A text that was asked for is the whole answer, unless it is a wish of its own; a code is what fits. */
const withValue = (
  input: RequestInput,
  before: string,
  near: CallReading,
): RequestReading | undefined => {
  const [{ name, takes }] = near.missing as [CallReading["missing"][number]]
  if (takes === "code") {
    const read = readCall(near.call, { ...input, text: `${before} ${input.text}` })
    return isComplete(read) ? nearest(read, []) : undefined
  }
  const words = readWords(input.text, input.grammar)
  if (takes !== "text" || words.some(isWish)) return undefined
  const value = words.find(isQuoted)?.text ?? input.text.trim()
  if (value === "") return undefined
  const read = readCall(near.call, {
    ...input,
    text: before,
    params: { ...near.params, [name]: value },
  })
  return isComplete(read) ? { type: "calls", calls: [confirmed(read)] } : undefined
}

const isWish = ({ operator }: Word): boolean => operator === "change" || operator === "negation"
