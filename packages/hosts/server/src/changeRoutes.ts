/** Routes that answer, cancel and resume runs. */
import * as Effect from "effect/Effect"
import {
  type Json,
  type JsonObject,
  type RunRecord,
  type StoreFailed,
  type Wait,
} from "@planloom/plugin/effect"
import { answerIssues, refusedInputs, startedWith } from "@planloom/core/internal"
import { authorMismatch, giveAnswer, openWait } from "@planloom/record"
import type { GivenValues, Worker } from "@planloom/record/worker"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { viaOf, type Caller } from "./Caller.ts"
import { decodeBody, invalidInput, optionalText } from "./decodeBody.ts"
import { fromAnswerRefused, Problem } from "./Problem.ts"
import { json, requireRecord, type RouteResponse } from "./runRoutes.ts"

export const answerWait = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const { store, worker } = options
    const { name: asked, run } = request.params as { readonly name: string; readonly run: string }
    const body = yield* decodeBody(options, request, ["value", "by"])
    const { value } = body
    if (value === undefined) {
      return yield* invalidInput([{ path: "", message: 'must have the key "value"' }])
    }
    yield* requireRecord(store, run, request.caller)
    const by = yield* authorOf(body, request.caller)
    const open = openWait(yield* store.waits({ run }), asked)
    if (open !== undefined) yield* requireValidAnswer(open, value)
    const name = open?.name ?? asked
    const record = yield* Effect.catchTag(
      giveAnswer(store, run, {
        name,
        value,
        ...(by === undefined ? {} : { by }),
        via: viaOf(request.caller),
      }),
      "AnswerRefused",
      (refusal) =>
        Effect.flatMap(
          refusal.reason === "answered" ? existingAnswer(options, run, name) : Effect.undefined,
          (answer) => Effect.fail(fromAnswerRefused(refusal, answer)),
        ),
    )
    worker?.give(run, givenBy(request, record))
    return json({ ...withoutInputs(record), answered: name })
  })

/** Names by which the server knows its callers. */
const KNOWN_CALLER = /^(key:.*|token|user|mcp)$/s

/** Who answers. A user answers as themselves; a program says for whom it asks, but not in the name of another caller. */
const authorOf = (
  body: JsonObject,
  { actor, user }: Caller,
): Effect.Effect<string | undefined, Problem> =>
  Effect.flatMap(optionalText(body, "by"), (given) => {
    if (given === undefined || given === actor) return Effect.succeed(actor)
    const wrong =
      user !== undefined
        ? "is the user of the request; omit it"
        : KNOWN_CALLER.test(given)
          ? `is the name of another caller of this server: "${given}"`
          : authorMismatch(given)
    return wrong === undefined
      ? Effect.succeed(given)
      : Effect.fail(invalidInput([{ path: "/by", message: wrong }]))
  })

/** A run that resumes needs its user again, whom only requests of that user bring. */
const givenBy = (
  { caller: { actor, user } }: RouteRequest,
  { epoch }: RunRecord,
): Pick<GivenValues, "resumer" | "user"> => ({
  user,
  resumer: actor === undefined ? undefined : { by: actor, epoch },
})

/** The record for a caller that may change the run, but perhaps not read it. */
const withoutInputs = ({ inputs: _, ...record }: RunRecord) => record

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
    if (yield* store.cancel(run, { mode, reason })) {
      return json({ ...withoutInputs(record), requested: mode }, 202)
    }
    const worker = yield* requireWorker(options)
    worker.give(run, givenBy(request, record))
    const after = yield* worker.cancel(record, { mode, reason })
    if (after.finishedAt === undefined) {
      return yield* new Problem({
        code: "conflict",
        detail: `this server cannot claim the run ${run}; cancel it with planloom runs cancel ${run}`,
      })
    }
    return json(withoutInputs(after))
  })

const alreadyFinished = ({ run, status }: RunRecord) =>
  new Problem({
    code: "conflict",
    detail: `the run ${run} has already ended: ${status}`,
    more: { status },
  })

export const requireWorker = ({ worker }: ApiOptions): Effect.Effect<Worker, Problem> =>
  worker === undefined || worker.stopping
    ? Effect.fail(
        new Problem({
          code: "unavailable",
          detail: worker === undefined ? "the server has no worker" : "the server is shutting down",
        }),
      )
    : Effect.succeed(worker)

/**
 * Supplies the personal inputs and the user, which the record does not hold; the run waits until it has them. Refuses
 * other inputs and other values, with which the run would not be the one that was started, and perhaps approved.
 */
export const resumeRun = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const run = request.params["run"]!
    const { inputs = {} } = yield* decodeBody(options, request, ["inputs"])
    if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
      return yield* invalidInput([{ path: "/inputs", message: "must be object" }])
    }
    const { store } = options
    const record = yield* requireRecord(store, run, request.caller)
    if (record.finishedAt !== undefined) return yield* alreadyFinished(record)
    const worker = yield* requireWorker(options)
    const again = inputs as JsonObject
    const refused = yield* refusedInputs(yield* startedWith(store, record), again)
    if (refused.length > 0) {
      return yield* invalidInput(
        refused.map(({ message, path }) => ({ path: `/inputs${path}`, message })),
      )
    }
    worker.give(run, { inputs: again, ...givenBy(request, record) })
    return json(withoutInputs(record), 202)
  })
