/**
 * One sentence with words of commitment: whether it asks, sets a condition, reports what others say, negates, or speaks of the
 * past or of the speaker's own work; and else what it promises.
 */
import type { Word } from "@planloom/review-kit"
import {
  excuseFinder,
  negationFinder,
  ownActionFinder,
  pastFinder,
  type Cue,
  type Excuse,
  type Outcome,
  type OutcomeKind,
  type PromiseTopic,
  type Read,
  type Use,
} from "./Lexicon.ts"
import {
  accented,
  beforeOwn,
  causatives,
  concord,
  conditionEndings,
  future,
  futureEndings,
  notConditions,
  notOwn,
  objects,
  ours,
  ownEndings,
  passives,
  pastEndings,
  presentEndings,
  thirds,
} from "./wordForms.ts"

interface Place {
  readonly start: number
  readonly end: number
}

/** Words that may lie between a negation and the gain that it denies; a harm may be further away. */
const NEAR = 3
const FAR = 7

/** Distance of an outcome that counts only without a nearer kind. */
const LAST = 1000

const QUOTE = /["“”«»]/g
const CLAUSE = /[,;:](?!\p{N})|[—–()]| (?:but|pero|sino|so) /u
/** "To guarantee your seat, …" */
const PURPOSE = /^\P{L}*(?:in order |so as )?(?:to|para)\s+$/iu
/** Spanish words that an infinitive follows: "prometo", "comprometemos a". */
const BEFORE_INFINITIVE = /(?:o|mos|a)$/
/** A Spanish infinitive with its pronouns. */
const INFINITIVE = /^[a-zñ]{2,}(?:ar|er|ir|ír)(?:me|te|se|nos|os|l[aeo]s?)*$/

export class Reading {
  private readonly sentence: Read
  private readonly cues: ReadonlyArray<Use<Cue>>
  private readonly negations: ReadonlyArray<Place>
  private readonly excuses: ReadonlySet<Excuse>
  private readonly neutral: ReadonlyArray<Place>

  constructor(sentence: Read, cues: ReadonlyArray<Use<Cue>>) {
    this.sentence = sentence
    this.cues = cues
    const commitments = cues.filter(({ role }) => role.role !== "plain")
    this.negations = [
      ...negationFinder(sentence).filter((one) => !isInside(one, commitments)),
      ...cues.filter(({ role }) => role.role === "denial"),
    ]
    const excuses = excuseFinder(sentence).filter(
      (one) => !isInside(one, cues) && !accented.has(this.written(one)),
    )
    this.excuses = new Set(excuses.map(({ role }) => role))
    this.neutral = excuses.filter(({ role }) => role === "neutral")
  }

  /** No sentence like it promises anything. */
  get isExcused(): boolean {
    return (
      ["conditions", "reports", "others"].some((one) => this.excuses.has(one as Excuse)) ||
      this.sentence.words.some(
        (word) =>
          hasEnding(this.written(word), conditionEndings) &&
          !notConditions.has(this.written(word)) &&
          !isInside(word, this.cues),
      ) ||
      this.cues.some(
        (cue) =>
          cue.role.role === "strong" &&
          (this.isNegated(cue) || hasEnding(this.written(cue), pastEndings)),
      )
    )
  }

  /** Its promise, of the topic whose outcome is next to a word of commitment. */
  promise(
    outcomes: ReadonlyArray<Use<Outcome>>,
  ): (Place & { readonly topic: PromiseTopic }) | undefined {
    const promised = outcomes.filter(
      (one) =>
        !isInside(one, this.neutral) && !this.isQuoted(one) && this.isPromised(one, one.role.kind),
    )
    if (this.isOwnAction(promised)) return undefined
    const hasOwn = ownActionFinder(this.sentence).some((one) => !isInside(one, this.cues))
    const found: Array<Place & { readonly topic: PromiseTopic; readonly distance: number }> = []
    for (const cue of this.cues) {
      const { outcome, role } = cue.role
      if (
        this.isQuoted(cue) ||
        this.isPurpose(cue) ||
        (role !== "strong" && this.excuses.has("hedges"))
      )
        continue
      if (outcome !== undefined) {
        if (!this.isPromised(cue, outcome.kind)) continue
        found.push({ start: cue.start, end: cue.end, topic: outcome.topic, distance: -1 })
      } else if (role === "strong" || !this.isUndone(cue)) {
        found.push(
          ...promised
            .filter((one) => !isNoun(one) || (role === "strong" && !isInside(one, [cue])))
            .filter((one) => one.role.kind !== "subjects" || !(this.isOfOthers(cue) || hasOwn))
            .map((one) => ({
              ...around(cue, one),
              topic: one.role.topic,
              distance:
                Math.max(one.start - cue.end, cue.start - one.end, 0) +
                (one.role.kind === "subjects" ? LAST : 0),
            })),
        )
      }
    }
    if (found.length === 0) return undefined
    const nearest = found.reduce((one, other) => (other.distance < one.distance ? other : one))
    return { ...found.reduce<Place>(around, nearest), topic: nearest.topic }
  }

  private written({ end, start }: Place): string {
    return this.sentence.text.slice(start, end).normalize("NFC").toLowerCase()
  }

  /** Words between two places. */
  private between(from: number, to: number): number {
    return this.sentence.words.filter(({ end, start }) => start >= from && end <= to).length
  }

  private isOneClause(from: number, to: number): boolean {
    return !CLAUSE.test(this.sentence.text.slice(from, to))
  }

  /** A negation before it, in the same clause. */
  private isNegated({ start }: Place): boolean {
    return this.negations.some((one) => one.end <= start && this.isOneClause(one.end, start))
  }

  /** What is over is no promise. A negation before it undoes "without risk", but only repeats "ningún riesgo". */
  private isUndone(cue: Use<Cue>): boolean {
    if (this.isPast) return true
    const repeats = cue.role.role === "denial" && concord.has(this.written(cue).split(" ", 1)[0]!)
    return !repeats && this.isNegated(cue)
  }

  private isPurpose({ start }: Place): boolean {
    return PURPOSE.test(this.sentence.text.slice(0, start))
  }

  private isQuoted({ start }: Place): boolean {
    return (this.sentence.text.slice(0, start).match(QUOTE)?.length ?? 0) % 2 === 1
  }

  /** Whether the sentence states a gain, and denies a harm. */
  private isPromised(outcome: Place, kind: OutcomeKind): boolean {
    if (kind === "moves") return !this.isOver(outcome)
    if (kind === "subjects") return this.isAhead && !this.isPast && !this.excuses.has("hedges")
    const isHarm = kind === "harms"
    const isDenied = this.negations.some(
      ({ end }) =>
        end <= outcome.end &&
        this.between(end, outcome.start) <= (isHarm ? FAR : NEAR) &&
        this.isOneClause(end, outcome.start),
    )
    return isDenied === isHarm && !this.isOver(outcome)
  }

  /** "It was refunded", "el dinero ya llegó". */
  private isOver(outcome: Place): boolean {
    const next = this.sentence.words.filter(({ start }) => start >= outcome.end).slice(0, 2)
    return (
      [...this.sentence.words.filter((word) => doMeet(word, outcome)), ...next].some((one) =>
        hasEnding(this.written(one), pastEndings),
      ) ||
      this.isDone(outcome) ||
      pastFinder(this.sentence).some(
        ({ end, start }) =>
          (end <= outcome.end && this.between(end, outcome.start) < NEAR) ||
          start === next[0]?.start,
      )
    )
  }

  /** "Escribiré", "que hoy le escribo", "prometo escribirle". */
  private isOwnVerb(word: Word, before: Word | undefined): boolean {
    const written = this.written(word)
    if (hasEnding(written, ownEndings)) return true
    if (before === undefined) return false
    return beforeOwn.has(this.written(before))
      ? hasEnding(written, presentEndings) && !notOwn.has(written)
      : INFINITIVE.test(written) &&
          BEFORE_INFINITIVE.test(this.written(before)) &&
          this.cues.some(({ end, role }) => role.role === "strong" && end === before.end)
  }

  /** "Dismissed the case", not "is approved". */
  private isDone(outcome: Place): boolean {
    const { words: read } = this.sentence
    return read.some(
      (word, index) =>
        doMeet(word, outcome) &&
        word.word.endsWith("ed") &&
        objects.has(read[index + 1]?.word ?? "") &&
        !read.slice(Math.max(0, index - NEAR), index).some((one) => passives.has(one.word)),
    )
  }

  /** What it speaks of is still to come. */
  private get isAhead(): boolean {
    return this.sentence.words.some(
      (word) =>
        (future.has(word.word) || hasEnding(this.written(word), futureEndings)) &&
        !isInside(word, this.cues),
    )
  }

  private get isPast(): boolean {
    return (
      pastFinder(this.sentence).length > 0 ||
      this.sentence.words.some((word) => hasEnding(this.written(word), pastEndings))
    )
  }

  /** "Rest assured, I'll file the request": what the speaker will do, not what comes of it. */
  private isOwnAction(outcomes: ReadonlyArray<Use<Outcome>>): boolean {
    const deeds: ReadonlyArray<Place> = [
      ...outcomes.filter((one) => !isNoun(one)),
      ...this.cues.filter(({ role }) => role.role !== "weak"),
    ]
    const verbs = this.sentence.words.filter(
      (word, index) =>
        this.isOwnVerb(word, this.sentence.words[index - 1]) &&
        !causatives.has(this.written(word)) &&
        ![...outcomes.filter((one) => !isNoun(one)), ...this.cues].some((one) => doMeet(one, word)),
    )
    return (
      verbs.length > 0 ||
      ownActionFinder(this.sentence).some(({ end }) =>
        deeds.every((one) => one.end <= end || this.between(end, one.start) >= NEAR),
      )
    )
  }

  /** "The policy guarantees", unless it is ours. */
  private isOfOthers(cue: Place): boolean {
    return (
      thirds.has(this.written(cue).split(" ", 1)[0]!) &&
      !this.sentence.words.some(({ end, word }) => end <= cue.start && ours.has(word))
    )
  }
}

const isNoun = ({ role }: Use<Outcome>): boolean =>
  role.kind === "things" || role.kind === "subjects"

const hasEnding = (word: string, endings: ReadonlyArray<string>): boolean =>
  endings.some((ending) => word.endsWith(ending))

const isInside = (one: Place, others: ReadonlyArray<Place>): boolean =>
  others.some(({ end, start }) => start <= one.start && end >= one.end)

const doMeet = (one: Place, other: Place): boolean => one.start < other.end && other.start < one.end

const around = (one: Place, other: Place): Place => ({
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
})
