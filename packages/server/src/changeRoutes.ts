/** Routes that start, answer, cancel and resume runs. */
import * as Effect from "effect/Effect"
import {
  type Json,
  type JsonObject,
  type RecordedRun,
  type RunRecord,
  type StoreFailed,
  type Wait,
} from "@planloom/plugin/effect"
import { InputsRejected } from "@planloom/core"
import { inputsOf, userOf, answerIssues, stillOpen, undeclared } from "@planloom/core/internal"
import { canonicalJson } from "@planloom/schema"
import { giveAnswer } from "@planloom/record"
import { enqueue } from "@planloom/record/worker"
import type { Worker } from "@planloom/record/worker"
import type { ApiOptions, RouteRequest, ServedWorkflow } from "./Api.ts"
import { requireScope } from "./ApiKey.ts"
import { operator, sessionFor, type Caller } from "./Caller.ts"
import { decodeBody, invalidInput, optionalText } from "./decodeBody.ts"
import { workflowAt } from "./modelRoutes.ts"
import { fromAnswerRefused, Problem } from "./Problem.ts"
import { eventStream } from "./eventStream.ts"
import { json, requireRecord, wantsStream, type RouteResponse } from "./runRoutes.ts"

export const answerWait = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const { store, worker } = options
    const { name, run } = request.params as { readonly name: string; readonly run: string }
    const body = yield* decodeBody(options, request, ["value", "by"])
    const { value } = body
    if (value === undefined) {
      return yield* invalidInput([{ path: "", message: 'must have the key "value"' }])
    }
    const by = yield* optionalText(body, "by")
    yield* requireRecord(store, run, request.caller)
    const open = (yield* store.waits({ run })).find(({ wait }) => wait.name === name)
    if (open !== undefined) yield* requireValidAnswer(open.wait, value)
    const record = yield* Effect.catchTag(
      giveAnswer(store, run, { name, value, ...(by === undefined ? {} : { by }) }),
      "AnswerRefused",
      (refusal) =>
        Effect.flatMap(
          refusal.reason === "answered" ? existingAnswer(options, run, name) : Effect.undefined,
          (answer) => Effect.fail(fromAnswerRefused(refusal, answer)),
        ),
    )
    giveUser(worker, run, request)
    worker?.wake()
    return json({ ...record, answered: name })
  })

/** A run that resumes needs its user again, whom only requests of that user bring. */
const giveUser = (worker: Worker | undefined, run: string, { caller: { user } }: RouteRequest) => {
  if (user !== undefined) worker?.give(run, {}, user)
}

const requireValidAnswer = (wait: Wait, value: Json): Effect.Effect<void, Problem> =>
  Effect.flatMap(answerIssues(wait.schema, value), (issues) =>
    issues.length === 0 ? Effect.void : Effect.fail(invalidInput(issues)),
  )

/** The author and time of the answer that was recorded first. */
const existingAnswer = (
  { store }: ApiOptions,
  run: string,
  name: string,
): Effect.Effect<JsonObject | undefined, StoreFailed> =>
  Effect.map(store.read(run), ({ waits }) => {
    const answer = waits.find(({ wait }) => wait.name === name)?.answer
    return answer === undefined
      ? undefined
      : { by: answer.by, at: new Date(answer.at).toISOString() }
  })

/** The process that owns the run cancels it; a run without an owner is canceled by this server's worker. */
export const cancelRun = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const { store } = options
    const run = request.params["run"]!
    const body = yield* decodeBody(options, request, ["mode", "reason"])
    const { mode = "after" } = body
    if (mode !== "after" && mode !== "now") {
      return yield* invalidInput([{ path: "/mode", message: 'must be one of "after", "now"' }])
    }
    const reason = (yield* optionalText(body, "reason")) ?? "cancelled over HTTP"
    const record = yield* requireRecord(store, run, request.caller)
    if (record.finishedAt !== undefined) return yield* alreadyFinished(record)
    if (yield* store.cancel(run, { mode, reason })) return json({ ...record, requested: mode }, 202)
    const worker = yield* requireWorker(options)
    giveUser(worker, run, request)
    const after = yield* worker.cancel(record, { mode, reason })
    if (after.finishedAt === undefined) {
      return yield* new Problem({
        code: "conflict",
        detail: `this server cannot claim the run ${run}; cancel it with planloom runs cancel ${run}`,
      })
    }
    return json(after)
  })

const alreadyFinished = ({ run, status }: RunRecord) =>
  new Problem({
    code: "conflict",
    detail: `the run ${run} has already ended: ${status}`,
    more: { status },
  })

const requireWorker = ({ worker }: ApiOptions): Effect.Effect<Worker, Problem> =>
  worker === undefined || worker.stopping
    ? Effect.fail(
        new Problem({
          code: "unavailable",
          detail: worker === undefined ? "the server has no worker" : "the server is shutting down",
        }),
      )
    : Effect.succeed(worker)

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
    const { recorded, unrecorded } = enqueue(pipeline, {
      run,
      inputs,
      definition: workflow.definition,
      secrets: workflow.secrets,
      session,
      user,
      userDigest: caller.digest,
      at: yield* Effect.clockWith((clock) => clock.currentTimeMillis),
    })
    const isNew = yield* Effect.catch(Effect.as(store.write(recorded), true), (failure) =>
      failure.reason === "exists" ? Effect.succeed(false) : Effect.fail(failure),
    )
    if (isNew) worker.give(run, unrecorded, caller.user)
    const record = yield* requireRecord(store, run, operator)
    if (!isNew && !isSameRun(record, recorded)) {
      return yield* new Problem({
        code: "conflict",
        detail: `the run "${run}" exists with another user, workflow, session or inputs`,
      })
    }
    if (wantsStream(request.request)) return yield* eventStream(store, run, 0, options.parts)
    return json(record, isNew ? 202 : 200, { location: `/runs/${encodeURIComponent(run)}` })
  })

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

const isSameRun = (record: RunRecord, requested: RecordedRun): boolean =>
  record.workflow === requested.workflow &&
  record.session === requested.session &&
  record.userDigest === requested.userDigest &&
  canonicalJson(record.inputs) === canonicalJson(requested.inputs)

/** Supplies the personal inputs and the user, which the record does not hold; the run waits until it has them. */
export const resumeRun = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const run = request.params["run"]!
    const { inputs = {} } = yield* decodeBody(options, request, ["inputs"])
    if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
      return yield* invalidInput([{ path: "/inputs", message: "must be object" }])
    }
    const { user } = request.caller
    const record = yield* requireRecord(options.store, run, request.caller)
    if (record.finishedAt !== undefined) return yield* alreadyFinished(record)
    const worker = yield* requireWorker(options)
    worker.give(run, inputs as JsonObject, user)
    return json(record, 202)
  })
