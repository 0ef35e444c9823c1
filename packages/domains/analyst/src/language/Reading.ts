/** State of reading a question: its tokens, which of them are claimed, and the requirements so far. */
import { english, readWords, type Claim, type Word } from "@planloom/planning/reading"
import type { Column, DataProfile, FilterOp } from "@planloom/tables"
import type {
  Analysis,
  Condition,
  Constraint,
  AskedGrain,
  Output,
} from "../requirements/Requirements.ts"
import type { Lexicon } from "./vocabulary/Lexicon.ts"
import { phraseAt } from "./vocabulary/PhraseBook.ts"
import type { PhraseBook, PhraseMatch } from "./vocabulary/PhraseBook.ts"
import { findMentions } from "./findMentions.ts"
import type { Mention } from "./findMentions.ts"
import { isMeasurable } from "./columnKinds.ts"
import { matchColumns, PART } from "./matchColumns.ts"
import { choices, leaveOut } from "./TableQuestion.ts"
import type { TableQuestion } from "./TableQuestion.ts"
import type { Token } from "./tokens.ts"

export interface Place {
  readonly start: number
  readonly end: number
}

export class Reading {
  readonly tokens: ReadonlyArray<Token>
  readonly mentions: ReadonlyArray<Mention>
  readonly lexicon: Lexicon
  readonly profile: DataProfile
  /** What the grammar says of the words. */
  readonly words: ReadonlyArray<Word>

  readonly metrics = new Set<string>()
  readonly groupBy = new Set<string>()
  readonly analysis = new Set<Analysis>()
  readonly outputs = new Set<Output>()
  readonly constraints: Array<Constraint> = []
  /** Where the words of a condition stand. */
  readonly places = new Map<Constraint, Place>()
  /** The question's own noun for the rows, if it is not a usual one. */
  rowWord: string | undefined
  timeColumn = ""
  /** Present where the question asks for the first ones of a ranking: "which cities". */
  asked: { readonly plural: boolean } | undefined
  grain: AskedGrain = "unknown"
  /** Columns after "each" or "per", in reading order. */
  readonly each = new Set<string>()
  /** Phrases that ask for a column or value that the table lacks. */
  readonly missing: Array<string> = []
  /** Why no answer is possible, whatever the words mean. */
  refusal: string | undefined
  /** Questions about words or columns that a rule could not settle. */
  readonly questions: Array<TableQuestion> = []
  readonly claims: Array<Claim> = []
  /** The rule that reads at present. */
  by = ""
  /** Interpretations of inexact words. */
  readonly notes: Array<string> = []

  /** Mentions read as a column by an interpretation. */
  readonly unsure: Array<Mention> = []

  private readonly taken: Array<boolean>
  private readonly blocked = new Set<number>()
  private readonly text: string

  constructor(text: string, tokens: ReadonlyArray<Token>, lexicon: Lexicon, profile: DataProfile) {
    this.text = text
    this.tokens = tokens
    this.lexicon = lexicon
    this.profile = profile
    this.mentions = findMentions(tokens, lexicon)
    this.taken = tokens.map(() => false)
    this.words = readWords(text, english)
  }

  /** The singular of the word at an index; empty outside the question. */
  stem(at: number): string {
    return this.tokens[at]?.stem ?? ""
  }

  isTaken(at: number): boolean {
    return this.taken[at] ?? true
  }

  /**
   * States what these words are used for: `metrics:revenue`, `filter:region`, `time`, or a role in the question such as
   * `rows`. Words that a rule has blocked stay open.
   */
  claim(used: string | ReadonlyArray<string>, start: number, end: number = start + 1): void {
    for (let at = start; at < end; at++) {
      const token = this.tokens[at]
      if (token === undefined || this.blocked.has(at)) continue
      this.taken[at] = true
      for (const requirement of [used].flat())
        this.claims.push({
          start: token.start,
          end: token.end,
          by: this.by,
          certain: true,
          used: requirement,
        })
    }
  }

  /** The same for the words of a span that have no use yet. */
  claimRest(used: string | ReadonlyArray<string>, { start, end }: Place): void {
    for (let at = start; at < end; at++) if (!this.isTaken(at)) this.claim(used, at)
  }

  /** What the word at an index is used for. */
  usesAt(at: number): ReadonlyArray<string> {
    const start = this.tokens[at]?.start
    return this.claims.flatMap((claim) => (claim.start === start ? [claim.used] : []))
  }

  /** Whether a word is used for this. */
  uses(requirement: string): boolean {
    return this.claims.some(({ used }) => used === requirement)
  }

  /** A part that follows from another is backed by the same words. */
  follow(used: string, ...from: ReadonlyArray<string>): void {
    for (const claim of this.claims.slice())
      if (from.includes(claim.used)) this.claims.push({ ...claim, by: this.by, used })
  }

  /** The words are only interpreted: their claims are not certain. */
  doubt(start: number, end: number): void {
    const [from, to] = [this.tokens[start]?.start ?? 0, this.tokens[end - 1]?.end ?? 0]
    for (const [at, claim] of this.claims.entries())
      if (claim.start >= from && claim.end <= to) this.claims[at] = { ...claim, certain: false }
  }

  /** Keeps words open: no rule uses them. */
  block(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      this.taken[at] = true
      this.blocked.add(at)
    }
  }

  /** Keeps words open that ask for something the table lacks, with the question and its answers if the rule knows them. */
  lacks(start: number, end: number, text?: string, says: ReadonlyArray<string> = []): void {
    this.block(start, end)
    const about = this.text.slice(this.tokens[start]?.start, this.tokens[end - 1]?.end)
    this.missing.push(about)
    if (text !== undefined)
      this.questions.push({
        about,
        text: says.length === 0 ? `${text} Leave it out?` : text,
        choices: [...choices(says), ...leaveOut],
      })
  }

  areFree(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.isTaken(at)) return false
    return true
  }

  /** Takes back what a word is used for. */
  unclaim(at: number): void {
    const start = this.tokens[at]?.start
    this.taken[at] = false
    const kept = this.claims.filter((claim) => claim.start !== start)
    this.claims.splice(0, Infinity, ...kept)
  }

  /** The longest phrase that starts here and has no claimed token. */
  phrase(at: number, book: PhraseBook): PhraseMatch | undefined {
    return phraseAt(this.tokens, at, book, (place) => !this.isTaken(place))
  }

  /** The longest phrase that ends right before an index. */
  phraseBefore(
    at: number,
    book: PhraseBook,
  ): (PhraseMatch & { readonly start: number }) | undefined {
    for (let start = Math.max(0, at - 5); start < at; start++) {
      const match = phraseAt(this.tokens, start, book)
      if (match !== undefined && start + match.length === at) return { ...match, start }
    }
    return undefined
  }

  /** The mention that starts here and has no claimed token. */
  mention(at: number): Mention | undefined {
    const mention = this.mentions.find(({ start }) => start === at)
    return mention !== undefined && this.areFree(mention.start, mention.end) ? mention : undefined
  }

  textOf(start: number, end: number): string {
    return this.tokens
      .slice(start, end)
      .map(({ text }) => text)
      .join(" ")
  }

  /** The column of a mention; adds a question if it is ambiguous. `fits` filters the candidates. */
  columnOf(mention: Mention, fits?: (column: Column) => boolean): Column | undefined {
    const fitting = fits === undefined ? [] : mention.columns.filter(fits)
    const columns = this.chosenBy(mention, fitting.length > 0 ? fitting : mention.columns)
    const said = this.textOf(mention.start, mention.end)
    const [only] = columns
    if (columns.length > 1) {
      const names = columns.map(({ name }) => name)
      const text = `Which do you mean by "${said}": ${names.join(" or ")}?`
      this.lacks(mention.start, mention.end, text, names)
      return undefined
    }
    // The last word of a name stands for the name in speech.
    const plain = mention.quality >= 0.9 || mention.quality === PART
    if (only !== undefined && !plain && mention.value === undefined) {
      this.interpret(mention, only)
    }
    return only
  }

  /** "fatal accidents in 00-14": the rest of the name stands elsewhere in the question. */
  private chosenBy(mention: Mention, columns: ReadonlyArray<Column>): ReadonlyArray<Column> {
    if (columns.length < 2) return columns
    const open = this.tokens.flatMap(({ stem }, at) => {
      const isOutside = at < mention.start || at >= mention.end
      return isOutside && !this.isTaken(at) ? [[stem, at] as const] : []
    })
    const known = new Set(this.tokens.slice(mention.start, mention.end).map(({ stem }) => stem))
    const whole = columns.flatMap((column) => {
      const parts = this.lexicon.columns.find((one) => one.column === column)?.parts ?? []
      const rest = parts.filter((part) => !known.has(part))
      const places = rest.map((part) => open.find(([stem]) => stem === part)?.[1])
      return rest.length > 0 && places.every((at) => at !== undefined) ? [{ column, places }] : []
    })
    const [only] = whole
    if (only === undefined || whole.length > 1) return columns
    for (const at of only.places) this.claim(`column:${only.column.name}`, at)
    return [only.column]
  }

  filter(
    column: Column,
    op: FilterOp,
    value?: string | number | ReadonlyArray<string | number>,
    place?: Place,
  ): void {
    const condition: Condition<"filter"> = {
      kind: "filter",
      column: column.name,
      op,
      ...(value === undefined ? {} : { value }),
    }
    this.constraints.push(condition)
    if (place !== undefined) this.places.set(condition, place)
  }

  /** Groups the rows by a column, or by time if it is of dates. */
  divideBy(column: Column, start: number, end: number): void {
    if (column.type === "date") this.timeColumn = column.name
    else this.groupBy.add(column.name)
    this.claim(column.type === "date" ? "time" : `group_by:${column.name}`, start, end)
  }

  /** Whether all of these words are in the name of the table: "fight songs" of the table `fight-songs`. */
  isTitled(start: number, end: number): boolean {
    const { title } = this.lexicon
    const named = this.tokens.slice(start, end)
    return named.length === end - start && named.every(({ stem }) => title.has(stem))
  }

  /** Notes that everything between two ends was taken, and the ends. */
  noteRange(start: number, end: number): void {
    this.notes.push(`"${this.textOf(start, end)}" read as a range, both ends included`)
  }

  /** Notes how words that are no name of the column were read. */
  interpret(mention: Mention, column: Column): void {
    const note = `"${this.textOf(mention.start, mention.end)}" read as ${column.name}`
    if (!this.notes.includes(note)) this.notes.push(note)
    this.unsure.push(mention)
  }

  /** The only measure that a word such as "oldest" is of; `maximum temperature` before any temperature. */
  subjectOf(of: string, order: "desc" | "asc" = "desc"): Column | undefined {
    const names = [`${order === "desc" ? "maximum" : "minimum"} ${of}`, of]
    for (const name of names) {
      const found = matchColumns(name.split(" "), name, this.lexicon)?.columns.filter(isMeasurable)
      if (found !== undefined && found.length > 0) return found.length === 1 ? found[0] : undefined
    }
    return undefined
  }

  /** The date column: the named one, else the only one, else the first with a date-like name. */
  dateColumn(): Column | undefined {
    const dates = this.profile.columns.filter(({ type }) => type === "date")
    const named = this.mentions.flatMap(({ columns, value }) =>
      value === undefined ? columns.filter(({ type }) => type === "date") : [],
    )
    return named[0] ?? dates.find(({ name }) => /date|time|day/i.test(name)) ?? dates[0]
  }
}
