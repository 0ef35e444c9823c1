/** A request as one call of a tool, and what is known where it is read. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { CallWords, SpokenParam } from "./CallWords.ts"
import type { Grammar } from "./Grammar.ts"
import type { KnownEntity } from "./namedEntity.ts"
import type { Reading } from "./Reading.ts"

export interface CallReading {
  readonly call: CallWords
  readonly params: JsonObject
  /** Required params without a value. */
  readonly missing: ReadonlyArray<SpokenParam>
  readonly reading: Reading
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
