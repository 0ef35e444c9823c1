/** The text in place of a blocked one: what the run has changed, then that a person takes over. */
import * as Effect from "effect/Effect"
import type { DoneText, GateContext } from "@planloom/plugin/effect"
import type { About, Panel, PanelMember } from "../review/Panel.ts"
import { WholeReview } from "./WholeReview.ts"

export interface Escalation {
  readonly panel: Panel
  /** Those of the blocked reply. */
  readonly members: ReadonlyArray<PanelMember>
  readonly about: About
  readonly context: GateContext
}

/**
 * What tools say of their changes passes the reviewers, too; where it does not, the words of the engine stand in its place:
 * a change is never left out.
 */
export const escalation = ({
  about,
  context,
  members,
  panel,
}: Escalation): Effect.Effect<string> => {
  const escalate = context.text("escalate")
  const changes = about.calls.flatMap((call) => {
    const text = context.done(call)
    return text === undefined ? [] : [{ call, text }]
  })
  const done = changes.map(({ text }) => text)
  if (done.length === 0) return Effect.succeed(escalate)
  // A receipt is no place for an opportunity.
  const readers = members.filter(({ facts }) => facts.at !== "input" && facts.class !== "context")
  const validators = readers.filter(({ facts }) => facts.kind === "validator")
  const review = new WholeReview({
    panel,
    members: readers,
    validators,
    // What was looked up besides has its own rules, which the news of a change need not keep.
    about: { ...about, calls: changes.map(({ call }) => call) },
    context,
  })
  return Effect.map(review.of(linesOf(done), false), ({ text }) =>
    [text ?? plainOf(done), escalate].join("\n\n"),
  )
}

const linesOf = (done: ReadonlyArray<DoneText>): string =>
  done.map(({ plain, said = plain }) => said).join("\n")

const plainOf = (done: ReadonlyArray<DoneText>): string => done.map(({ plain }) => plain).join("\n")
