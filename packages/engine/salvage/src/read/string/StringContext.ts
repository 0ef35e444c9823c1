/** Where a string stands, and what is known of it before its end is found. */

/** Role of a string: a name, a member's value, a list item, or the whole text. */
export type StringRole = "key" | "member" | "item" | "whole"

/** Context of a string. */
export interface StringContext {
  readonly role: StringRole
  /** Open brackets around it. */
  readonly inObject: boolean
  readonly inArray: boolean
  readonly inParens: boolean
}

export interface StringSoFar {
  /** Offset of the body. */
  readonly body: number
  /** A quote of its kind was already taken as text. */
  readonly suspicious: boolean
}
