/** A way in which models turn a document into a reply. */
import type { Fields, Value } from "./plans.ts"
import type { DocumentDice } from "./replyDocuments.ts"

/** A reply and its document; `schema`: null without one, by default of the document. */
export interface Made {
  readonly text: string
  readonly expected: Value
  readonly schema?: Fields | null
}

/** `undefined` if the document has nothing for it. */
export type Kind = (document: Fields, dice: DocumentDice) => Made | undefined

export const json = (value: Value, dice: DocumentDice): string =>
  JSON.stringify(value, null, dice.one([0, 1, 2, 4]))
export const fence = (text: string, tag = "json") => `\`\`\`${tag}\n${text}\n\`\`\``
