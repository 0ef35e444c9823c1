/** Exported runs: writes a run as one JSON document, and reads it back. */
import { isObject, isTooDeep, MAX_JSON_DEPTH } from "@planloom/schema"
import type { Json, RecordedRun, RunRecord } from "@planloom/plugin/effect"
import { redact } from "./redact.ts"
import { runDocument, type RunDocument } from "./runDocument.ts"

const FORMAT = "planloom/run/v1"

/** Levels of a file around the values of its run. */
const MAX_LEVELS_AROUND = 20

export interface RunFile {
  readonly record: RunRecord
  readonly recorded: RecordedRun
  readonly redacted: boolean
}

/** Formats a run. `redacted` replaces every text of a person or a model by its type and length. */
export const runFileText = (
  recorded: RecordedRun,
  record: RunRecord,
  redacted: boolean,
): string => {
  const shown = redacted ? redact(recorded) : recorded
  const { definition = null, events, inputs, personalDigests, steps, timers, waits } = shown
  const document = {
    format: FORMAT,
    ...(redacted ? { redacted } : {}),
    record: { ...record, inputs, active: false },
    definition,
    ...(personalDigests === undefined ? {} : { personalDigests }),
    steps,
    timers,
    waits,
    events,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Returns the run, or why the text is not one: `is damaged: …`. */
export const parseRunFile = (text: string): RunFile | string => {
  let document: Json
  try {
    document = JSON.parse(text) as Json
  } catch {
    return text.trimStart().startsWith("{")
      ? "is not a complete JSON document: it may have been truncated"
      : "is not a run: it is not JSON"
  }
  if (isTooDeep(document, MAX_JSON_DEPTH + MAX_LEVELS_AROUND)) {
    return "is damaged: a value is nested too deep"
  }
  if (!isObject(document)) return "is not a run: it does not contain an object"
  const { format } = document
  if (typeof format !== "string" || !format.startsWith("planloom/run/")) {
    return "is not a run exported by planloom"
  }
  if (format !== FORMAT) {
    return `has the format ${format} of a newer planloom; this one reads ${FORMAT}`
  }
  const found = runDocument(document)
  return found === undefined ? "is damaged: a part of the run is missing or invalid" : runIn(found)
}

const runIn = ({
  definition,
  events,
  personalDigests,
  record: { finishedAt, inputs, run, startedAt, status, userDigest, workflow, ...record },
  redacted,
  steps,
  timers = {},
  waits = [],
}: RunDocument): RunFile => {
  const shared = {
    run,
    workflow,
    status,
    inputs,
    startedAt,
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(userDigest === undefined ? {} : { userDigest }),
  }
  return {
    record: { ...record, ...shared, active: false },
    recorded: {
      ...shared,
      ...(definition === undefined || definition === null ? {} : { definition }),
      ...(personalDigests === undefined ? {} : { personalDigests }),
      steps,
      timers,
      waits,
      events,
    },
    redacted: redacted === true,
  }
}
