/** The understanding gate: carry out a plan, ask, or refuse. */
import { openPhrases, unbacked, type PlanPart, type Reading } from "./Reading.ts"

export type Decision =
  | { readonly type: "go" }
  /** `about`: neighbouring words without a use. */
  | { readonly type: "ask"; readonly about: string }
  | { readonly type: "refuse"; readonly reason: string }

export interface Proposal {
  readonly reading: Reading
  readonly parts: ReadonlyArray<PlanPart>
  /** Words that a question was put about before: they are never asked about again. */
  readonly asked: ReadonlyArray<string>
}

/** Two-sided: every word with content has a use, and every part of the plan is backed by a word. */
export const decide = ({ asked, parts, reading }: Proposal): Decision => {
  const open = openPhrases(reading).map(({ text }) => text)
  const about = open.find((text) => !asked.some((one) => text.endsWith(one)))
  if (about !== undefined) return { type: "ask", about }
  if (open.length > 0)
    return { type: "refuse", reason: `not understood: ${open.map((one) => `"${one}"`).join(", ")}` }
  const invented = unbacked(reading, parts).map(({ label }) => label)
  return invented.length > 0
    ? { type: "refuse", reason: `the request does not ask for ${invented.join(", ")}` }
    : { type: "go" }
}
