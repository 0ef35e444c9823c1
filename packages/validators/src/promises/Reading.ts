/**
 * One sentence with words of commitment: whether it asks, sets a condition, reports what others say, negates, or speaks of the
 * past or of the speaker's own work; and else what it promises.
 */
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
import words from "./words.json" with { type: "json" }

interface Place {
  readonly start: number
  readonly end: number
}

/** Words that may lie between a negation and the gain that it denies; a harm may be further away. */
const NEAR = 3
const FAR = 7

const QUOTE = /["“”«»]/g
const CLAUSE = /[,:](?!\p{N})|[—–()]| (?:but|pero|sino|so) /u
const accented = new Set(words.accented)
const pastEndings = Object.values(words.pastEndings).flat()
const ownEndings = Object.values(words.ownEndings).flat()

export class Reading {
  private readonly sentence: Read
  private readonly cues: ReadonlyArray<Use<Cue>>
  private readonly negations: ReadonlyArray<Place>
  private readonly excuses: ReadonlySet<Excuse>

  constructor(sentence: Read, cues: ReadonlyArray<Use<Cue>>) {
    this.sentence = sentence
    this.cues = cues
    const commitments = cues.filter(({ role }) => role.role !== "plain")
    this.negations = [
      ...negationFinder(sentence).filter((one) => !isInside(one, commitments)),
      ...cues.filter(({ role }) => role.role === "denial"),
    ]
    this.excuses = new Set(
      excuseFinder(sentence)
        .filter((one) => !isInside(one, cues) && !accented.has(this.written(one)))
        .map(({ role }) => role),
    )
  }

  /** No sentence like it promises anything. */
  get isExcused(): boolean {
    return (
      ["conditions", "reports", "others"].some((one) => this.excuses.has(one as Excuse)) ||
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
    const promised = outcomes.filter((one) => this.isPromised(one, one.role.kind))
    if (this.isOwnAction(promised)) return undefined
    const found: Array<Place & { readonly topic: PromiseTopic; readonly distance: number }> = []
    for (const cue of this.cues) {
      const { outcome, role } = cue.role
      if (this.isQuoted(cue) || (role !== "strong" && this.excuses.has("hedges"))) continue
      if (outcome !== undefined) {
        if (!this.isPromised(cue, outcome.kind)) continue
        found.push({ start: cue.start, end: cue.end, topic: outcome.topic, distance: -1 })
      } else if (role === "strong" || !this.isNegated(cue)) {
        found.push(
          ...promised
            .filter(
              (one) => one.role.kind !== "things" || (role === "strong" && !isInside(one, [cue])),
            )
            .map((one) => ({
              ...around(cue, one),
              topic: one.role.topic,
              distance: Math.max(one.start - cue.end, cue.start - one.end, 0),
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

  private isQuoted({ start }: Place): boolean {
    return (this.sentence.text.slice(0, start).match(QUOTE)?.length ?? 0) % 2 === 1
  }

  /** Whether the sentence states a gain, and denies a harm. */
  private isPromised(outcome: Place, kind: OutcomeKind): boolean {
    if (kind === "moves") return true
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
      [outcome, ...next].some((one) => hasEnding(this.written(one), pastEndings)) ||
      pastFinder(this.sentence).some(
        ({ end, start }) =>
          (end <= outcome.end && this.between(end, outcome.start) < NEAR) ||
          start === next[0]?.start,
      )
    )
  }

  /** "Rest assured, I'll file the request": what the speaker will do, not what comes of it. */
  private isOwnAction(outcomes: ReadonlyArray<Use<Outcome>>): boolean {
    const deeds: ReadonlyArray<Place> = [
      ...outcomes.filter(({ role }) => role.kind !== "things"),
      ...this.cues.filter(({ role }) => role.role !== "weak"),
    ]
    const verbs = this.sentence.words.filter(
      (word) =>
        hasEnding(this.written(word), ownEndings) && !outcomes.some((one) => doMeet(one, word)),
    )
    return [...ownActionFinder(this.sentence), ...verbs].some(({ end }) =>
      deeds.every((one) => one.end <= end || this.between(end, one.start) >= NEAR),
    )
  }
}

const hasEnding = (word: string, endings: ReadonlyArray<string>): boolean =>
  endings.some((ending) => word.endsWith(ending))

const isInside = (one: Place, others: ReadonlyArray<Place>): boolean =>
  others.some(({ end, start }) => start <= one.start && end >= one.end)

const doMeet = (one: Place, other: Place): boolean => one.start < other.end && other.start < one.end

const around = (one: Place, other: Place): Place => ({
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
})
