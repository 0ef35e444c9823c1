/** Failures of what is not shown because of its review. */
import { StageFailed } from "@planloom/plugin/effect"

/** A review has blocked or changed a text, and nothing else may stand in its place. */
export const withheld = (what: string): StageFailed =>
  new StageFailed({
    class: "blocked",
    message: `${what} is withheld: a review of it put another text in place of one, which its schema does not take`,
  })

export const blocked = (what: string): StageFailed =>
  new StageFailed({
    class: "blocked",
    message: `${what} is withheld: a review blocked a text in it`,
  })
