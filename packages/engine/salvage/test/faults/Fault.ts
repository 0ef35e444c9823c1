/** What models do to a document, each by its name, in the order in which faults come about. */
import type { Random } from "./described.ts"
import type { Token } from "./Token.ts"
import type { Json, JsonObject, Schema } from "../../src/Salvage.ts"

export type Fault = ValueFault | TokenFault | TextFault | Surrounding

/**
 * Another value than the schema asks for, which says the same; `shape`: with other containers or names. `undefined`: the document has
 * nothing to which it could happen.
 */
export interface ValueFault {
  readonly layer: "value" | "shape"
  readonly apply: (value: JsonObject, schema: Schema, random: Random) => Json | undefined
}

/** Tokens written another way; `false`: there are none of the kind. */
export interface TokenFault {
  readonly layer: "tokens"
  readonly apply: (tokens: Array<Token>, random: Random) => boolean
}

/** The written document, damaged. */
export interface TextFault {
  readonly layer: "text"
  readonly apply: (text: string, random: Random) => string | undefined
}

/** What stands around it. */
export interface Surrounding {
  readonly layer: "around"
  readonly apply: (text: string, random: Random, value: JsonObject) => string
}

export type Faults = { readonly [name: string]: Fault }
