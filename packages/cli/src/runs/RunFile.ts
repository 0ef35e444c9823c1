/** A run as one JSON document: written to hand it over, read to look at it elsewhere. */
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

/** `redacted`: every text a person or a model wrote is replaced by what it was. */
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

const help = "planloom runs export <id> --out run.json writes such a file"

/** The run, or what is wrong with the text. */
const parsed = (text: string): RunFile | string => {
  let document: Json
  try {
    document = JSON.parse(text) as Json
  } catch {
    return text.trimStart().startsWith("{")
      ? "is no whole JSON document: it may have been cut off"
      : "is no run: it is not JSON"
  }
  if (!isObject(document)) return "is no run: it does not hold an object"
  const { format } = document
  if (typeof format !== "string" || !format.startsWith("planloom/run/")) {
    return "is no run that planloom has exported"
  }
  if (format !== FORMAT) {
    return `has the format ${format}, and this planloom reads ${FORMAT}: a newer planloom wrote it`
  }
  const found = runDocument(document)
  return found === undefined
    ? "is damaged: a part of the run is missing or is not what it should be"
    : runIn(found)
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
