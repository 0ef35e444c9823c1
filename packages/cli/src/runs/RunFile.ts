/** Exported runs: writes a run as one JSON document, and reads it back. */
import { isObject } from "@planloom/schema"
import { readFile } from "node:fs/promises"
import type { Json, RecordedRun, RunRecord } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"
import { redact } from "./redact.ts"
import { runDocument, type RunDocument } from "./runDocument.ts"

const FORMAT = "planloom/run/v1"

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
  const { definition = null, events, steps, timers, waits } = redacted ? redact(recorded) : recorded
  const { inputs } = redacted ? redact(recorded) : recorded
  const document = {
    format: FORMAT,
    ...(redacted ? { redacted } : {}),
    record: { ...record, inputs, active: false },
    definition,
    steps,
    timers,
    waits,
    events,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

export const readRunFile = (path: string): Effect.Effect<RunFile, Refused> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (error) => problem(`${path} cannot be read: ${(error as Error).message}`),
    }),
    (text) => {
      const found = parsed(text)
      if (typeof found === "string") return Effect.fail(problem(`${path} ${found}`, help))
      return Effect.succeed(found)
    },
  )

const help = "export a run: planloom runs export <id> --out run.json"

/** Returns the run, or why the text is not one. */
const parsed = (text: string): RunFile | string => {
  let document: Json
  try {
    document = JSON.parse(text) as Json
  } catch {
    return text.trimStart().startsWith("{")
      ? "is not a complete JSON document: it may have been truncated"
      : "is not a run: it is not JSON"
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
  record: { finishedAt, inputs, run, startedAt, status, workflow, ...record },
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
  }
  return {
    record: { ...record, ...shared, active: false },
    recorded: {
      ...shared,
      ...(definition === undefined || definition === null ? {} : { definition }),
      steps,
      timers,
      waits,
      events,
    },
    redacted: redacted === true,
  }
}
