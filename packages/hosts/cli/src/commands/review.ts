/** `planloom review`: lists and decides reviews of the queue. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { verdicts } from "@planloom/plugin/effect"
import { deferred } from "../deferred.ts"
import { json, limit, optional } from "./options.ts"

const id = Argument.String("id").pipe(
  Argument.withDescription("Id of a review, or a unique prefix of it"),
)

const by = optional(
  Flag.String("by"),
  "name",
  "Name of the person who reviews; default: the user of this machine",
)

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", ["open", "claimed", "decided"]).pipe(
      Flag.withDescription("Only reviews in this state"),
      Flag.withDefault(undefined),
    ),
    limit,
    json,
  },
  deferred(async () => (await import("../review/listReviews.ts")).listReviews),
).pipe(
  Command.withDescription(
    "List reviews, oldest first: replies whose reviewers found something, failed or disagreed, and the sampled ones that passed.",
  ),
  Command.withShortDescription("List reviews, oldest first"),
)

const show = Command.make(
  "show",
  { id, json },
  deferred(async () => (await import("../review/showReview.ts")).showReview),
).pipe(
  Command.withDescription(
    "Show a review: the request, the text, the findings and the decision. Personal data in it is redacted.",
  ),
  Command.withShortDescription("Show a review"),
)

const claim = Command.make(
  "claim",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription(
        "Id of a review, or a unique prefix; the oldest open one without it",
      ),
      Argument.withDefault(undefined),
    ),
    by,
    duration: Flag.String("for").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription("How long the claim lasts"),
      Flag.withDefault("30m"),
    ),
    json,
  },
  deferred(async () => (await import("../review/claimReview.ts")).claimReview),
).pipe(Command.withDescription("Claim a review, so that no other person decides it meanwhile."))

const decide = Command.make(
  "decide",
  {
    id,
    verdict: Flag.Literals("verdict", verdicts).pipe(
      Flag.withDescription("What the reviews should have come to"),
    ),
    text: optional(Flag.String("text"), "text", "The text that the user should have got"),
    note: optional(Flag.String("note"), "text", "Why"),
    by,
    json,
  },
  deferred(async () => (await import("../review/decideReview.ts")).decideReview),
).pipe(Command.withDescription("Decide a review. A decision is final."))

const cases = Command.make(
  "cases",
  {
    workflow: optional(Flag.String("workflow"), "name", "Only reviews of this workflow"),
    out: optional(Flag.String("out"), "file.test.yaml", "Write to this file"),
    userText: optional(
      Flag.String("user"),
      "@file.json",
      "The user of every case, as JSON or from a file: the users of the runs are not recorded",
    ),
    json,
  },
  deferred(async () => (await import("../review/writeCases.ts")).writeCases),
).pipe(
  Command.withDescription(
    "Write decided reviews as test cases for `planloom test`: the reply is scripted, and the reviews must come to the decision. Redacted personal data is replaced by made-up data of its kind.",
  ),
  Command.withShortDescription("Write decided reviews as test cases"),
)

const report = Command.make(
  "report",
  { json },
  deferred(async () => (await import("../review/reportReviews.ts")).reportReviews),
).pipe(
  Command.withDescription(
    "Compare the verdicts of each reviewer with the decisions: agreement, and precision and recall of everything but `pass`.",
  ),
  Command.withShortDescription("Compare reviewers with decisions"),
)

export const review = Command.make("review").pipe(
  Command.withDescription("List and decide reviews of the queue."),
  Command.withSubcommands([list, show, claim, decide, cases, report]),
)
