/**
 * One sentence with words of commitment: whether it asks, sets a condition, reports what others say, negates, or speaks of the
 * past or of the speaker's own work; and else what it promises.
 */
import type { Word } from "@planloom/review-kit"
import {
  isNoun,
  NOT_FORETOLD,
  type Cue,
  type Excuse,
  type Lexicon,
  type Outcome,
  type OutcomeKind,
  type PromiseTopic,
  type Read,
  type Use,
} from "./Lexicon.ts"
import { isHandedOn } from "./isHandedOn.ts"
import { comingWords, hasEnding } from "./comingWords.ts"
import { around, doMeet, isCut, isInside, isName, isPurpose, type Place } from "./Place.ts"
import type { WordForms } from "./wordForms.ts"

/** Words that may lie between a negation and the gain that it denies; a harm may be further away. */
const NEAR = 3
const FAR = 7

/** Words that may lie between "will" and its verb: "will, this very week, have". */
const AHEAD = 5

/** Distance of an outcome that counts only without a nearer kind. */
const LAST = 1000

const QUOTE = /["“”«»]/g
const CLAUSE = /[,;:](?!\p{N})|[—–()]| (?:but|pero|sino|so) /u
/** "No broker, however honest, can …" */
const ASIDE = /^[^,]*,[^,]*,\s+(?:can|could|may|would|puede|pueden)\s+$/iu
/** Spanish words that an infinitive follows: "prometo", "comprometemos a". */
const BEFORE_INFINITIVE = /(?:o|mos|a)$/
/** A Spanish infinitive with its pronouns. */
const INFINITIVE = /^[a-zñ]{2,}(?:ar|er|ir|ír)(?:me|te|se|nos|os|l[aeo]s?)*$/

export class Reading {
  private readonly lexicon: Lexicon
  private readonly forms: WordForms
  private readonly sentence: Read
  private readonly cues: ReadonlyArray<Use<Cue>>
  private readonly negations: ReadonlyArray<Place>
  private readonly excuses: ReadonlySet<Excuse>
  private readonly neutral: ReadonlyArray<Place>
  /** Verbs in the future. */
  private readonly coming: ReadonlyArray<Place>

  constructor(lexicon: Lexicon, sentence: Read, cues: ReadonlyArray<Use<Cue>>) {
    this.lexicon = lexicon
    this.forms = lexicon.forms
    this.sentence = sentence
    this.cues = cues.filter((cue) => cue.role.role === "plain" || !isName(sentence.text, cue))
    const commitments = this.cues.filter(({ role }) => role.role !== "plain")
    this.negations = [
      ...lexicon.negations(sentence).filter((one) => !isInside(one, commitments)),
      ...this.cues.filter(({ role }) => role.role === "denial"),
    ]
    const excuses = lexicon
      .excuses(sentence)
      .filter(
        (one) => !isInside(one, commitments) && !lexicon.forms.accented.has(this.written(one)),
      )
    this.excuses = new Set(excuses.map(({ role }) => role))
    this.coming = comingWords(sentence, lexicon.forms)
    this.neutral = excuses.filter(({ role }) => role === "neutral")
  }

  /** No sentence like it promises anything. */
  get isExcused(): boolean {
    return (
      ["conditions", "reports", "others"].some((one) => this.excuses.has(one as Excuse)) ||
      this.sentence.words.some(
        (word) =>
          hasEnding(this.written(word), this.forms.conditionEndings) &&
          !this.forms.notConditions.has(this.written(word)) &&
          !isInside(word, this.cues),
      ) ||
      this.refusesCommitment ||
      this.cues.some(
        (cue) =>
          (cue.role.role === "strong" || cue.role.role === "named") &&
          (this.isOfOthers(cue) ||
            this.isNegated(cue) ||
            hasEnding(this.written(cue), this.forms.pastEndings)),
      )
    )
  }

  /** "Past gains give no assurance", "sin garantía". */
  private get refusesCommitment(): boolean {
    return this.sentence.words.some(
      ({ word }, index) =>
        index > 0 &&
        this.forms.commitmentNouns.has(word) &&
        this.forms.determiners.has(this.sentence.words[index - 1]!.word),
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
    const hasOwn = this.lexicon.ownActions(this.sentence).some((one) => !isInside(one, this.cues))
    const found: Array<Place & { readonly topic: PromiseTopic; readonly distance: number }> = []
    for (const cue of this.cues) {
      const { outcome, role } = cue.role
      if (
        role === "named" ||
        this.isQuoted(cue) ||
        isPurpose(this.sentence.text, cue) ||
        (role !== "strong" && this.excuses.has("hedges"))
      )
        continue
      if (outcome !== undefined) {
        if (this.isAsked(cue) || !this.isPromised(cue, outcome.kind)) continue
        found.push({ start: cue.start, end: cue.end, topic: outcome.topic, distance: -1 })
      } else if (role === "strong" || !this.isUndone(cue)) {
        found.push(
          ...promised
            .filter((one) =>
              role === "strong"
                ? !isNoun(one) || !isInside(one, [cue])
                : one.role.kind === "subjects"
                  ? this.coming.length > 0
                  : !isNoun(one) && !(role === "weak" && isCut(one, cue)),
            )
            .filter((one) => one.role.kind !== "subjects" || !hasOwn)
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
    if (!this.excuses.has("hedges"))
      found.push(
        ...promised
          .filter((one) => this.isForetold(one))
          .map((one) => ({ start: one.start, end: one.end, topic: one.role.topic, distance: 0 })),
      )
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
    return this.negations.some(
      ({ end }) =>
        end <= start &&
        (this.isOneClause(end, start) || ASIDE.test(this.sentence.text.slice(end, start))),
    )
  }

  /** True for a cue about the past or under a negation: neither is a promise. A negation before it undoes "without risk", but only repeats "ningún riesgo". */
  private isUndone(cue: Use<Cue>): boolean {
    if (this.isPast || this.isOfDone(cue)) return true
    const repeats =
      cue.role.role === "denial" && this.forms.concord.has(this.written(cue).split(" ", 1)[0]!)
    return !repeats && this.isNegated(cue)
  }

  /** "You certainly received it". */
  private isOfDone(cue: Place): boolean {
    const { words: read } = this.sentence
    const next = read.findIndex(({ start }) => start >= cue.end)
    return (
      next !== -1 &&
      hasEnding(read[next]!.word, this.forms.doneEndings) &&
      !read.slice(Math.max(0, next - NEAR), next).some(({ word }) => this.forms.passives.has(word))
    )
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
    const before = this.sentence.words.filter(({ end }) => end <= outcome.start).slice(-2)
    const next = this.sentence.words.filter(({ start }) => start >= outcome.end).slice(0, 2)
    return (
      [...before, ...this.sentence.words.filter((word) => doMeet(word, outcome)), ...next].some(
        (one) => hasEnding(this.written(one), this.forms.pastEndings),
      ) ||
      this.isDone(outcome) ||
      this.lexicon
        .past(this.sentence)
        .some(
          ({ end, start }) =>
            (end <= outcome.end && this.between(end, outcome.start) < NEAR) ||
            start === next[0]?.start,
        )
    )
  }

  /** "Escribiré", "que hoy le escribo", "prometo escribirle". */
  private isOwnVerb(word: Word, index: number): boolean {
    const written = this.written(word)
    if (hasEnding(written, this.forms.ownEndings)) return true
    const { words: read } = this.sentence
    // "Lo que sí le prometo es abrir una incidencia".
    const before = read[index - 1]?.word === "es" ? read[index - 2] : read[index - 1]
    if (before === undefined || !this.isOneClause(before.end, word.start)) return false
    return this.forms.beforeOwn.has(this.written(before))
      ? hasEnding(written, this.forms.presentEndings) && !this.forms.notOwn.has(written)
      : INFINITIVE.test(written) &&
          BEFORE_INFINITIVE.test(this.written(before)) &&
          this.cues.some(({ end, role }) => role.role === "strong" && end === before.end)
  }

  /** "Will be approved", "será aprobado", "va a ganar": others decide it, so its plain future is a promise. */
  private isForetold(outcome: Use<Outcome>): boolean {
    return (
      outcome.role.topic !== NOT_FORETOLD &&
      !isNoun(outcome) &&
      this.coming.some(
        (word) =>
          doMeet(word, outcome) ||
          (word.end <= outcome.start &&
            this.between(word.end, outcome.start) <= AHEAD &&
            this.isOneClause(word.end, outcome.start)),
      ) &&
      !this.isAsked(outcome)
    )
  }

  /** "What the judge will decide", "qué decidirá". */
  private isAsked({ start }: Place): boolean {
    return this.sentence.words.some(
      (word) => word.end <= start && this.forms.questions.has(this.written(word)),
    )
  }

  /** "Dismissed the case", not "is approved". */
  private isDone(outcome: Place): boolean {
    const { words: read } = this.sentence
    return read.some(
      (word, index) =>
        doMeet(word, outcome) &&
        hasEnding(word.word, this.forms.doneEndings) &&
        this.forms.objects.has(read[index + 1]?.word ?? "") &&
        !read
          .slice(Math.max(0, index - NEAR), index)
          .some((one) => this.forms.passives.has(one.word)),
    )
  }

  /** True if the sentence is about the future. */
  private get isAhead(): boolean {
    return this.sentence.words.some((word) =>
      isInside(word, this.cues)
        ? this.forms.results.has(word.word)
        : this.forms.future.has(word.word) ||
          hasEnding(this.written(word), this.forms.futureEndings),
    )
  }

  private get isPast(): boolean {
    return (
      this.lexicon.past(this.sentence).length > 0 ||
      this.sentence.words.some((word) => hasEnding(this.written(word), this.forms.pastEndings))
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
        this.isOwnVerb(word, index) &&
        !this.forms.causatives.has(this.written(word)) &&
        ![...outcomes.filter((one) => !isNoun(one)), ...this.cues].some((one) => doMeet(one, word)),
    )
    return (
      verbs.length > 0 ||
      isHandedOn(this.sentence, this.cues, this.forms) ||
      this.lexicon
        .ownActions(this.sentence)
        .some(({ end }) =>
          deeds.every((one) => one.end <= end || this.between(end, one.start) >= NEAR),
        )
    )
  }

  /** "The policy guarantees", "some lenders often promise", unless it is ours. */
  private isOfOthers(cue: Place): boolean {
    const before = this.sentence.words.filter(({ end }) => end <= cue.start)
    if (before.some(({ word }) => this.forms.ours.has(word))) return false
    const [first] = this.written(cue).split(" ", 1)
    const subject = before.findLast(({ word }) => !this.forms.adverbs.has(word))
    return (
      this.forms.thirds.has(first!) ||
      (this.forms.verbs.has(first!) &&
        subject !== undefined &&
        (this.forms.others.has(subject.word) || subject.word.endsWith("s")))
    )
  }
}
