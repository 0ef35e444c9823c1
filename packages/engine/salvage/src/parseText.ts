/** Parses one complete text into a value that is valid for a JSON Schema, or the reasons for rejecting it. */
import { MAX_JSON_DEPTH } from "@planloom/schema"
import { Answer } from "./Answer.ts"
import { rebalance } from "./brackets/rebalance.ts"
import { fastParse } from "./fastParse.ts"
import { rankCandidates, sequenceOf } from "./find/rankCandidates.ts"
import { readMarked, readText, readWhole, type Whole } from "./find/readWhole.ts"
import { type Candidate, Scanner } from "./find/Scanner.ts"
import { isJson } from "./fit/isJson.ts"
import { COST } from "./fit/Fit.ts"
import { LimitExceeded } from "./read/LimitExceeded.ts"
import type { Failure, RecoveryOptions, Options, Result, Schema } from "./Salvage.ts"
import { LocationIndex } from "./LocationIndex.ts"
import { strictParse } from "./strictParse.ts"
import type { Limits, Task } from "./Task.ts"
import { decodeQuotes, decodeStringified, hasDoubledQuotes } from "./unwrapText.ts"

const MAX_REPAIRS = 200_000
const MAX_LENGTH = 64 * 1024 * 1024

export const parseText = (text: string, schema?: Schema, options: Options = {}): Result => {
  const result = read(text, schema, options)
  return options.lossy === "refuse" ? withoutLoss(text, result) : result
}

/** Rejects a value that may lack data: of a text with a loss, and of one that ended before its value. */
const withoutLoss = (text: string, result: Result): Result => {
  if (!result.ok) return result
  const losses = result.repairs.filter(({ loss }) => loss === true)
  if (losses.length === 0) {
    return result.complete
      ? result
      : {
          ...failure(text, "the text ends before its value does", text.length, result.reasoning),
          best: result.value,
        }
  }
  const reasons = losses.map(({ at, detail, kind, path }) => ({
    message: `${path === "" ? "the value" : path} was read with a loss: ${kind}${detail === undefined ? "" : ` ${detail}`}`,
    path,
    at,
  }))
  return { ok: false, reasons, reasoning: result.reasoning, best: result.value }
}

const read = (text: string, schema: Schema | undefined, options: Options): Result => {
  const { maxLength = MAX_LENGTH, strict = false } = options
  assertText(text)
  if (text.length > maxLength) {
    return failure(text, `the text is longer than ${maxLength} units`, 0, "")
  }
  const nul = text.indexOf("\0")
  if (nul >= 0) return failure(text, "the text holds a NUL character: is it UTF-16?", nul, "")
  const task: Task = {
    text,
    schema,
    limits: limitsOf(options),
    recovery: recoveryOptionsOf(schema, options),
  }
  if (strict) return strictParse(task)
  const found = fastParse(task) ?? unwrapped(task, options) ?? search(task)
  return found.ok ? found : (unescaped(task) ?? found)
}

export const limitsOf = ({
  maxDepth = MAX_JSON_DEPTH,
  maxRepairs = MAX_REPAIRS,
}: Options): Limits => ({
  maxDepth,
  maxRepairs,
})

/** For untyped callers: `undefined` must not be read as the word. */
export const assertText = (text: unknown): void => {
  if (typeof text !== "string") {
    throw new TypeError(`expected text, not ${text === null ? "null" : typeof text}`)
  }
}

export const recoveryOptionsOf = (
  schema: Schema | undefined,
  options: Options,
): RecoveryOptions => {
  const { fill = "none", dropItems = false, positional = false } = options
  const isObject = typeof schema === "object" && schema !== null && !Array.isArray(schema)
  if (schema !== undefined && typeof schema !== "boolean" && !isObject) {
    throw new TypeError("a schema must be an object, true or false")
  }
  if (schema === undefined && (fill !== "none" || dropItems || positional)) {
    throw new TypeError("fill, dropItems and positional need a schema")
  }
  return { fill, dropItems, positional }
}

/** Parses a document nested in another notation; `undefined` if the text has no such document. */
const unwrapped = (task: Task, options: Options): Result | undefined => {
  const { text, schema } = task
  const inner = decodeStringified(text)
  if (inner !== undefined && (schema !== undefined || isJson(inner))) {
    const result = parseText(inner, schema, options)
    const at = { offset: 0, line: 1, column: 1 }
    if (result.ok)
      return { ...result, repairs: [{ kind: "double_encoded", path: "", at }, ...result.repairs] }
  }
  // Without other quotes, entities are the quotes.
  return text.includes('"') && !hasDoubledQuotes(text) ? undefined : unescaped(task)
}

/** Parses without unwrapping, so that repeated nesting is unwrapped only once. */
const parseDirectly = (task: Task): Result => fastParse(task) ?? search(task)

const unescaped = (task: Task): Result | undefined => {
  const { text } = task
  const inner = decodeQuotes(text)
  const result = inner === undefined ? undefined : parseDirectly({ ...task, text: inner.text })
  if (inner === undefined || result?.ok !== true) return undefined
  const places = new LocationIndex(text)
  const isDoubled = hasDoubledQuotes(text)
  const at = places.at(text.indexOf(isDoubled ? '""' : "&"))
  const repairs = result.repairs.map((repair) => ({
    ...repair,
    at: places.at(inner.origin(repair.at.offset)),
  }))
  return {
    ...result,
    repairs: [{ kind: isDoubled ? "escaped_quotes" : "entities", path: "", at }, ...repairs],
  }
}

const search = (task: Task): Result => {
  const { text, limits } = task
  const scanner = new Scanner(limits)
  try {
    scanner.advance(text, true)
    return best(task, scanner)
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    return failure(text, error.message, error.at, reasoningOf(text, scanner))
  }
}

/** The first ranked candidate that fits well, else the one that needs the least change. */
const best = (task: Task, scanner: Scanner): Result => {
  const reasoning = reasoningOf(task.text, scanner)
  let found: Answer | undefined
  for (const answer of answers(task, scanner)) {
    if (found === undefined || answer.cost < found.cost) found = answer
    if (found.cost < COST.dropped) break
  }
  if (found !== undefined) {
    const result = found.result(reasoning)
    return rebalance(task, scanner, result, parseDirectly) ?? result
  }
  const why =
    scanner.thinking >= 0 ? "the text ends inside its reasoning" : "the text holds no JSON value"
  return failure(task.text, why, scanner.answerStart, reasoning)
}

function* answers(task: Task, scanner: Scanner): Generator<Answer> {
  const { candidates } = scanner
  const quoted = quotedWhole(task, scanner)
  if (quoted !== undefined) yield Answer.ofWhole(task, quoted, scanner)
  if (candidates.length > 0) {
    const order = rankCandidates(candidates)
    const list = sequenceOf(candidates)
    if (list !== undefined && takesList(task)) yield Answer.ofList(task, list, scanner)
    const items: Array<Candidate> = []
    for (const candidate of order) {
      const answer = Answer.ofCandidate(task, candidate, scanner)
      if (answer.isItem) items.push(candidate)
      yield answer
    }
    const fenced = items.filter((item) => item.fenced)
    const parts = fenced.length > 0 ? fenced : items
    if (parts.length > 1)
      yield Answer.ofList(
        task,
        parts.toSorted((a, b) => a.start - b.start),
        scanner,
      )
  }
  if (candidates.length === 0 || task.schema !== undefined) {
    const start = scanner.answerStart
    if (scanner.thinking >= 0) return
    const marked = readMarked(task.text, start, task.limits)
    if (marked?.isCertain === true) yield Answer.ofWhole(task, marked, scanner)
    const whole = readWhole(task.text, start, task.limits)
    if (whole !== undefined) yield Answer.ofWhole(task, whole, scanner)
    const words = task.schema === undefined ? undefined : readText(task.text, start)
    if (words !== undefined) yield Answer.ofText(task, words, scanner)
    if (marked !== undefined) yield Answer.ofWhole(task, marked, scanner)
  }
}

/** Reads a text that is one quoted string, whatever brackets it contains. */
export const quotedWhole = (
  { text, schema, limits }: Pick<Task, "text" | "schema" | "limits">,
  scanner: Scanner,
): Whole | undefined => {
  const words = text.trim()
  const quote = words[0]
  if (
    schema !== undefined ||
    words.length < 2 ||
    (quote !== '"' && quote !== "'") ||
    !words.endsWith(quote)
  ) {
    return undefined
  }
  if (scanner.candidates.length === 0) return undefined
  const whole = readWhole(text, 0, limits)
  return whole !== undefined && whole.node.end >= text.trimEnd().length ? whole : undefined
}

const takesList = ({ schema }: Task): boolean => schema === undefined || typeof schema === "object"

export const reasoningOf = (text: string, scanner: Scanner): string => {
  const spans = [...scanner.reasoning]
  if (scanner.thinking >= 0) spans.push({ start: scanner.thinking, end: text.length })
  return spans
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((part) => part !== "")
    .join("\n\n")
}

const failure = (text: string, message: string, offset: number, reasoning: string): Failure => ({
  ok: false,
  reasons: [{ message, at: new LocationIndex(text).at(offset) }],
  reasoning,
})
