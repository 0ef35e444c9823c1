/** One sentence with what its phrases do in it, and how they lie to each other. */
import { doMeet, isInside, isName, type Place } from "./Place.ts"
import {
  isFirm,
  type Cue,
  type Excuse,
  type Lexicon,
  type Outcome,
  type Read,
  type Use,
  type Uses,
} from "./Lexicon.ts"
import type { Word } from "@planloom/review-kit"
import { hasEnding, type WordForms } from "./wordForms.ts"

const QUOTE = /["“”«»]/g
/** "I know what they wrote, but I promise …" */
const TURN = /[,;:—–] ?(?:but|yet|however|pero|sin embargo) /giu
const CLAUSE = /[,;:](?!\p{N})|[—–()]| (?:but|pero|sino|so) /u
/** "No broker, however honest, can …" */
const ASIDE = /^[^,]*,[^,]*,\s+(?:can|could|may|would|puede|pueden)\s+$/iu

export class Reading {
  readonly text: string
  readonly words: ReadonlyArray<Word>
  readonly forms: WordForms
  readonly cues: ReadonlyArray<Use<Cue>>
  readonly outcomes: ReadonlyArray<Use<Outcome>>
  readonly negations: ReadonlyArray<Place>
  readonly excuses: ReadonlySet<Excuse>
  readonly neutral: ReadonlyArray<Place>
  /** Sympathy: "sorry", "entiendo". */
  readonly moods: ReadonlyArray<Place>
  /** Work of the speaker: "I'll", "let me". */
  readonly ownActions: ReadonlyArray<Place>
  /** Words of the past: "was", "ayer". */
  readonly past: ReadonlyArray<Place>
  /** Verbs in the future. */
  readonly coming: ReadonlyArray<Place>
  private hasCustomer: boolean | undefined
  private readonly spelled = new Map<Place, string>()

  constructor(
    { text, words }: Read,
    cues: ReadonlyArray<Use<Cue>>,
    uses: Uses,
    coming: ReadonlyArray<Place>,
    { forms }: Lexicon,
  ) {
    this.text = text
    this.words = words
    this.forms = forms
    const named = cues.filter((cue) => cue.role.role === "plain" || !isName(text, cue))
    const turn = [...text.matchAll(TURN)].at(-1)?.index ?? 0
    const after = named.filter(({ start }) => start > turn)
    const from = after.some(isFirm) ? turn : 0
    this.cues = from > 0 ? after : named
    this.outcomes = uses.outcomes
    this.past = uses.past
    this.coming = coming
    const commitments = this.cues.filter(({ role }) => role.role !== "plain")
    this.negations = [
      ...uses.negations.filter((one) => !isInside(one, commitments)),
      ...this.cues.filter(({ role }) => role.role === "denial"),
    ]
    const excuses = uses.excuses.filter(
      (one) =>
        one.start >= from && !isInside(one, commitments) && !forms.accented.has(this.written(one)),
    )
    this.excuses = new Set(excuses.map(({ role }) => role))
    this.neutral = excuses.filter(({ role }) => role === "neutral")
    this.moods = excuses.filter(({ role }) => role === "moods")
    this.ownActions = uses.ownActions.filter(
      (one) =>
        !isInside(one, this.neutral) &&
        // "I commit to the …", "that I promise you".
        !this.cues.some((cue) => isFirm(cue) && cue.end > one.end && doMeet(cue, one)),
    )
  }

  /** Its letters in lower case, with their accents. */
  written(place: Place): string {
    let spelled = this.spelled.get(place)
    if (spelled === undefined) {
      spelled = this.text.slice(place.start, place.end).normalize("NFC").toLowerCase()
      this.spelled.set(place, spelled)
    }
    return spelled
  }

  /** It speaks of the customer's own affairs: "your loan", "le", "verás". */
  get isOfCustomer(): boolean {
    return (this.hasCustomer ??= this.words.some(
      (word) =>
        this.forms.customer.has(word.word) ||
        (this.forms.customerEndings.size > 0 &&
          hasEnding(this.written(word), this.forms.customerEndings)),
    ))
  }

  /** Words between two places. */
  between(from: number, to: number): number {
    let count = 0
    for (const { end, start } of this.words) if (start >= from && end <= to) count++
    return count
  }

  isOneClause(from: number, to: number): boolean {
    return from >= to || !CLAUSE.test(this.text.slice(from, to))
  }

  /** A negation before it, in the same clause. */
  isNegated({ start }: Place): boolean {
    return this.negations.some(
      ({ end }) =>
        end <= start && (this.isOneClause(end, start) || ASIDE.test(this.text.slice(end, start))),
    )
  }

  /** A second negation that only repeats the first: "no pagará ni un euro más". */
  isConcord(cue: Place): boolean {
    return this.forms.concord.has(this.written(cue).split(" ", 1)[0]!)
  }

  isQuoted({ start }: Place): boolean {
    return (this.text.slice(0, start).match(QUOTE)?.length ?? 0) % 2 === 1
  }
}
