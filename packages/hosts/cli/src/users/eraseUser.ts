/** Erases a user from sessions, kept assignments, the review queue, digests, libraries and, if asked, their runs. */
import { ASSIGNMENTS, keysOf } from "@planloom/hooks/report"
import { userDigest, type RunStore } from "@planloom/plugin/effect"
import { REVIEWS, ReviewQueue } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import { problem } from "../Refused.ts"
import { removeFiles } from "../run/recording.ts"

const PAGE_SIZE = 100

/** The parts of the store of runs that are erased. */
export interface ForgottenRuns {
  readonly sessions: ReadonlyArray<string>
  readonly assignments: ReadonlyArray<string>
  readonly reviews: ReadonlyArray<string>
  readonly personal_inputs: ReadonlyArray<string>
  readonly runs: ReadonlyArray<string>
  /** Runs that stay, because a process works on them. */
  readonly active_runs: ReadonlyArray<string>
}

export const NO_RUNS: ForgottenRuns = {
  sessions: [],
  assignments: [],
  reviews: [],
  personal_inputs: [],
  runs: [],
  active_runs: [],
}

/** An entry that outlives the user must not name them. */
export const digestOf = (id: string) => {
  const [user] = digestsOf(id)
  return user === undefined ? {} : { user }
}

export const countsOf = (forgotten: ForgottenRuns) =>
  Object.fromEntries(Object.entries(forgotten).map(([part, ids]) => [part, ids.length]))

export const forgetInRuns = Effect.fnUntraced(function* (
  store: RunStore,
  id: string,
  withTheirRuns: boolean,
) {
  const assignments = yield* forgetAssignments(store, id)
  const sessions = yield* forgetSessions(store, id)
  const collection = store.collection?.(REVIEWS)
  const reviews =
    collection === undefined
      ? []
      : yield* new ReviewQueue(collection).erase(digestsOf(id), sessions)
  const personal: Array<string> = []
  for (const digest of digestsOf(id)) personal.push(...(yield* store.erasePersonal(digest)))
  const erased = withTheirRuns ? yield* forgetRuns(store, id) : { runs: [], active_runs: [] }
  return { sessions, assignments, reviews, personal_inputs: personal, ...erased }
})

/** Last, because it writes the file of the store anew: what was deleted before leaves it, too. */
const forgetRuns = Effect.fnUntraced(function* (store: RunStore, id: string) {
  const { eraseRuns } = store
  if (eraseRuns === undefined) {
    return yield* problem(
      "the store of this project cannot erase the runs of one user",
      "omit --runs, and delete old runs with planloom runs prune",
    )
  }
  const runs: Array<string> = []
  const active: Array<string> = []
  for (const digest of digestsOf(id)) {
    const erased = yield* eraseRuns.call(store, digest)
    runs.push(...erased.runs)
    active.push(...erased.active)
  }
  yield* removeFiles(runs)
  return { runs, active_runs: active }
})

/** The names of the experiments. */
const forgetAssignments = Effect.fnUntraced(function* (store: RunStore, id: string) {
  const entries = store.collection?.(ASSIGNMENTS)
  const prefix = keysOf("user", id)
  const forgotten: Array<string> = []
  if (entries === undefined) return forgotten
  for (;;) {
    const page = yield* entries.list({ prefix, limit: PAGE_SIZE })
    if (page.length === 0) return forgotten
    for (const { key } of page) {
      const rest = key.slice(prefix.length)
      const name = rest.slice(rest.lastIndexOf("/") + 1)
      // In a session of the user: that entry first, since this one leads to it.
      if (rest !== name) yield* entries.remove(rest)
      yield* entries.remove(key)
      forgotten.push(name)
    }
  }
})

/** A user's id may be a number. */
const digestsOf = (id: string): ReadonlyArray<string> =>
  [id, ...(id.trim() !== "" && Number.isFinite(Number(id)) ? [Number(id)] : [])].flatMap(
    (one) => userDigest({ id: one }) ?? [],
  )

const forgetSessions = Effect.fnUntraced(function* (store: RunStore, id: string) {
  const forgotten: Array<string> = []
  for (const digest of digestsOf(id)) {
    for (const { session } of yield* store.sessions.list({ userDigest: digest })) {
      if (yield* store.sessions.clear(session)) forgotten.push(session)
    }
  }
  return forgotten
})
