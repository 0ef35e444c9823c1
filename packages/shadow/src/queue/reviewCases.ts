/** Decided reviews as test cases of a workflow: the reply is scripted, and the reviews must come to the decision. */
import type { Json, JsonObject, Verdict } from "@planloom/plugin/effect"
import type { ReviewDecision, ReviewItem } from "./ReviewItem.ts"

/** A decided item with what its run started with. */
export interface DecidedReview {
  readonly id: string
  readonly item: ReviewItem
  readonly decision: ReviewDecision
  readonly inputs: JsonObject
}

/** `workflow` is relative to the file. */
export const reviewCases = (workflow: string, decided: ReadonlyArray<DecidedReview>): Json => ({
  apiVersion: "planloom/v1",
  kind: "WorkflowTest",
  workflow,
  tests: decided.map(caseOf),
})

const caseOf = ({ decision, id, inputs, item }: DecidedReview): Json => ({
  name: `review ${id}: ${decision.verdict}`,
  given: {
    inputs: inSamples(inputs) as JsonObject,
    models: { [item.stage]: [{ text: sampled(item.written) }] },
  },
  expect: { assert: assertionsOf(decision) },
})

const reviewsWith = (verdicts: string): string =>
  `events.filter(e, e.type == "Reviewed" && e.verdict in [${verdicts}])`

const assertionsOf = ({ text, verdict }: ReviewDecision): ReadonlyArray<string> => [
  ...(isChange(verdict)
    ? [`size(${reviewsWith(`"${verdict}"`)}) > 0`]
    : [`size(${reviewsWith('"enrich", "replace", "block"')}) == 0`]),
  ...(text === undefined ? [] : [`outputs.exists(name, outputs[name] == ${JSON.stringify(text)})`]),
]

const isChange = (verdict: Verdict): boolean => verdict !== "pass" && verdict !== "flag"

/** Made-up data of each kind: a reviewer that finds personal data finds it again. */
const samples: ReadonlyMap<string, string> = new Map([
  ["email", "ada@example.com"],
  ["phone", "+1 212 555 0199"],
  ["iban", "GB82 WEST 1234 5698 7654 32"],
  ["card", "4111 1111 1111 1111"],
  ["ssn", "219-09-9999"],
  ["ip", "203.0.113.7"],
])

const sampled = (text: string): string =>
  text.replaceAll(/\[(\w+)\]/g, (mark, kind: string) => samples.get(kind) ?? mark)

const inSamples = (value: Json): Json => {
  if (typeof value === "string") return sampled(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((one: Json) => inSamples(one))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inSamples(one)]))
}
