/** Answering, ending and beginning runs over HTTP. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject, RecordedRun, RunRecord, StoreFailed, Wait } from "@planloom/plugin"
import { InputsRejected } from "@planloom/core"
import { inputsOf, issuesOfAnswer, stillOpen, undeclared } from "@planloom/core/internal"
import { giveAnswer } from "@planloom/record"
import { putDown } from "@planloom/record/worker"
import type { Worker } from "@planloom/record/worker"
import type { ApiOptions, Asked, Offered } from "./Api.ts"
import { bodyOf, misfit, textAt } from "./given.ts"
import { offeredAt } from "./modelPlaces.ts"
import { ofRefusal, Problem } from "./Problem.ts"
import { json, recordOf, type Answered } from "./runPlaces.ts"

export const answerWait = (options: ApiOptions, asked: Asked): Answered =>
  Effect.gen(function* () {
    const { store, worker } = options
    const { name, run } = asked.params as { readonly name: string; readonly run: string }
    const body = yield* bodyOf(options, asked, ["value", "by"])
    const { value } = body
    if (value === undefined) {
      return yield* misfit([{ path: "", message: 'lacks the key "value"' }])
    }
    const by = yield* textAt(body, "by")
    yield* recordOf(store, run)
    const open = (yield* store.waits({ run })).find(({ wait }) => wait.name === name)
    if (open !== undefined) yield* fits(open.wait, value)
    const record = yield* Effect.catchTag(
      giveAnswer(store, run, { name, value, ...(by === undefined ? {} : { by }) }),
      "AnswerRefused",
      (refusal) =>
        Effect.flatMap(
          refusal.reason === "answered" ? answerOf(options, run, name) : Effect.undefined,
          (given) => Effect.fail(ofRefusal(refusal, given)),
        ),
    )
    worker?.wake()
    return json({ ...record, answered: name })
  })

const fits = (wait: Wait, value: Json): Effect.Effect<void, Problem> =>
  Effect.flatMap(issuesOfAnswer(wait.schema, value), (issues) =>
    issues.length === 0 ? Effect.void : Effect.fail(misfit(issues)),
  )

/** Who was faster, and when. */
const answerOf = (
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

/** Whoever works on the run ends it; a run that nobody works on is ended here. */
export const cancelRun = (options: ApiOptions, asked: Asked): Answered =>
  Effect.gen(function* () {
    const { store } = options
    const run = asked.params["run"]!
    const body = yield* bodyOf(options, asked, ["mode", "reason"])
    const { mode = "after" } = body
    if (mode !== "after" && mode !== "now") {
      return yield* misfit([{ path: "/mode", message: 'must be one of "after", "now"' }])
    }
    const reason = (yield* textAt(body, "reason")) ?? "cancelled over HTTP"
    const record = yield* recordOf(store, run)
    if (record.finishedAt !== undefined) return yield* hasEnded(record)
    if (yield* store.cancel(run, { mode, reason })) return json({ ...record, asked: mode }, 202)
    const worker = yield* workerOf(options)
    const after = yield* worker.cancel(record, { mode, reason })
    if (after.finishedAt === undefined) {
      return yield* new Problem({
        code: "conflict",
        detail: `the run ${run} cannot be taken up here; end it with planloom runs cancel ${run}`,
      })
    }
    return json(after)
  })

const hasEnded = ({ run, status }: RunRecord) =>
  new Problem({
    code: "conflict",
    detail: `the run ${run} has ended: ${status}`,
    more: { status },
  })

const workerOf = ({ worker }: ApiOptions): Effect.Effect<Worker, Problem> =>
  worker === undefined || worker.stopping
    ? Effect.fail(
        new Problem({
          code: "unavailable",
          detail: worker === undefined ? "nobody here works on runs" : "the server is about to end",
        }),
      )
    : Effect.succeed(worker)

/** Text that is a run's id wherever it is typed or linked. */
const key = /^[\w.:-]{1,128}$/

export const beginRun = (options: ApiOptions, asked: Asked): Answered =>
  Effect.gen(function* () {
    const { store } = options
    const offered = yield* offeredAt(options, asked)
    const wanted = asked.request.headers.get("idempotency-key")
    if (wanted !== null && !key.test(wanted)) {
      return yield* misfit([
        { path: "/Idempotency-Key", message: "must be 1 to 128 letters, digits and _ . : -" },
      ])
    }
    const body = yield* bodyOf(options, asked, ["inputs", "session"])
    const { inputs: given = {} } = body
    const session = yield* sessionIn(body, offered)
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return yield* misfit([{ path: "/inputs", message: "must be object" }])
    }
    const { pipeline } = offered
    const inputs = inputsOf(pipeline, given as JsonObject)
    if (inputs instanceof InputsRejected) {
      const placed = inputs.issues.map(({ message, path }) => ({ path: `/inputs${path}`, message }))
      return yield* misfit(placed)
    }
    const worker = yield* workerOf(options)
    const run = wanted ?? crypto.randomUUID()
    if ((yield* store.show(run)) === undefined) {
      yield* roomFor(options)
      if (session !== undefined) yield* nothingWaits(options, session)
    }
    const { recorded, unrecorded } = putDown(pipeline, {
      run,
      inputs,
      definition: offered.definition,
      secrets: offered.secrets,
      session,
      at: yield* Effect.clockWith((clock) => clock.currentTimeMillis),
    })
    const fresh = yield* Effect.catch(Effect.as(store.write(recorded), true), (failure) =>
      failure.reason === "exists" ? Effect.succeed(false) : Effect.fail(failure),
    )
    if (fresh) worker.give(run, unrecorded)
    const record = yield* recordOf(store, run)
    if (!fresh && !isSame(record, recorded)) {
      return yield* new Problem({
        code: "conflict",
        detail: `the run "${run}" is another one: of another workflow or session, or with other inputs`,
      })
    }
    return json(record, fresh ? 202 : 200, { location: `/runs/${encodeURIComponent(run)}` })
  })

/** Runs that may wait, unless given. */
const MAX_WAITING = 20_000

/** When a client that was refused is asked to try again. */
const RETRY_AFTER_SECONDS = 10

/** Runs that each API may still begin before it counts again: a tenth of the room there was. */
const uncounted = new WeakMap<ApiOptions, number>()

/** Refuses another run while as many wait as may. The limit is soft: several servers on one store count apart. */
const roomFor = (options: ApiOptions): Effect.Effect<void, Problem | StoreFailed> => {
  const { maxWaiting = MAX_WAITING, store } = options
  const known = uncounted.get(options) ?? 0
  if (known > 0) return Effect.sync(() => uncounted.set(options, known - 1))
  return Effect.flatMap(store.backlog(maxWaiting), (waiting) => {
    uncounted.set(options, Math.floor((maxWaiting - waiting) / 10))
    return waiting < maxWaiting
      ? Effect.void
      : Effect.fail(
          new Problem({
            code: "backlog_full",
            detail: `${maxWaiting} runs wait already; try again later`,
            more: { max_waiting: maxWaiting },
            headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
          }),
        )
  })
}

/** Characters of the name of a session. */
const LONGEST_SESSION = 200

const sessionIn = (
  body: JsonObject,
  { pipeline }: Offered,
): Effect.Effect<string | undefined, Problem> =>
  Effect.flatMap(textAt(body, "session"), (session) => {
    if (session === undefined) return Effect.undefined
    const refused = (message: string) => Effect.fail(misfit([{ path: "/session", message }]))
    if (session === "" || session.length > LONGEST_SESSION) {
      return refused(`must have 1 to ${LONGEST_SESSION} characters`)
    }
    return pipeline.session === undefined
      ? refused(`is not known here: ${undeclared(pipeline).message}`)
      : Effect.succeed(session)
  })

/** This turn might be the answer that a run of the session waits for. */
const nothingWaits = (
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

const isSame = (record: RunRecord, wanted: RecordedRun): boolean =>
  record.workflow === wanted.workflow &&
  record.session === wanted.session &&
  canonical(record.inputs) === canonical(wanted.inputs)

/** The same text for the same value, in whatever order its keys are. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))),
        )
      : inner,
  )

/** For runs whose personal inputs are not in the record, which nobody can go on with until they are given again. */
export const resumeRun = (options: ApiOptions, asked: Asked): Answered =>
  Effect.gen(function* () {
    const run = asked.params["run"]!
    const { inputs = {} } = yield* bodyOf(options, asked, ["inputs"])
    if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
      return yield* misfit([{ path: "/inputs", message: "must be object" }])
    }
    const record = yield* recordOf(options.store, run)
    if (record.finishedAt !== undefined) return yield* hasEnded(record)
    const worker = yield* workerOf(options)
    worker.give(run, inputs as JsonObject)
    return json(record, 202)
  })
