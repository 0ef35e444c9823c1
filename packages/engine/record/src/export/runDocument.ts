/** Validates that a document contains a run, with every field that is read later. */
import { isObject } from "@planloom/schema"
import {
  runStatuses,
  type Json,
  type JsonObject,
  type PersonalDigests,
  type RecordedRun,
  type RunEvent,
  type RunRecord,
  type RunStatus,
  type StoredStep,
  type StoredWait,
} from "@planloom/plugin/effect"

export interface RunDocument {
  readonly record: RunRecord
  readonly redacted?: boolean
  readonly definition?: Json
  readonly personalDigests?: PersonalDigests
  readonly steps: ReadonlyArray<StoredStep>
  readonly timers?: RecordedRun["timers"]
  readonly waits?: ReadonlyArray<StoredWait>
  readonly events: ReadonlyArray<RunEvent>
}

/** Returns whether a value is valid for a field. */
type Check = (value: Json | undefined) => boolean

const text: Check = (value) => typeof value === "string"
const number: Check = (value) => typeof value === "number"
const anything: Check = (value) => value !== undefined
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && (value as ReadonlyArray<Json>).every(check)
const mapOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const object =
  (fields: { readonly [name: string]: Check }): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]))

/** Excludes control characters and spaces, because ids are printed in commands. */
const runId: Check = (value) => typeof value === "string" && /^[^\p{C}\p{Z}]+$/u.test(value)

const record = object({
  run: runId,
  workflow: text,
  startedAt: number,
  finishedAt: optional(number),
  inputs: object({}),
  status: (value) => runStatuses.includes(value as RunStatus),
  userDigest: optional(text),
})

const failure = object({ class: text, message: text, stage: optional(text) })
const wait = object({ name: text, kind: text, path: text, message: text, schema: anything })

const outcome: Check = (value) =>
  isObject(value) &&
  (value["ok"] === true
    ? anything(value["value"])
    : value["ok"] === false && failure(value["failure"]))

/** Fields of events that are read, besides number, time and path; other event types are only printed. */
const events: { readonly [type in RunEvent["type"]]?: Check } = {
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
  SearchDegraded: object({ path: text, failure }),
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
  ToolProgressed: object({ path: text, tool: text, message: text }),
  Noted: object({ path: text, note: text }),
  IterationStarted: object({ path: text, iteration: number }),
  IterationFinished: object({ path: text, iteration: number }),
  LoopEnded: object({ path: text, iterations: number, stopped: text, failure: optional(failure) }),
  OutputReady: object({ name: text, value: anything }),
  OutputCorrected: object({ name: text, revision: number, action: text }),
}

const base = object({ type: text, at: number, path: optional(text) })

/** Requires consecutive numbers, which every reader of events relies on. */
const isEvent = (value: Json, index: number): boolean => {
  if (!base(value)) return false
  const { seq, type } = value as JsonObject
  return seq === index && (events[type as RunEvent["type"]]?.(value) ?? true)
}

const whole = object({
  record,
  personalDigests: optional(mapOf((value) => value === null || text(value))),
  steps: listOf(object({ name: text, at: number, outcome })),
  timers: optional(mapOf(number)),
  waits: optional(
    listOf(
      object({
        askedAt: number,
        wait,
        answer: optional(object({ by: text, at: number, value: anything, via: optional(text) })),
      }),
    ),
  ),
})

const definition = object({
  file: text,
  texts: mapOf(text),
  flags: object({ set: listOf(text), env: optional(text) }),
})

/** Returns the document as a run; undefined if a part is missing or invalid. */
export const runDocument = (document: JsonObject): RunDocument | undefined => {
  const { definition: kept, events: log, redacted } = document
  const workflow = kept === undefined || kept === null || redacted === true || definition(kept)
  return workflow && whole(document) && Array.isArray(log) && log.every(isEvent)
    ? (document as unknown as RunDocument)
    : undefined
}
