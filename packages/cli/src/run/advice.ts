/** What a person can do about a failed run, by the class of the failure. */
import type { FailureClass, FailureRecord, Json, JsonObject } from "@planloom/plugin"

const byClass: { readonly [failure in FailureClass]: string } = {
  rate_limit:
    "wait a little, raise max_retries and delay of the retry policy, or name a second model under try",
  overloaded: "try again later, or name a second model under try",
  timeout:
    "raise timeout of the stage, or timeout and stall of the provider in planloom.yaml; `planloom run --json` shows what takes so long",
  unavailable: "see whether the service is up and can be reached from here: planloom doctor",
  auth: "see which keys are there: planloom doctor. Keys are read from the environment",
  invalid_request: "mend what the message says; the same request would fail again",
  content_filter: "the provider refuses this content; change the request or use another model",
  context_length: "shorten the prompt with a smaller mode, or use a model that reads more",
  too_large:
    "something between here and the model sends more than a reply; where replies are really that long, raise max_reply_bytes of the provider in planloom.yaml",
  invalid_output:
    "give the stage a retry policy on invalid_output, or a stronger model; --json shows what came back",
  tool_error: "the message is the tool's own; `planloom run --json` shows what it was given",
  budget: "raise the budget in policies.budget, or see with `planloom plan` what a run can take",
  assertion: "the message says what does not hold; raise max_reruns, or mend the stage before it",
  no_model:
    "name a model for the stage that its service has (planloom doctor), set the provider's key, or allow `otherwise: mechanical` for its alias",
  clarification:
    "a recorded run waits for its answer; this one is not recorded: run it again with the answer in its inputs, or with --yes where a tool wants to be approved",
  cancelled: "nothing is wrong with the run itself; start it again when it may run",
  conflict:
    "somebody else has talked in this session meanwhile; run it again, and it goes on from there",
  store:
    "mend what the message says; nothing recorded is lost, and a run that is kept can go on from there",
  internal:
    "this is a fault of a plugin or of planloom; `planloom run --json` shows the events that lead to it",
}

const staleCassette =
  "see whether the change is meant; then record the run anew with --record, or run it without --replay"

export const adviceFor = ({ class: failure, detail }: FailureRecord): string =>
  isStaleCassette(detail) ? staleCassette : byClass[failure]

const isStaleCassette = (detail: Json | undefined): boolean =>
  typeof detail === "object" && detail !== null && (detail as JsonObject)["cassette"] === "stale"
