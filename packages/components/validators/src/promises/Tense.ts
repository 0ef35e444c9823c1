/** The time of which a sentence speaks: what is over, and what is still to come. */
import { isNoun, type Outcome, type Use } from "./Lexicon.ts"
import { doMeet, isInside, type Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"
import { hasEnding } from "./wordForms.ts"

/** Words that may lie between a word of the past and its event, or between "is" and "approved". */
const NEAR = 3

/** Words that may lie between "will" and its verb: "will, this very week, have". */
const AHEAD = 5

/** Words that may lie between "who" and a word of the past: "the money that the thief took". */
const ASIDE = 4

export class Tense {
  /** True if the sentence is about the past. */
  readonly isPast: boolean
  /** True if the sentence is about the future. */
  readonly isAhead: boolean
  private readonly reading: Reading

  constructor(reading: Reading) {
    this.reading = reading
    const { cues, forms, words } = reading
    const lastComing = reading.coming.at(-1)?.start ?? 0
    // "We have never lost a suitcase, and yours will turn up today."
    const past = reading.past.filter(({ start }) => start > lastComing)
    this.isPast =
      past.some((one) => !isInside(one, cues) && !this.isAside(one)) ||
      words.some((word) => this.isPastWord(word) && !this.isAside(word))
    this.isAhead = words.some((word) =>
      isInside(word, cues)
        ? forms.results.has(word.word)
        : forms.future.has(word.word) || hasEnding(reading.written(word), forms.futureEndings),
    )
  }

  /** "You certainly received it". */
  isOfDone(cue: Place): boolean {
    const { forms, words } = this.reading
    const next = words.findIndex(({ start }) => start >= cue.end)
    return next !== -1 && hasEnding(words[next]!.word, forms.doneEndings) && !this.isPassive(next)
  }

  /** "It was refunded", "el dinero ya llegó". */
  isOver(outcome: Place): boolean {
    const { past, words } = this.reading
    const before = words.filter(({ end }) => end <= outcome.start).slice(-2)
    const next = words.filter(({ start }) => start >= outcome.end).slice(0, 2)
    return (
      [...before, ...words.filter((word) => doMeet(word, outcome)), ...next].some((one) =>
        this.isPastWord(one),
      ) ||
      this.isDone(outcome) ||
      past.some(
        ({ end, start }) =>
          (end <= outcome.end && this.reading.between(end, outcome.start) < NEAR) ||
          start === next[0]?.start,
      )
    )
  }

  /** "Will be approved", "será aprobado", "va a ganar": others decide it, so its plain future is a promise. */
  isForetold(outcome: Use<Outcome>): boolean {
    const { coming } = this.reading
    return (
      !isNoun(outcome) &&
      coming.some(
        (word) =>
          doMeet(word, outcome) ||
          (word.end <= outcome.start &&
            this.reading.between(word.end, outcome.start) <= AHEAD &&
            this.reading.isOneClause(word.end, outcome.start)),
      ) &&
      !this.isAsked(outcome)
    )
  }

  /** "What the judge will decide", "qué decidirá". */
  isAsked({ start }: Place): boolean {
    const { forms, words } = this.reading
    return words.some(
      (word) => word.end <= start && forms.questions.has(this.reading.written(word)),
    )
  }

  /** "Dismissed the case", not "is approved". */
  private isDone(outcome: Place): boolean {
    const { forms, words } = this.reading
    return words.some(
      (word, index) =>
        doMeet(word, outcome) &&
        hasEnding(word.word, forms.doneEndings) &&
        forms.objects.has(words[index + 1]?.word ?? "") &&
        !this.isPassive(index),
    )
  }

  /** "Is approved", "will be approved". */
  private isPassive(index: number): boolean {
    const { forms, words } = this.reading
    return words
      .slice(Math.max(0, index - NEAR), index)
      .some(({ word }) => forms.passives.has(word))
  }

  private isPastWord(word: Place): boolean {
    const { forms } = this.reading
    return forms.pastEndings.size > 0 && hasEnding(this.reading.written(word), forms.pastEndings)
  }

  /** In a clause about a noun: "the money that was stolen", "lo que le robaron". */
  private isAside({ start }: Place): boolean {
    const { cues, forms, words } = this.reading
    return words.some(
      (word) =>
        word.end <= start &&
        forms.relatives.has(word.word) &&
        this.reading.between(word.end, start) <= ASIDE &&
        this.reading.isOneClause(word.end, start) &&
        // "I assure you that it was sent".
        !cues.some((cue) => doMeet(cue, word) || this.isNext(cue.end, word.start)),
    )
  }

  private isNext(end: number, start: number): boolean {
    return end <= start && this.reading.between(end, start) <= 1
  }
}
