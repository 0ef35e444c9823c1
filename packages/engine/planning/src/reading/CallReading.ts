/** A request as one call of a tool, and what is known where it is read. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { CallWords } from "./CallWords.ts"
import type { SpokenParam } from "./SpokenParam.ts"
import type { Word } from "./words/Word.ts"
import type { Grammar } from "./words/Grammar.ts"
import type { KnownEntity } from "./namedEntity.ts"
import type { Reading } from "./Reading.ts"

export interface CallReading {
  readonly call: CallWords
  readonly params: JsonObject
  /** Required params without a value. */
  readonly missing: ReadonlyArray<SpokenParam>
  readonly reading: Reading
  /** A code that several params take; the request does not say which. */
  readonly undecided?: Undecided
}

export interface Undecided {
  readonly word: Word
  readonly params: ReadonlyArray<SpokenParam>
}

export interface RequestText {
  readonly text: string
  readonly grammar: Grammar
  /** The user's day, YYYY-MM-DD. */
  readonly today: string
  /** Things of the conversation, last mentioned first. */
  readonly entities?: ReadonlyArray<KnownEntity>
  /** Params that answers gave. */
  readonly params?: JsonObject
}
