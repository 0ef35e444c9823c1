/** Suggested fixes for a failed run, by failure class. */
import type {
  FailureClass,
  FailureRecord,
  Json,
  JsonObject,
  LoopStop,
} from "@planloom/plugin/effect"

const byClass: { readonly [failure in FailureClass]: string } = {
  rate_limit:
    "wait a while, increase max_retries and delay of the retry policy, or add a second model under try",
  overloaded: "try again later, or add a second model under try",
  timeout:
    "increase timeout of the stage, or timeout and stall of the provider in planloom.yaml; `planloom run --json` shows which call is slow",
  unavailable: "check that the service is up and can be reached from this machine: planloom doctor",
  auth: "check which keys are set: planloom doctor. Keys are read from the environment and from .env",
  invalid_request: "fix what the message describes; the same request would fail again",
  not_allowed: "allow it in planloom.yaml, if it is meant",
  content_filter: "the provider rejected this content; change the request or use another model",
  blocked:
    "the message names the hook or reviewer and its reason; change the request, or the review",
  context_length: "shorten the prompt with a smaller mode, or use a model with a larger context",
  too_large:
    "check what answers the request: the reply is larger than any reply should be; if replies are really that long, increase max_reply_bytes of the provider in planloom.yaml",
  invalid_output:
    "add a retry policy on invalid_output to the stage, or use a stronger model; --json shows the reply",
  tool_error: "the message comes from the tool; `planloom run --json` shows its arguments",
  budget: "increase policies.budget; `planloom plan` shows the maximum of a run",
  assertion:
    "the message describes the failed assertion; increase max_reruns, or fix the stage before it",
  no_model:
    "choose a model that its service offers (planloom doctor), install the provider's SDK, set its key, or allow `otherwise: mechanical` for its alias",
  clarification:
    "this run is not recorded, so it cannot wait for an answer: run it again with the answer in its inputs, or with --yes to approve tools",
  cancelled: "the run itself has no error; start it again",
  conflict:
    "another run added a turn to this session in the meantime; run it again to continue from there",
  store:
    "fix what the message describes; no recorded data is lost, and a recorded run can be resumed",
  internal:
    "this is a defect of a plugin or of planloom; `planloom run --json` shows the events before it",
}

const staleCassette =
  "if the change is intended, record the run again with --record, or run it without --replay"

const exhausted =
  "increase max_iterations, or use what the rounds have found: on_exhausted: continue"

const unpriced =
  "give the price of the model in a file of kind Models, named under model_facts in planloom.yaml, or remove cost_usd from the budget"

export const adviceFor = ({ class: failure, detail }: FailureRecord): string => {
  if (failure === "assertion" && isExhausted(detail)) return exhausted
  if (failure === "budget" && (detail as JsonObject | undefined)?.["priced"] === false)
    return unpriced
  if (isStaleCassette(detail)) return staleCassette
  const open = failure === "conflict" ? openRun(detail) : undefined
  return open === undefined
    ? byClass[failure]
    : `planloom runs answer ${open}, or planloom runs cancel ${open}`
}

/** The run whose question is open: a session that has changed has a version, too. */
const openRun = (detail: Json | undefined): string | undefined => {
  const { run, version } = (detail ?? {}) as JsonObject
  return typeof run === "string" && version === undefined ? run : undefined
}

const isStaleCassette = (detail: Json | undefined): boolean =>
  typeof detail === "object" && detail !== null && (detail as JsonObject)["cassette"] === "stale"

/** Whether a loop had no round left. */
const isExhausted = (detail: Json | undefined): boolean =>
  typeof detail === "object" &&
  detail !== null &&
  (detail as JsonObject)["stopped"] === ("iterations" satisfies LoopStop)
