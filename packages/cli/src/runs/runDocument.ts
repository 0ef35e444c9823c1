/** Whether a document that was read from a file holds a run: all that is read of it later is what it should be. */
import { isObject } from "@planloom/schema"
import {
  runStatuses,
  type Json,
  type JsonObject,
  type RecordedRun,
  type RunEvent,
  type RunRecord,
  type RunStatus,
  type StoredStep,
  type StoredWait,
} from "@planloom/plugin"

export interface RunDocument {
  readonly record: RunRecord
  readonly redacted?: boolean
  readonly definition?: Json
  readonly steps: ReadonlyArray<StoredStep>
  readonly timers?: RecordedRun["timers"]
  readonly waits?: ReadonlyArray<StoredWait>
  readonly events: ReadonlyArray<RunEvent>
}

/** Says of a value whether it is what a field must be. */
type Fits = (value: Json | undefined) => boolean

const text: Fits = (value) => typeof value === "string"
const number: Fits = (value) => typeof value === "number"
const anything: Fits = (value) => value !== undefined
const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && (value as ReadonlyArray<Json>).every(fits)
const mapOf =
  (fits: Fits): Fits =>
  (value) =>
    isObject(value) && Object.values(value).every(fits)
const optional =
  (fits: Fits): Fits =>
  (value) =>
    value === undefined || fits(value)
const object =
  (fields: { readonly [name: string]: Fits }): Fits =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, fits]) => fits(value[name]))

/** Printed in commands to type: nothing a terminal would obey. */
const runId: Fits = (value) => typeof value === "string" && /^[^\p{C}\p{Z}]+$/u.test(value)

const record = object({
  run: runId,
  workflow: text,
  startedAt: number,
  finishedAt: optional(number),
  inputs: object({}),
  status: (value) => runStatuses.includes(value as RunStatus),
})

const failure = object({ class: text, message: text, stage: optional(text) })
const wait = object({ name: text, kind: text, path: text, message: text, schema: anything })

const outcome: Fits = (value) =>
  isObject(value) &&
  (value["ok"] === true
    ? anything(value["value"])
    : value["ok"] === false && failure(value["failure"]))

/** What is read of an event beside its number, time and path; types not named here are only printed. */
const events: { readonly [type in RunEvent["type"]]?: Fits } = {
  RunStarted: object({ run: text, workflow: text, inputs: object({}) }),
  RunReset: object({ from: text, again: listOf(text), since: number }),
  RunMigrated: object({ again: listOf(text), since: number }),
  RunForked: object({ from: text, of: text }),
  RunSuspended: object({ waits: listOf(wait) }),
  RunFinished: object({ outputs: object({}) }),
  RunFailed: object({ failure, outputs: optional(object({})) }),
  RunCancelled: object({ reason: text }),
  StageStarted: object({ path: text, stage: text, uses: text }),
  StageSkipped: object({ path: text, stage: text }),
  StageFinished: object({ path: text, stage: text, attempts: number }),
  StageFailed: object({ path: text, stage: text, attempts: number, failure }),
  AttemptFailed: object({ path: text, failure }),
  Degraded: object({ path: text, failure }),
  ModelCalled: object({
    path: text,
    usage: object({ input: number, output: number }),
    cost: optional(number),
  }),
  ReplyRead: object({ path: text, rung: text }),
  ToolCalled: object({ path: text }),
  Asked: object({ path: text, wait }),
  Answered: object({ path: text, name: text }),
  AssertionFailed: object({ path: text, message: text }),
  Progressed: object({ path: text, message: text }),
  Noted: object({ path: text, note: text }),
  IterationStarted: object({ path: text, iteration: number }),
  IterationFinished: object({ path: text, iteration: number }),
  OutputReady: object({ name: text, value: anything }),
}

const told = object({ type: text, at: number, path: optional(text) })

/** Numbered in order, as every reader of events relies on. */
const isEvent = (value: Json, index: number): boolean => {
  if (!told(value)) return false
  const { seq, type } = value as JsonObject
  return seq === index && (events[type as RunEvent["type"]]?.(value) ?? true)
}

const whole = object({
  record,
  steps: listOf(object({ name: text, at: number, outcome })),
  timers: optional(mapOf(number)),
  waits: optional(
    listOf(
      object({
        askedAt: number,
        wait,
        answer: optional(object({ by: text, at: number, value: anything })),
      }),
    ),
  ),
})

const definition = object({
  file: text,
  texts: mapOf(text),
  flags: object({ set: listOf(text), env: optional(text) }),
})

/** The document as the run it holds; undefined when a part is missing or is not what it should be. */
export const runDocument = (document: JsonObject): RunDocument | undefined => {
  const { definition: kept, events: log, redacted } = document
  const workflow = kept === undefined || kept === null || redacted === true || definition(kept)
  return workflow && whole(document) && Array.isArray(log) && log.every(isEvent)
    ? (document as unknown as RunDocument)
    : undefined
}
