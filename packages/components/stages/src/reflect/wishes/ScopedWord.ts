/** A word of a request with what its negations, its waivers and its fixed phrases make of it. */
import type { RequestWord } from "./clauses.ts"

/** An `excluded` word names no wish; a `withdrawn` one also takes back the same wish before it. */
export type Scope = "open" | "excluded" | "withdrawn"

export interface ScopedWord extends RequestWord {
  /** By negations and waivers. */
  readonly scope: Scope
  /** By what the fixed phrases of the clause say: names have their sense in it all the same. */
  readonly sense: Scope
  /** In a statement, or in what others are reported to say: "it's safe", "he says it's a scam". */
  readonly isStated: boolean
  /** Behind a word that leaves things out: "no scams", "skip the scams". */
  readonly isLeftOut: boolean
}
