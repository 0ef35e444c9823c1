/** Reads a request as one call of a tool: its arguments, and which words were used for what. */
import type { Json } from "@planloom/plugin/effect"
import type { CallReading, RequestText } from "./CallReading.ts"
import type { CallWords } from "./CallWords.ts"
import { chooseCodes } from "./chooseCodes.ts"
import type { Claim } from "./Claim.ts"
import { blanked, findCodes, type Code } from "./findCodes.ts"
import type { Operator } from "./words/Grammar.ts"
import { isExample } from "./isExample.ts"
import { isMisspelled } from "./words/isMisspelled.ts"
import { isPartOfName, lastEntity, leadOf, namedEntity, type Span } from "./namedEntity.ts"
import { covers, hasOwn, openWords } from "./Reading.ts"
import { readNumber } from "./readNumber.ts"
import { readDays } from "./readDays.ts"
import type { SpokenParam } from "./SpokenParam.ts"
import { stem } from "./words/stem.ts"
import { isNearTimeWord, isTimeWord } from "./words/timeWord.ts"
import { isQuoted, readWords, type Word } from "./words/Word.ts"

/** Operators that no tool's own words may contain. */
const isGuard = ({ operator }: Word): boolean => operator === "negation" || operator === "condition"

const asking: ReadonlySet<Operator> = new Set(["question", "past", "modality", "look"])

/** The words of a request that is read as calls of many tools. */
const known = new WeakMap<RequestText, ReadonlyArray<Word>>()

const wordsOf = (request: RequestText): ReadonlyArray<Word> => {
  const words = known.get(request) ?? readWords(request.text, request.grammar)
  known.set(request, words)
  return words
}

/** The mutable state of one reading: every word is claimed once. */
class CallReader {
  readonly params: { [name: string]: Json }
  readonly claims: Array<Claim> = []
  readonly words: ReadonlyArray<Word>
  private readonly call: CallWords
  private readonly request: RequestText
  private readonly stems: ReadonlyArray<string>
  private readonly codes: ReadonlyArray<Code>
  /** Codes that are the value of no param yet. */
  private openCodes: ReadonlyArray<Code> = []
  private undecided: CallReading["undecided"]
  /** Words that only name what the code behind them is. */
  private readonly names: Array<Word> = []

  constructor(call: CallWords, request: RequestText) {
    this.call = call
    this.request = request
    this.params = { ...request.params }
    const sentence = { ...request, words: wordsOf(request) }
    const { codes, words } = findCodes(sentence, call.params, call.own)
    this.codes = codes
    this.words = words
    this.stems = this.words.map(({ word }) => stem(word))
  }

  read(): CallReading {
    for (const param of this.call.params) this.readEntity(param)
    this.readColon()
    for (const param of this.call.params) if (param.takes === "choice") this.readChoice(param)
    this.readCodes()
    this.readQuoted()
    this.readDays()
    this.readNumbers()
    this.readOwn()
    this.readNames()
    this.readRest()
    this.readDayAlone()
    this.readLastEntities()
    const { call, params, undecided, words } = this
    return {
      call,
      params,
      missing: call.params.filter((one) => one.required && params[one.name] === undefined),
      reading: { text: this.request.text, words, claims: this.claims },
      ...(undecided !== undefined && this.isFree(undecided.word) ? { undecided } : {}),
    }
  }

  private isFree(word: Word): boolean {
    return !this.claims.some((claim) => covers(claim, word))
  }

  /** Then a word of time that no day was read from is never the tool's own. */
  private get takesDays(): boolean {
    return this.call.params.some(({ takes }) => takes === "day")
  }

  private isUnreadTime(word: Word): boolean {
    return this.takesDays && (isTimeWord(word) || isNearTimeWord(word, this.request.grammar))
  }

  /** "I closed the valve" asks for nothing. */
  private reports({ operator }: Word): boolean {
    return this.call.writes && operator === "past"
  }

  private claim(from: Word, to: Word, rest: Pick<Claim, "by" | "certain" | "used">): void {
    this.claims.push({ start: from.start, end: to.end, ...rest })
  }

  private give(param: string, value: Json, from: Word, to: Word, by: string, certain = true): void {
    this.params[param] = value
    this.claim(from, to, { by, certain, used: `${this.call.tool.name}.${param}` })
  }

  /** The words of the value stay open. */
  private takeBack(param: string): void {
    delete this.params[param]
    const used = `${this.call.tool.name}.${param}`
    this.claims.splice(0, Infinity, ...this.claims.filter((claim) => claim.used !== used))
  }

  private get text(): SpokenParam | undefined {
    const open = this.call.params.filter(
      ({ name, takes }) => takes === "text" && this.params[name] === undefined,
    )
    return open.find(({ required }) => required) ?? open[0]
  }

  private readEntity(param: SpokenParam): void {
    if (this.params[param.name] !== undefined) return
    const { entities = [], grammar } = this.request
    const found = namedEntity(param, entities, grammar, (phrase) => this.spansOf(phrase))
    const { text } = this.request
    if (found === undefined || found.spans.some((span) => isPartOfName(span, this.words, text)))
      return
    for (const [first, last] of found.spans)
      this.give(
        param.name,
        found.value,
        this.words[leadOf(first, this.words, grammar)]!,
        this.words[last]!,
        "entity",
      )
  }

  /** Only for a tool whose calls a person approves, who sees the values. */
  private readLastEntities(): void {
    if (this.call.tool.needs_approval !== true) return
    for (const param of this.call.params) {
      if (!param.required || this.params[param.name] !== undefined) continue
      const value = lastEntity(param, this.request.entities ?? [])
      if (value !== undefined) this.params[param.name] = value
    }
  }

  private readColon(): void {
    // What follows a colon is the text itself: "copy the following: …".
    const colon = this.request.text.indexOf(": ")
    const [first, ...more] = colon < 0 ? [] : this.words.filter(({ start }) => start > colon)
    if (first !== undefined && this.text?.required === true) {
      const last = more.at(-1) ?? first
      const said = this.request.text.slice(first.start, last.end)
      this.give(this.text.name, said, first, last, "quoted")
    }
  }

  private readQuoted(): void {
    for (const word of this.words) {
      const { text } = this
      if (isQuoted(word) && text !== undefined && this.isFree(word))
        this.give(text.name, word.text, word, word, "quoted")
    }
  }

  /** The longest phrase of a value; words for two values of one param stay open. */
  private readChoice({ entity, name, values }: SpokenParam): void {
    const given = this.params[name]
    if (given !== undefined && (entity === undefined || this.request.params?.[name] !== undefined))
      return
    const found = values.flatMap(({ phrases, value }) => {
      const spans = phrases
        .flatMap((phrase) => this.spansOf(phrase))
        .toSorted(([a, b], [c, d]) => d - c - (b - a))
      return spans.length === 0 ? [] : [{ value, spans }]
    })
    const [only] = found
    if (only === undefined || found.length > 1) return
    // "Mateo in Mexico", where he receives money of another country: neither is meant for certain.
    if (given !== undefined && only.value !== given) return this.takeBack(name)
    for (const [first, last] of only.spans)
      if (
        this.words.slice(first, last + 1).every((word) => this.isFree(word) && !this.reports(word))
      )
        this.give(name, only.value, this.words[first]!, this.words[last]!, "choice")
  }

  private spansOf(phrase: ReadonlyArray<string>): ReadonlyArray<Span> {
    const { length } = phrase
    return this.stems.flatMap((_, at) =>
      length > 0 &&
      phrase.every((one, index) => this.stems[at + index] === one) &&
      this.words.slice(at, at + length).every((word) => this.isFree(word))
        ? [[at, at + length - 1] as const]
        : [],
    )
  }

  /** The first and last day of what is named go to the first and second param that take days. */
  private readDays(): void {
    const open = this.call.params.filter(
      ({ name, takes }) => takes === "day" && this.params[name] === undefined,
    )
    const [from, to] = open
    if (from === undefined) return
    const codes = this.claims.filter(({ by }) => by === "code")
    // No part of a code is a day.
    const days = readDays(blanked(this.request.text, codes), this.request.today)
    if (days === undefined || (to === undefined && days.from !== days.to)) return
    for (const { end, start } of days.spans) {
      const words = this.words.filter((word) => word.start < end && start < word.end)
      const [first] = words
      const isWhole = words.every((word) => word.start >= start && word.end <= end)
      if (first === undefined || !isWhole || !words.every((word) => this.isFree(word))) continue
      this.give(from.name, days.from, first, words.at(-1)!, "day")
      if (to !== undefined) this.params[to.name] = days.to
    }
  }

  /** "What do I have on Monday?" of a tool that a day alone asks for. */
  private readDayAlone(): void {
    const { claims, request, words } = this
    if (!this.call.byDay || openWords({ text: request.text, words, claims }).length > 0) return
    for (const [at, claim] of claims.entries())
      if (claim.by === "day") claims[at] = { ...claim, by: "tool" }
  }

  /** A word that two params take, or two words that one param takes, stay open. */
  private readCodes(): void {
    const { call, params, request } = this
    const codes = this.codes.filter(({ word }) => this.isFree(word))
    if (codes.length === 0) return
    const free = this.words.filter((word) => this.isFree(word))
    const declared = call.params
    const { given, open, undecided } = chooseCodes({ codes, declared, free, params, request })
    for (const [param, code] of given) {
      this.give(param.name, code.word.text, code.word, code.word, "code")
      this.names.push(...code.names)
    }
    this.openCodes = open
    this.undecided = undecided
  }

  private readNumbers(): void {
    const [param, ...more] = this.call.params.filter(
      ({ name, takes }) => takes === "number" && this.params[name] === undefined,
    )
    const numbers = this.words.filter(
      (word) =>
        /\d/.test(word.word) &&
        this.isFree(word) &&
        !this.openCodes.some((code) => code.word === word),
    )
    const [number] = numbers
    if (param === undefined || more.length > 0 || number === undefined || numbers.length > 1) return
    const read = readNumber(number.word, this.request.grammar)
    // "€200" is no amount in dollars: only marks among the keywords are the tool's.
    const { keywords = [] } = this.call.tool
    if (read === undefined || (read.mark !== undefined && !keywords.includes(read.mark))) return
    this.give(param.name, read.value, number, number, "number")
  }

  private readOwn(): void {
    const { examples, own, tool } = this.call
    const used = tool.name
    if (isExample(wordsOf(this.request), examples)) {
      for (const word of this.words)
        if (this.isFree(word)) this.claim(word, word, { by: "tool", certain: true, used })
    }
    for (const [at, word] of this.words.entries()) {
      if (!this.isFree(word) || isGuard(word)) continue
      if (this.takesDays && word.class === "content" && isTimeWord(word)) continue
      if (own.has(this.stems[at]!)) this.claim(word, word, { by: "tool", certain: true, used })
    }
    // A question or a report is a usual form of a wish to know something, never of a wish to change something.
    if (!this.call.writes)
      for (const word of this.words)
        if (word.operator !== undefined && asking.has(word.operator) && this.isFree(word))
          this.claim(word, word, { by: "form", certain: true, used })
    for (const word of this.words)
      if (
        word.class === "content" &&
        this.isFree(word) &&
        !isNearTimeWord(word, this.request.grammar) &&
        isMisspelled(word, this.call.own)
      )
        this.claim(word, word, { by: "typo", certain: false, used })
  }

  private readNames(): void {
    const { name: used } = this.call.tool
    for (const word of this.names)
      if (this.isFree(word)) this.claim(word, word, { by: "name", certain: true, used })
  }

  /** "find my resume" of a tool whose own word is "resume": the last of them is what is looked for. */
  private readLastOwn({ name, required }: SpokenParam): void {
    if (this.call.writes || !required) return
    const own = this.claims.filter(({ by }) => by === "tool")
    const last = this.words.findLast((word) => own.some(({ start }) => start === word.start))
    if (last !== undefined && last.class === "content" && own.length > 1)
      this.params[name] = last.text
  }

  /** What is left is the text a tool takes, if it stands together; a negation or condition is never part of it. */
  private readRest(): void {
    const { text } = this
    if (text === undefined || !this.claims.some(({ by }) => by === "tool" || by === "typo")) return
    const open = this.words.filter((word) => word.class !== "function" && this.isFree(word))
    const [first] = open
    const last = open.at(-1)
    if (first === undefined || last === undefined) return this.readLastOwn(text)
    const inside = this.words.filter(({ end, start }) => start >= first.start && end <= last.end)
    const breaks = inside.some(
      (word) => !this.isFree(word) || isGuard(word) || word.operator === "change",
    )
    if (breaks || open.every((word) => word.class === "operator")) return
    // A tool that only filters by a text says what is there on some days: with an unread one it would say it of others.
    const isGuess =
      this.call.writes || (!text.required && open.some((one) => this.isUnreadTime(one)))
    // "about the heron" looks for "the heron".
    const content = open.find((word) => word.class === "content" || isTimeWord(word)) ?? first
    this.give(
      text.name,
      this.request.text.slice(content.start, last.end),
      first,
      last,
      "rest",
      !isGuess,
    )
  }
}

export const readCall = (call: CallWords, request: RequestText): CallReading =>
  new CallReader(call, request).read()

/** Whether every word has a use, a word is the tool's own, and every required param has a value. */
export const isComplete = ({ missing, reading }: CallReading): boolean =>
  missing.length === 0 && hasOwn(reading) && openWords(reading).length === 0
