/**
 * Replies as models write them, each made from a known document. Half of the kinds, and half of the replies of the others, only
 * measure: rules are written without looking at them.
 */
import { schemaOf } from "./lostClosers.ts"
import { diceOf } from "./plans.ts"
import { documentDice, replyDocument } from "./replyDocuments.ts"
import { replyKinds } from "./replyKinds.ts"
import { halfOf, type Row } from "./Row.ts"

export const REPLY_SETS = ["seen", "unseen replies", "unseen kinds"] as const
export type ReplySet = (typeof REPLY_SETS)[number]

export interface Reply extends Row {
  readonly set: ReplySet
}

const isUnseen = (name: string): boolean => halfOf(`replies-1:${name}`) === "unseen"

const setOf = (kind: string, seed: number): ReplySet =>
  isUnseen(kind) ? "unseen kinds" : isUnseen(`${kind}/${seed}`) ? "unseen replies" : "seen"

/** The same ones each time: `count` of each kind. */
export const replies = (count: number): ReadonlyArray<Reply> =>
  Object.entries(replyKinds).flatMap(([kind, make], index) => {
    const found: Array<Reply> = []
    for (let seed = 1; found.length < count && seed < 50 * count; seed++) {
      const dice = documentDice(diceOf(7_000_003 + index * 10_007 + seed))
      const reply = make(replyDocument(dice), dice)
      if (reply === undefined) continue
      const { expected, schema = schemaOf(expected), text } = reply
      const id = `${kind}/${seed}`
      const row = { id, kind: "value", text, expected, set: setOf(kind, seed) }
      found.push(schema === null ? row : { ...row, schema })
    }
    return found
  })
