/** Counts how often the gate of a section asks each of its subagents, at most. */
import type { GateReviews } from "@planloom/plugin/effect"
import { settles } from "./WholeReview.ts"
import type { PanelMember } from "../review/Panel.ts"

/** `members` of `gate`, `later` of `async`. Validators ask nothing. */
export const reviewCounts = (
  members: ReadonlyArray<PanelMember>,
  later: ReadonlyArray<PanelMember>,
): ReadonlyArray<GateReviews> => [
  ...members.filter(isSubagent).map(({ facts, use }) => ({
    use,
    reply:
      facts.at === "input" ? 1 : facts.at === "window" ? Infinity : wholeReviews(facts, members),
    value: isValueReader(facts) ? Infinity : 0,
    after: 0,
    blocked: facts.at === "input" || facts.class === "context" ? 0 : wholeReviews(facts, members),
  })),
  ...later.filter(isSubagent).map(({ facts, use }) => ({
    use,
    reply: 0,
    value: 0,
    after: wholeReviews(facts, later),
    blocked: facts.class === "context" ? 0 : wholeReviews(facts, later),
  })),
]

const isSubagent = ({ facts }: PanelMember): boolean => facts.kind === "subagent"

/** The texts of a value are as many as the value has. */
const isValueReader = ({ class: of }: PanelMember["facts"]): boolean =>
  of === "safety" || of === "compliance"

/**
 * A text is read, then once more by a reviewer that writes it anew after another one did, and once more by those that may
 * refuse it once it was replaced.
 */
const wholeReviews = (
  { can }: PanelMember["facts"],
  members: ReadonlyArray<PanelMember>,
): number => {
  const replacing = members.filter(({ facts }) => facts.can.includes("replace")).length
  const again = can.includes("replace") && replacing > 1 ? 1 : 0
  return 1 + again + (replacing > 0 && can.some(settles) ? 1 : 0)
}
