/** A question while it is read: its words, which of them are understood, and what has been understood. */
import type { Column, DataProfile, FilterOp } from "@planloom/tables"
import type { Analysis, Constraint, AskedGrain, Output } from "../requirements/Requirements.ts"
import type { Lexicon } from "./Lexicon.ts"
import { phraseAt } from "./PhraseBook.ts"
import type { PhraseBook, PhraseMatch } from "./PhraseBook.ts"
import { findMentions } from "./findMentions.ts"
import type { Mention } from "./findMentions.ts"
import { PART } from "./matchColumns.ts"
import type { Token } from "./tokens.ts"

export class Reading {
  readonly tokens: ReadonlyArray<Token>
  readonly mentions: ReadonlyArray<Mention>
  readonly lexicon: Lexicon
  readonly profile: DataProfile

  readonly metrics = new Set<string>()
  readonly groupBy = new Set<string>()
  readonly analysis = new Set<Analysis>()
  readonly outputs = new Set<Output>()
  readonly constraints: Array<Constraint> = []
  /** What the question calls the rows, when it is no usual word for them. */
  rowWord: string | undefined
  timeColumn = ""
  grain: AskedGrain = "unknown"
  /** Columns that "each" or "per" leads, in the order read. */
  readonly each = new Set<string>()
  /** "the best region": one is asked for, from this end. */
  single: "desc" | "asc" | undefined
  /** Asked of a column or value the table has not. */
  readonly missing: Array<string> = []
  /** A condition was not understood: an answer without it answers something else. */
  unlimited = false
  /** Words that no rule understood. */
  readonly unknown: Array<string> = []
  /** Questions whose answer would settle what is unclear. */
  readonly questions: Array<string> = []
  /** How loose words were read. */
  readonly notes: Array<string> = []

  private readonly taken: Array<boolean>

  constructor(tokens: ReadonlyArray<Token>, lexicon: Lexicon, profile: DataProfile) {
    this.tokens = tokens
    this.lexicon = lexicon
    this.profile = profile
    this.mentions = findMentions(tokens, lexicon)
    this.taken = tokens.map(() => false)
  }

  /** The word at a place, in the singular; empty outside the question. */
  stem(at: number): string {
    return this.tokens[at]?.stem ?? ""
  }

  isTaken(at: number): boolean {
    return this.taken[at] ?? true
  }

  take(start: number, end = start + 1): void {
    for (let at = start; at < end; at++) this.taken[at] = true
  }

  release(start: number, end: number): void {
    for (let at = start; at < end; at++) this.taken[at] = false
  }

  areFree(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.isTaken(at)) return false
    return true
  }

  /** The phrase that begins here, none of it taken. */
  phrase(at: number, book: PhraseBook): PhraseMatch | undefined {
    const match = phraseAt(this.tokens, at, book)
    return match !== undefined && this.areFree(at, at + match.length) ? match : undefined
  }

  /** The longest phrase that ends right before a place. */
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

  /** The mention that begins here, none of it taken. */
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

  /** The one column a mention means; asks when it could be several. `fits` narrows by what is needed. */
  columnOf(mention: Mention, fits?: (column: Column) => boolean): Column | undefined {
    const fitting = fits === undefined ? [] : mention.columns.filter(fits)
    const columns = fitting.length > 0 ? fitting : mention.columns
    const said = this.textOf(mention.start, mention.end)
    const [only] = columns
    if (columns.length > 1) {
      const names = columns.map(({ name }) => name)
      this.missing.push(said)
      this.questions.push(`Which do you mean by "${said}": ${names.join(" or ")}?`)
      return undefined
    }
    // The last word of a name is the name, as people say it.
    const plain = mention.quality >= 0.9 || mention.quality === PART
    if (only !== undefined && !plain && mention.value === undefined) {
      const note = `"${said}" read as ${only.name}`
      if (!this.notes.includes(note)) this.notes.push(note)
    }
    return only
  }

  filter(
    column: Column,
    op: FilterOp,
    value?: string | number | ReadonlyArray<string | number>,
  ): void {
    this.constraints.push({
      kind: "filter",
      column: column.name,
      op,
      ...(value === undefined ? {} : { value }),
    })
  }

  /** The column that holds the dates: the one named, else the only one, else the first called so. */
  dateColumn(): Column | undefined {
    const dates = this.profile.columns.filter(({ type }) => type === "date")
    const named = this.mentions.flatMap(({ columns, value }) =>
      value === undefined ? columns.filter(({ type }) => type === "date") : [],
    )
    return named[0] ?? dates.find(({ name }) => /date|time|day/i.test(name)) ?? dates[0]
  }

  /** A column of year numbers, for tables without dates. */
  yearColumn(): Column | undefined {
    return this.profile.columns.find(
      ({ name, type }) => type === "integer" && /(^|[^a-z])(year|yr)([^a-z]|$)/i.test(name),
    )
  }
}

/** Numbers that count time: a sum of years says nothing. */
const countsTime = ({ name, type }: Column): boolean =>
  type === "integer" && /(^|[^a-z])(year|yr|month|quarter|week|day|decade)([^a-z]|$)/i.test(name)

/** Columns that divide rows rather than measure them. */
export const divides = (column: Column): boolean =>
  column.type === "string" ||
  column.type === "boolean" ||
  column.type === "date" ||
  countsTime(column) ||
  (column.type === "integer" && (column.distinct?.length ?? Infinity) <= 24)

/** Whole numbers without gaps, as many as rows: they only tell rows apart. */
export const numbersRows = ({ max, min, nulls, type }: Column, rows: number): boolean =>
  type === "integer" && nulls === undefined && rows > 1 && Number(max) - Number(min) + 1 === rows

export const measures = (column: Column): boolean =>
  (column.type === "number" || column.type === "integer") && !countsTime(column)
