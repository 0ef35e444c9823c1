/** Redacts a recorded run: removes all texts of people, models and tools; structure, sizes, times and outcomes stay. */
import type { Json, JsonObject, RecordedRun } from "@planloom/plugin/effect"

/** Replaces a value by its type and length. Keys of objects and lengths of lists stay. */
export const redactValue = (value: Json): Json => {
  switch (typeof value) {
    case "string":
      return `text of ${value.length} characters`
    case "number":
      return "a number"
    case "boolean":
      return "true or false"
    default:
      if (value === null) return null
      return Array.isArray(value)
        ? (value as ReadonlyArray<Json>).map(redactValue)
        : mapped(value as JsonObject, (_, entry) => redactValue(entry))
  }
}

export const redact = (recorded: RecordedRun): RecordedRun => {
  const { definition, events, inputs, personalDigests: _, steps, waits, ...rest } = recorded
  return {
    ...rest,
    inputs: redactValue(inputs),
    ...(definition === undefined ? {} : { definition: redactValue(definition) }),
    steps: steps.map(({ at, name, outcome }) => ({
      at,
      name,
      outcome: redactExcept(outcome as unknown as JsonObject, stepKeys) as never,
    })),
    waits: waits.map(({ answer, askedAt, wait }) => ({
      askedAt,
      wait: redactExcept(wait as unknown as JsonObject, waitKeys) as never,
      ...(answer === undefined
        ? {}
        : { answer: redactExcept(answer as unknown as JsonObject, answerKeys) as never }),
    })),
    events: events.map((event) => redactExcept(event as unknown as JsonObject, eventKeys) as never),
  }
}

/** Entries that stay unchanged (`true`), and entries that are redacted recursively. */
interface Kept {
  readonly [key: string]: true | Kept
}

const failure: Kept = { class: true, retryAfter: true, stage: true }
const usage: Kept = { input: true, output: true, cached: true }
const waitKeys: Kept = { name: true, kind: true, path: true, expiresAt: true }
const answerKeys: Kept = { at: true }
const stepKeys: Kept = { ok: true, tag: true, of: true, failure }

/** Names, numbers of the run, and outcomes. */
const eventKeys: Kept = {
  type: true,
  seq: true,
  at: true,
  run: true,
  workflow: true,
  path: true,
  stage: true,
  uses: true,
  attempts: true,
  attempt: true,
  strategy: true,
  onError: true,
  delay: true,
  iteration: true,
  iterations: true,
  done: true,
  stopped: true,
  refused: true,
  rerun: { stage: true, count: true, max: true },
  model: true,
  usage,
  cost: true,
  ms: true,
  tool: true,
  key: true,
  fraction: true,
  note: true,
  name: true,
  kind: true,
  epoch: true,
  from: true,
  of: true,
  again: true,
  since: true,
  version: true,
  turns: true,
  failure,
  wait: waitKeys,
}

const redactExcept = (value: JsonObject, keys: Kept): JsonObject =>
  mapped(value, (key, entry) => {
    const kept = keys[key]
    if (kept === true) return entry
    return kept !== undefined &&
      typeof entry === "object" &&
      entry !== null &&
      !Array.isArray(entry)
      ? redactExcept(entry as JsonObject, kept)
      : redactValue(entry)
  })

const mapped = (value: JsonObject, change: (key: string, entry: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, change(key, entry)]))
