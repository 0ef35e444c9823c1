/** The route that starts a run: here at once if there is room, or for a worker to claim. */
import * as Effect from "effect/Effect"
import {
  type Json,
  type JsonObject,
  type RecordedRun,
  type RunRecord,
  type RunStore,
  type StoreFailed,
} from "@planloom/plugin/effect"
import { InputsRejected } from "@planloom/core"
import {
  inputsOf,
  refusedInputs,
  startedWith,
  stillOpen,
  undeclared,
  userOf,
} from "@planloom/core/internal"
import { canonicalJson } from "@planloom/schema"
import { enqueue } from "@planloom/record/worker"
import type { EnqueuedRun, Worker } from "@planloom/record/worker"
import type { ApiOptions, RouteRequest, ServedWorkflow } from "./Api.ts"
import { requireScope } from "./ApiKey.ts"
import { operator, sessionFor, type Caller } from "./Caller.ts"
import { requireWorker } from "./changeRoutes.ts"
import { decodeBody, invalidInput, optionalText } from "./decodeBody.ts"
import { workflowAt } from "./modelRoutes.ts"
import { Problem } from "./Problem.ts"
import { eventStream } from "./eventStream.ts"
import { json, requireRecord, wantsStream, type RouteResponse } from "./runRoutes.ts"

/** Characters that are safe in a run id on a command line and in a URL. */
const runId = /^[\w.:-]{1,128}$/

export const startRun = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const { store } = options
    // Its reply is the run's events.
    if (wantsStream(request.request)) yield* requireScope(request.caller, "runs:read")
    const workflow = yield* workflowAt(options, request)
    const idempotencyKey = request.request.headers.get("idempotency-key")
    if (idempotencyKey !== null && !runId.test(idempotencyKey)) {
      return yield* invalidInput([
        { path: "/Idempotency-Key", message: "must have 1 to 128 letters, digits or _ . : -" },
      ])
    }
    const body = yield* decodeBody(options, request, ["inputs", "session"])
    const { inputs: values = {} } = body
    const { caller } = request
    const session = yield* decodeSession(body, workflow, caller)
    if (typeof values !== "object" || values === null || Array.isArray(values)) {
      return yield* invalidInput([{ path: "/inputs", message: "must be object" }])
    }
    const { pipeline } = workflow
    const user = yield* userFor(pipeline, caller)
    const inputs = inputsOf(pipeline, values as JsonObject)
    if (inputs instanceof InputsRejected) {
      const issues = inputs.issues.map(({ message, path }) => ({ path: `/inputs${path}`, message }))
      return yield* invalidInput(issues)
    }
    const worker = yield* requireWorker(options)
    const run = idempotencyKey ?? crypto.randomUUID()
    const isKnown = idempotencyKey !== null && (yield* store.show(run)) !== undefined
    if (!isKnown) {
      yield* requireCapacity(options)
      if (session !== undefined) yield* requireNoOpenQuestion(options, session)
    }
    const enqueued = yield* enqueue(pipeline, {
      run,
      inputs,
      definition: workflow.definition,
      secrets: workflow.secrets,
      session,
      user,
      userDigest: caller.digest,
      at: yield* Effect.clockWith((clock) => clock.currentTimeMillis),
    })
    const { recorded } = enqueued
    const stream =
      wantsStream(request.request) && !isKnown
        ? yield* eventStream(store, run, "new", options.parts, caller)
        : undefined
    const record = yield* Effect.onError(
      isKnown ? Effect.undefined : recordNew(store, worker, enqueued, caller),
      () => discard(stream),
    )
    if (record === undefined) {
      yield* discard(stream)
      const existing = yield* requireRecord(store, run, operator)
      if (!isSameRun(existing, recorded) || !(yield* hasSamePersonal(store, existing, inputs))) {
        return yield* new Problem({
          code: "conflict",
          detail: `the run "${run}" exists with another user, workflow, session or inputs`,
        })
      }
      return wantsStream(request.request)
        ? yield* eventStream(store, run, 0, options.parts, caller)
        : json(existing, 200, locationOf(run))
    }
    return stream ?? json(record, 202, locationOf(run))
  })

const locationOf = (run: string) => ({ location: `/runs/${encodeURIComponent(run)}` })

/** Starts the run, or writes it for the worker to claim. Undefined if the store has a run of this id. */
export const recordNew = (
  store: RunStore,
  worker: Worker,
  enqueued: EnqueuedRun,
  { user }: Caller,
): Effect.Effect<RunRecord | undefined, StoreFailed> => {
  const { recorded } = enqueued
  const started = Effect.flatMap(worker.start(enqueued, user), (isStarted) =>
    isStarted
      ? Effect.succeed(true)
      : Effect.as(writeWaiting(store, worker, enqueued, user), false),
  )
  const { definition: _, events: _e, personalDigests: _p, ...rest } = recorded
  const { steps: _s, timers: _t, waits: _w, ...summary } = rest
  return Effect.matchEffect(started, {
    onSuccess: (active): Effect.Effect<RunRecord | undefined, StoreFailed> =>
      Effect.succeed({ ...summary, epoch: 1, active }),
    onFailure: (failure) =>
      failure.reason === "exists" || failure.reason === "fenced"
        ? Effect.undefined
        : Effect.fail(failure),
  })
}

/** Writes a run for a worker to claim. A definition that holds a secret is kept in memory only. */
const writeWaiting = (
  store: RunStore,
  worker: Worker,
  { recorded, scrub, unrecorded }: EnqueuedRun,
  user: Caller["user"],
): Effect.Effect<void, StoreFailed> =>
  Effect.suspend(() => {
    const { definition, run } = recorded
    const kept = definition === undefined || scrub === undefined ? definition : scrub(definition)
    if (kept === definition) {
      return Effect.map(store.write(recorded), () => worker.give(run, { unrecorded, user }))
    }
    return Effect.map(store.write({ ...recorded, definition: kept! }), () =>
      worker.give(run, { unrecorded, user, definition }),
    )
  })

/** Ends a stream that is not sent. */
const discard = (stream: Response | undefined): Effect.Effect<void> =>
  stream === undefined ? Effect.void : Effect.promise(async () => stream.body?.cancel())

/** The user that the run gets: from the host's `authenticate` only, for a workflow that declares one. */
const userFor = (
  pipeline: ServedWorkflow["pipeline"],
  { user }: Caller,
): Effect.Effect<JsonObject, Problem> => {
  if (pipeline.user === undefined) return Effect.succeed({})
  if (user === undefined) {
    return Effect.fail(
      new Problem({
        code: "user_required",
        detail: `the workflow "${pipeline.name}" declares \`user:\`, and this request has no authenticated user; the program that serves it must give the handler of @planloom/server an \`authenticate\` callback`,
      }),
    )
  }
  const found = userOf(pipeline, user)
  return found instanceof InputsRejected
    ? Effect.fail(
        new Problem({
          code: "user_rejected",
          detail: found.message,
          more: { issues: found.issues.map(({ message, path }): Json => ({ path, message })) },
        }),
      )
    : Effect.succeed(found)
}

/** Default of `maxWaiting`. */
const MAX_WAITING_RUNS = 20_000

/** Sent as `Retry-After` with a full backlog. */
const RETRY_AFTER_SECONDS = 10

/** Runs that each API may start before it counts the backlog again: a tenth of the free capacity. */
const startsUntilRecount = new WeakMap<ApiOptions, number>()

/** Rejects a new run while the backlog is full. The limit is soft: several servers on one store count separately. */
const requireCapacity = (options: ApiOptions): Effect.Effect<void, Problem | StoreFailed> => {
  const { maxWaiting = MAX_WAITING_RUNS, store } = options
  const known = startsUntilRecount.get(options) ?? 0
  if (known > 0) return Effect.sync(() => startsUntilRecount.set(options, known - 1))
  return Effect.flatMap(store.backlog(maxWaiting), (waiting) => {
    startsUntilRecount.set(options, Math.floor((maxWaiting - waiting) / 10))
    return waiting < maxWaiting
      ? Effect.void
      : Effect.fail(
          new Problem({
            code: "backlog_full",
            detail: `${maxWaiting} runs are waiting or active; try again later`,
            more: { max_waiting: maxWaiting },
            headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
          }),
        )
  })
}

/** In characters. */
const MAX_SESSION_LENGTH = 200

const decodeSession = (
  body: JsonObject,
  { pipeline }: ServedWorkflow,
  caller: Caller,
): Effect.Effect<string | undefined, Problem> =>
  Effect.flatMap(optionalText(body, "session"), (session) => {
    if (session === undefined) return Effect.undefined
    const reject = (message: string) => Effect.fail(invalidInput([{ path: "/session", message }]))
    if (session === "" || session.length > MAX_SESSION_LENGTH) {
      return reject(`must have 1 to ${MAX_SESSION_LENGTH} characters`)
    }
    return pipeline.session === undefined
      ? reject(`is not supported: ${undeclared(pipeline).message}`)
      : Effect.succeed(sessionFor(caller, session))
  })

/** Rejects a turn while a run of the session waits for an answer: the turn might be meant as that answer. */
const requireNoOpenQuestion = (
  { store }: ApiOptions,
  session: string,
): Effect.Effect<void, Problem | StoreFailed> =>
  Effect.flatMap(store.sessions.waiting(session), (run) =>
    run === undefined
      ? Effect.void
      : Effect.fail(
          new Problem({
            code: "session_waits",
            detail: stillOpen(session, run).message,
            more: { session, run },
          }),
        ),
  )

/** Whether the run was started with these personal inputs, of which its record and this one hold the same placeholders. */
const hasSamePersonal = (
  store: RunStore,
  record: RunRecord,
  inputs: JsonObject,
): Effect.Effect<boolean, StoreFailed> =>
  Effect.gen(function* () {
    const started = yield* startedWith(store, record)
    const names = Object.keys(started.personalDigests)
    const again = Object.fromEntries(names.map((name) => [name, inputs[name] ?? null]))
    return (yield* refusedInputs(started, again)).length === 0
  })

const isSameRun = (record: RunRecord, requested: RecordedRun): boolean =>
  record.workflow === requested.workflow &&
  record.session === requested.session &&
  record.userDigest === requested.userDigest &&
  canonicalJson(record.inputs) === canonicalJson(requested.inputs)
