/** Compares what a component asks with what it declares for dry runs. */
import assert from "node:assert/strict"
import type { Asking, JsonObject, StageKind } from "@planloom/plugin/effect"

/** Requests to one model for these questions: a reply that is no JSON of its schema is sent back once. */
const mostRequests = (questions: ReadonlyArray<Asking>): number =>
  questions
    .map(({ times = 1, turns = Infinity, way }) => times * { text: 1, json: 2, agent: turns }[way])
    .reduce((sum, one) => sum + one, 0)

export const expectAsked = (
  questions: ReadonlyArray<Asking> | undefined,
  requests: number,
): void => {
  if (questions === undefined) return
  const most = mostRequests(questions)
  assert.ok(requests <= most, `it asked its model ${requests} times; its \`asks\` says ${most}`)
}

/** Of one attempt of a stage kind, with one model. */
export const expectStageAsked = (
  kind: StageKind,
  given: JsonObject,
  made: { readonly requests: number; readonly calls: number },
): void => {
  if (kind.asks === undefined) return
  const {
    calls = 0,
    questions = [],
    reviews = [],
    workflows = 0,
  } = kind.asks({ with: given, open: [], can: () => false, tools: [] })
  // Reviewers and workflows ask the same model.
  if (reviews.length === 0 && workflows === 0) expectAsked(questions, made.requests)
  assert.ok(made.calls <= calls, `it called tools ${made.calls} times; its \`asks\` says ${calls}`)
}
