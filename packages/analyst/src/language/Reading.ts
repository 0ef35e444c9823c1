/** State of reading a question: its tokens, which of them are claimed, and the requirements so far. */
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
  /** The question's own noun for the rows, if it is not a usual one. */
  rowWord: string | undefined
  timeColumn = ""
  grain: AskedGrain = "unknown"
  /** Columns after "each" or "per", in reading order. */
  readonly each = new Set<string>()
  /** "the best region" asks for one group, from this end. */
  single: "desc" | "asc" | undefined
  /** Phrases that ask for a column or value that the table lacks. */
  readonly missing: Array<string> = []
  /** Whether a condition was not understood: an answer would ignore it. */
  unlimited = false
  /** Words that no rule understood. */
  readonly unknown: Array<string> = []
  /** Clarifying questions. */
  readonly questions: Array<string> = []
  /** Interpretations of inexact words. */
  readonly notes: Array<string> = []

  private readonly taken: Array<boolean>

  constructor(tokens: ReadonlyArray<Token>, lexicon: Lexicon, profile: DataProfile) {
    this.tokens = tokens
    this.lexicon = lexicon
    this.profile = profile
    this.mentions = findMentions(tokens, lexicon)
    this.taken = tokens.map(() => false)
  }

  /** The singular of the word at an index; empty outside the question. */
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

  /** The phrase that starts here and has no claimed token. */
  phrase(at: number, book: PhraseBook): PhraseMatch | undefined {
    const match = phraseAt(this.tokens, at, book)
    return match !== undefined && this.areFree(at, at + match.length) ? match : undefined
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
    const columns = fitting.length > 0 ? fitting : mention.columns
    const said = this.textOf(mention.start, mention.end)
    const [only] = columns
    if (columns.length > 1) {
      const names = columns.map(({ name }) => name)
      this.missing.push(said)
      this.questions.push(`Which do you mean by "${said}": ${names.join(" or ")}?`)
      return undefined
    }
    // The last word of a name stands for the name in speech.
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

  /** The date column: the named one, else the only one, else the first with a date-like name. */
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

/** Numeric times such as years, which cannot be summed. */
const isTimeNumber = ({ name, type }: Column): boolean =>
  type === "integer" && /(^|[^a-z])(year|yr|month|quarter|week|day|decade)([^a-z]|$)/i.test(name)

/** Columns that group rows rather than measure them. */
export const isGroupable = (column: Column): boolean =>
  column.type === "string" ||
  column.type === "boolean" ||
  column.type === "date" ||
  isTimeNumber(column) ||
  (column.type === "integer" && (column.distinct?.length ?? Infinity) <= 24)

/** Consecutive integers, as many as rows: row numbers. */
export const isRowNumber = ({ max, min, nulls, type }: Column, rows: number): boolean =>
  type === "integer" && nulls === undefined && rows > 1 && Number(max) - Number(min) + 1 === rows

export const isMeasurable = (column: Column): boolean =>
  (column.type === "number" || column.type === "integer") && !isTimeNumber(column)
