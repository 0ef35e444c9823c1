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
import { markedPersonal } from "@planloom/core/internal"
import { resultOf } from "@planloom/core"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { eventsFor, listedWorkflows, mayReach, sessionFor, type Caller } from "./Caller.ts"
import { eventStream } from "./eventStream.ts"
import { Problem } from "./Problem.ts"
import { parseLimit, parseTime } from "./query.ts"

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
    if (filter instanceof Problem) return yield* filter
    const { workflow, ...rest } = filter
    const lists = yield* Effect.forEach(listedWorkflows(caller, workflow), (name) =>
      store.list(name === undefined ? rest : { ...rest, workflow: name }),
    )
    const [only, ...others] = lists
    if (only !== undefined && others.length === 0) return json(only)
    const newest = lists.flat().toSorted((a, b) => b.startedAt - a.startedAt)
    return json(newest.slice(0, filter.limit))
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
        const at = parseTime(name, text, now)
        if (at instanceof Problem) return at
        read[name] = at
        break
      }
      case "limit": {
        const limit = parseLimit(text)
        if (limit instanceof Problem) return limit
        read.limit = limit
        break
      }
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

/** Questions per page unless `limit` is set. */
const DEFAULT_WAITS = 100

/** Oldest first; a page that is full names the next one in its `Link` header. */
export const listWaits = (
  { store }: ApiOptions,
  { caller, query, request }: RouteRequest,
): RouteResponse =>
  Effect.gen(function* () {
    const asked = readWaitQuery(query)
    if (asked instanceof Problem) return yield* asked
    const { limit, offset, run, workflow } = asked
    const lists = yield* Effect.forEach(listedWorkflows(caller, workflow), (name) =>
      store.waits({
        ...(run === undefined ? {} : { run }),
        ...(name === undefined ? {} : { workflow: name }),
        ...ownedBy(caller),
      }),
    )
    const [first = [], ...others] = lists
    const all = others.length === 0 ? first : lists.flat().toSorted((a, b) => a.askedAt - b.askedAt)
    const page = all.slice(offset, offset + limit)
    return json(page, 200, {
      "x-total-count": String(all.length),
      ...(offset + page.length < all.length
        ? { link: `<${nextPage(request.url, offset + page.length)}>; rel="next"` }
        : {}),
    })
  })

interface WaitQuery {
  readonly run: string | undefined
  readonly workflow: string | undefined
  readonly limit: number
  readonly offset: number
}

const readWaitQuery = (query: URLSearchParams): WaitQuery | Problem => {
  const allowed = ["run", "workflow", "limit", "offset"]
  const unknown = [...query.keys()].find((name) => !allowed.includes(name))
  if (unknown !== undefined) {
    return invalidInput(`unknown filter "${unknown}"; allowed: ${allowed.join(", ")}`)
  }
  const limit = parseLimit(query.get("limit") ?? String(DEFAULT_WAITS))
  if (limit instanceof Problem) return limit
  const offset = query.get("offset") ?? "0"
  if (!/^\d{1,6}$/.test(offset)) return invalidInput("offset must be a number of at least 0")
  const [run, workflow] = [query.get("run") ?? undefined, query.get("workflow") ?? undefined]
  return { run, workflow, limit, offset: Number(offset) }
}

const nextPage = (url: string, offset: number): string => {
  const { pathname, searchParams } = new URL(url)
  searchParams.set("offset", String(offset))
  return `${pathname}?${searchParams.toString()}`
}
