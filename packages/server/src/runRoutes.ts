/** Routes that list runs, events and open questions. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  runStatuses,
  type FailureClass,
  type Json,
  type RunFilter,
  type RunRecord,
  type RunStatus,
  type RunStore,
  type StoreFailed,
} from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import { markedPersonal } from "@planloom/core/internal"
import { resultOf } from "@planloom/core"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { eventsFor, mayReach, sessionFor, type Caller } from "./Caller.ts"
import { eventStream } from "./eventStream.ts"
import { Problem } from "./Problem.ts"

export type RouteResponse = Effect.Effect<Response, Problem | StoreFailed>

export const json = (
  value: unknown,
  status = 200,
  headers: { readonly [name: string]: string } = {},
): Response =>
  new Response(`${JSON.stringify(value)}\n`, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  })

/** A run of another user does not exist for the caller. */
export const requireRecord = (
  store: RunStore,
  run: string,
  caller: Caller,
): Effect.Effect<RunRecord, Problem | StoreFailed> =>
  Effect.flatMap(store.show(run), (record) =>
    record === undefined || !mayReach(caller, record)
      ? Effect.fail(new Problem({ code: "unknown_resource", detail: `there is no run "${run}"` }))
      : Effect.succeed(record),
  )

/** Runs per list unless `limit` is set. */
const DEFAULT_LIMIT = 20

export const listRuns = ({ store }: ApiOptions, { caller, query }: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const filter = readFilter(query, now, caller)
    return filter instanceof Problem ? yield* filter : json(yield* store.list(filter))
  })

const filters = ["status", "workflow", "since", "before", "failed_with", "session", "limit"]

const readFilter = (query: URLSearchParams, now: number, caller: Caller): RunFilter | Problem => {
  const unknown = [...query.keys()].find((name) => !filters.includes(name))
  if (unknown !== undefined) {
    return invalidInput(`unknown filter "${unknown}"; allowed: ${filters.join(", ")}`)
  }
  const read: { -readonly [K in keyof RunFilter]: RunFilter[K] } = {
    limit: DEFAULT_LIMIT,
    ...ownedBy(caller),
  }
  for (const [name, text] of query) {
    switch (name) {
      case "status":
        if (!runStatuses.includes(text as RunStatus)) {
          return invalidInput(`status must be one of: ${runStatuses.join(", ")}`)
        }
        read.status = text as RunStatus
        break
      case "failed_with":
        if (!Object.hasOwn(failureClasses, text)) {
          return invalidInput(
            `failed_with must be one of: ${Object.keys(failureClasses).join(", ")}`,
          )
        }
        read.failedWith = text as FailureClass
        break
      case "since":
      case "before": {
        const at = parseTime(text, now)
        if (at === undefined)
          return invalidInput(
            `${name} must be a duration such as 90m, 12h, 30d or 8w, or a date, not "${text}"`,
          )
        read[name] = at
        break
      }
      case "limit":
        if (!/^[1-9]\d{0,5}$/.test(text))
          return invalidInput("limit must be a number of at least 1")
        read.limit = Number(text)
        break
      case "session":
        read.session = sessionFor(caller, text)
        break
      default:
        read.workflow = text
    }
  }
  return read
}

const ownedBy = ({ digest }: Caller) => (digest === undefined ? {} : { userDigest: digest })

const invalidInput = (detail: string) => new Problem({ code: "invalid_input", detail })

const parseTime = (text: string, now: number): number | undefined => {
  const age = parseDuration(text)
  if (age !== undefined) return now - age
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** The record, the result folded from the events so far, and the open questions. */
export const showRun = ({ store }: ApiOptions, { caller, params }: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const run = params["run"]!
    const record = yield* requireRecord(store, run, caller)
    const events = eventsFor(caller, yield* store.events(run))
    const waits = record.finishedAt === undefined ? yield* store.waits({ run }) : []
    const needs = record.finishedAt === undefined ? markedPersonal(record.inputs) : []
    return json({
      ...record,
      // Personal inputs that a resume needs again.
      ...(needs.length === 0 ? {} : { needs }),
      // An enqueued run has no events yet.
      result: events.length === 0 ? null : resultOf(events),
      waits: waits.map(({ askedAt, wait }) => ({ ...wait, askedAt })),
    })
  })

export const runEvents = (
  { parts, store }: ApiOptions,
  { caller, params, query, request }: RouteRequest,
): RouteResponse =>
  Effect.gen(function* () {
    const run = params["run"]!
    const record = yield* requireRecord(store, run, caller)
    const last = request.headers.get("last-event-id")
    const text = query.get("from") ?? "0"
    const from = /^\d{1,15}$/.test(last ?? "") ? Number(last) + 1 : Number(text)
    if (!/^\d{1,15}$/.test(text))
      return yield* invalidInput(`from must be the sequence number of an event, not "${text}"`)
    if (!wantsStream(request)) {
      return json(eventsFor(caller, yield* store.events(run, from)) as unknown as Json)
    }
    if (last !== null && record.finishedAt !== undefined) {
      const more = yield* store.events(run, from)
      if (more.length === 0) return new Response(null, { status: 204 })
    }
    return yield* eventStream(store, run, from, parts, caller)
  })

export const wantsStream = ({ headers }: Request): boolean =>
  (headers.get("accept") ?? "").includes("text/event-stream")

export const listWaits = (
  { store }: ApiOptions,
  { caller, query }: RouteRequest,
): RouteResponse => {
  const run = query.get("run")
  const workflow = query.get("workflow")
  return Effect.map(
    store.waits({
      ...(run === null ? {} : { run }),
      ...(workflow === null ? {} : { workflow }),
      ...ownedBy(caller),
    }),
    (waits) => json(waits),
  )
}
