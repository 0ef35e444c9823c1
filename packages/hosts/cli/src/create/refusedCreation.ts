/** Converts what `create-planloom` throws to a refusal of the command. A refusal of ours inside it stays one. */
import { NotCreated } from "create-planloom"
import { Refused } from "../Refused.ts"

const exits = { usage: "usage", exists: "problems", unwritten: "failed" } as const

export const refusedCreation = (error: unknown): Refused => {
  if (error instanceof Refused) return error
  if (!(error instanceof NotCreated)) throw error
  const { help, message, reason } = error
  return new Refused({ exit: exits[reason], message, ...(help === undefined ? {} : { help }) })
}
