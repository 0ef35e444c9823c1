/** A container being read, and what may come next in it. */
import type { StringContext } from "./string/StringContext.ts"
import type { Node } from "./Node.ts"

export type Mode = "name" | "colon" | "value" | "after"

/** `whole`: the text itself, read as a list. `implied`: an object without brackets of its own. */
export type Form = "bracket" | "parens" | "call" | "implied" | "whole"

export interface Name {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

export class Frame {
  node: Node
  readonly form: Form
  mode: Mode
  /** Name of the next value. */
  name: Name | undefined = undefined
  /** Offset after the last colon, -1 before it. */
  from = -1
  /** Offset of the last comma, -1 without one. */
  comma = -1
  /** A comma stands in place of a name: nothing was before it. */
  hasStrayComma = false
  /** Cached context of its strings. */
  position: StringContext | undefined = undefined
  /** The string that a `+` continues. */
  joining: Node | undefined = undefined

  constructor(node: Node, form: Form) {
    this.node = node
    this.form = form
    this.mode = node.kind === "object" ? "name" : "value"
    node.closed = false
  }
}
