/**
 * Finds the one bracket that a document lacks, has too many, or has in place of another one. Of all places for it, the one wins that
 * makes the document most regular.
 */
import { Shape } from "./Shape.ts"
import { type BracketToken, tokenize } from "./tokenize.ts"

/** A change of one bracket: `end - start` units at `start` become `by`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** Longest document, in tokens, and most steps in all: the search takes bounded time. */
const MAX_TOKENS = 20_000
const MAX_STEPS = 1_000_000

/** Edits that make the document at `from` complete, least cost first. `undefined` if brackets are not its only fault. */
export const balance = (text: string, from: number): ReadonlyArray<Ranked> | undefined => {
  const tokens = tokenize(text, from, MAX_TOKENS)
  if (tokens === undefined) return undefined
  const changes = changesFor(tokens)
  if (changes === undefined) return undefined
  const ranked: Array<Ranked> = []
  const positions = [...validPrefix(tokens, text)]
  // Every token can follow, and the last one is not the bracket of the first line: the text was cut.
  if (positions.length > tokens.length && tokens.at(-1)!.indent !== 0) return undefined
  let run = positions.length - 1
  while (run > 0 && !isCloser(tokens[run - 1]!.kind)) run--
  while (run > 0 && isCloser(tokens[run - 1]!.kind)) run--
  const isItem = isOpener(tokens[positions.length - 1]?.kind ?? "")
  const budget = { steps: MAX_STEPS }
  for (const change of changes(tokens, positions)) {
    const cost = costOf(tokens, text, change, budget)
    if (budget.steps < 0) return undefined
    if (cost !== undefined)
      ranked.push({
        cost: cost + doubtOf(tokens, change, run, isItem),
        edit: editOf(tokens, change),
        place: placeOf(change, positions, tokens.length),
      })
  }
  return ranked.toSorted((a, b) => a.cost - b.cost)
}

export interface Ranked {
  readonly cost: number
  readonly edit: Edit
  /** Of a closer that is put in: where that is. */
  readonly place: Place | undefined
}

export interface Place {
  /** The container around it. */
  readonly container: number
  /** The container that ends with a scalar directly before the bracket that cannot follow, if this place is between both. */
  readonly ended: number | undefined
}

const placeOf = (
  { at, drop, put }: Change,
  positions: ReadonlyArray<Position>,
  end: number,
): Place | undefined => {
  if (drop > 0 || !isCloser(put)) return undefined
  const isLast = at === positions.length - 1 && at < end
  return { container: positions[at]!.container, ended: isLast ? positions[at]!.ended : undefined }
}

/** At a token: `put` before it, `drop` that many tokens, or both. */
interface Change {
  readonly at: number
  readonly put: string
  readonly drop: 0 | 1 | 2
}

type Changes = (
  tokens: ReadonlyArray<BracketToken>,
  positions: ReadonlyArray<Position>,
) => Iterable<Change>

/** What the surplus of each kind of bracket asks for. */
const changesFor = (tokens: ReadonlyArray<BracketToken>): Changes | undefined => {
  switch (`${surplusOf(tokens, "{")},${surplusOf(tokens, "[")}`) {
    case "1,0":
      return both(closers("}"), strayOpeners("{"))
    case "0,1":
      return both(closers("]"), strayOpeners("["))
    case "-1,0":
      return both(openers("{"), surplus("}"))
    case "0,-1":
      return both(openers("["), surplus("]"))
    case "1,-1":
      return both(swapped("]", "}"), swapped("{", "["))
    case "-1,1":
      return both(swapped("}", "]"), swapped("[", "{"))
    case "2,0":
      return turned("{", "}")
    case "0,2":
      return turned("[", "]")
    case "1,1":
      return both(turned("[", "}"), turned("{", "]"))
    case "-2,0":
      return swapped("}", "{")
    case "0,-2":
      return swapped("]", "[")
    case "-1,-1":
      return both(swapped("]", "{"), swapped("}", "["))
    case "0,0":
      return exchanged
  }
  return undefined
}

/** Number of opening brackets of a kind without closing ones. */
const surplusOf = (tokens: ReadonlyArray<BracketToken>, opener: "{" | "["): number => {
  const closer = opener === "{" ? "}" : "]"
  let surplus = 0
  for (const { kind } of tokens) {
    if (kind === opener) surplus++
    else if (kind === closer) surplus--
  }
  return surplus
}

const both = (first: Changes, second: Changes): Changes =>
  function* (tokens, positions) {
    yield* first(tokens, positions)
    yield* second(tokens, positions)
  }

/** Places for a lost closer: after a value, up to the first token that cannot follow. */
const closers = (put: string): Changes =>
  function* (tokens, positions) {
    const opener = put === "}" ? "{" : "["
    for (const { at, inside, before } of positions) {
      const next = tokens[at]?.kind
      if (inside === opener && before !== ":" && before !== "," && next !== ":")
        yield { at, put, drop: 0 }
    }
  }

/** Places for a lost opener: before a name or value, up to the first token that cannot follow. */
const openers = (put: string): Changes =>
  function* (tokens, positions) {
    for (const { at, before } of positions) {
      const next = tokens[at]?.kind
      const isStart = before === undefined || "{[,:".includes(before)
      if (isStart && next !== undefined && (put === "[" || next === "s" || next === "}"))
        yield { at, put, drop: 0 }
    }
  }

/** Brackets that may be one too many. */
const surplus = (kind: string): Changes =>
  function* (tokens, positions) {
    for (const { at } of positions) if (tokens[at]?.kind === kind) yield { at, put: "", drop: 1 }
  }

/** Openers behind another one of their kind or a value, in place of a name, or before a token that cannot be inside. */
const strayOpeners = (kind: string): Changes =>
  function* (tokens, positions) {
    // Without a token that cannot follow, closers are missing instead.
    if (positions.length > tokens.length) return
    const last = positions.length - 1
    // What cannot stand behind the first scalar in such a bracket.
    const faulty = kind === "{" ? ",}]" : ":"
    // In a list, it more likely starts an item: the closers before it are missing.
    const isInList = surplusOf(tokens.slice(0, last), "[") > 0
    for (const { at, before, inside } of positions) {
      const isDoubled = before === kind
      const isBehindValue = at === last && before !== undefined && "s}]".includes(before)
      const isForName = at === last && !isInList && inside === "{" && before !== ":"
      const isBeforeFault = at === last - 2 && faulty.includes(tokens[last]!.kind)
      if (tokens[at]?.kind === kind && (isDoubled || isBehindValue || isForName || isBeforeFault))
        yield { at, put: "", drop: 1 }
    }
  }

const swapped = (kind: string, put: string): Changes =>
  function* (tokens, positions) {
    for (const { at } of positions) if (tokens[at]?.kind === kind) yield { at, put, drop: 1 }
  }

/** An opener in place of a closer, behind a value: behind another opener, their closers may be missing instead. */
const turned = (kind: string, put: string): Changes =>
  function* (tokens, positions) {
    for (const { at, before } of positions)
      if (tokens[at]?.kind === kind && before !== undefined && "s}]".includes(before))
        yield { at, put, drop: 1 }
  }

/** `]}` for `}]`, where the first of them cannot follow. */
const exchanged: Changes = function* (tokens, positions) {
  const at = positions.length - 1
  const pair = (tokens[at]?.kind ?? "") + (tokens[at + 1]?.kind ?? "")
  if (pair === "]}" || pair === "}]") yield { at, put: `${pair[1]}${pair[0]}`, drop: 2 }
}

interface Position {
  readonly at: number
  readonly before: string | undefined
  readonly inside: string | undefined
  /** The index of the token that opens the innermost container. */
  readonly container: number
  /** The same of the container that the token before ends, behind a scalar. */
  readonly ended: number | undefined
}

/** Positions before which the document is valid. */
function* validPrefix(tokens: ReadonlyArray<BracketToken>, text: string): Generator<Position> {
  const shape = new Shape(text)
  const open: Array<number> = []
  let ended: number | undefined
  const position = (at: number): Position => ({
    at,
    before: tokens[at - 1]?.kind,
    inside: shape.inside,
    container: open.at(-1) ?? -1,
    ended,
  })
  for (const [at, token] of tokens.entries()) {
    yield position(at)
    // A bracket after the end, or a token that cannot follow: the fault is before it.
    if (!shape.take(token.kind, token)) return
    const closed = isCloser(token.kind) ? open.pop() : undefined
    ended = isCloser(tokens[at - 1]?.kind ?? "") ? undefined : closed
    if (isOpener(token.kind)) open.push(at)
  }
  yield position(tokens.length)
}

const costOf = (
  tokens: ReadonlyArray<BracketToken>,
  text: string,
  { at, drop, put }: Change,
  budget: { steps: number },
): number | undefined => {
  const shape = new Shape(text)
  for (let i = 0; i <= tokens.length; i++) {
    if (budget.steps-- < 0) return undefined
    const token = tokens[i]
    if (i === at) {
      const place = { ...(token ?? tokens[i - 1]!), indent: drop > 0 ? token!.indent : -1 }
      for (const kind of put) if (!shape.take(kind, place)) return undefined
    }
    if (token === undefined || (i >= at && i < at + drop)) continue
    if (!shape.take(token.kind, token)) return undefined
  }
  return shape.total
}

/**
 * A bracket is dropped without a doubt only if it doubles the one before it. Behind a bracket of the other kind, it more likely closes
 * a container whose opening bracket is lost. It is least likely before the last run of closers in the valid part of the document.
 * A closer is less likely lost before that run if an item of a list follows it. Openers are rarely lost, and of two swapped brackets
 * the closing one is more likely wrong. `run`: start of that run; `isItem`: an item follows.
 */
const doubtOf = (
  tokens: ReadonlyArray<BracketToken>,
  { at, drop, put }: Change,
  run: number,
  isItem: boolean,
): number => {
  if (put !== "") return isOpener(put) || (drop === 0 && at < run && isItem) ? 1 : 0
  if (isOpener(tokens[at]!.kind)) return 0
  const before = tokens[at - 1]?.kind
  const own = before === tokens[at]!.kind ? 0 : before === "s" ? 1 : DROP_COST
  return at < run ? own + EARLY_COST : own
}

const DROP_COST = 2
const EARLY_COST = 6

const isCloser = (kind: string): boolean => kind === "}" || kind === "]"

const isOpener = (kind: string): boolean => kind === "{" || kind === "["

const editOf = (tokens: ReadonlyArray<BracketToken>, { at, drop, put }: Change): Edit => {
  const token = tokens[at]
  if (drop > 0) return { start: token!.start, end: tokens[at + drop - 1]!.end, by: put }
  const place = put === "}" || put === "]" ? tokens[at - 1]!.end : token!.start
  return { start: place, end: place, by: put }
}
