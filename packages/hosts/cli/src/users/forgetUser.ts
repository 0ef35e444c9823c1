/** Implements `planloom users forget`: erases a user from sessions, kept assignments, the review queue, digests and libraries. */
import { forgetInFolder, type ForgottenIn } from "@planloom/documents/manage"
import { ASSIGNMENTS, keysOf } from "@planloom/hooks/report"
import { userDigest, type RunStore } from "@planloom/plugin/effect"
import { REVIEWS, ReviewQueue } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { attempt } from "../documents/withLibraries.ts"
import { chosenStore, openExistingRuns } from "../run/projectRuns.ts"
import { withRuns } from "../runs/withRuns.ts"
import { removeFiles } from "../run/recording.ts"
import { noteAudit } from "../audit/noteAudit.ts"
import { problem } from "../Refused.ts"
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"

const PAGE_SIZE = 100

/** The parts of the store of runs that are erased. */
interface ForgottenRuns {
  readonly sessions: ReadonlyArray<string>
  readonly assignments: ReadonlyArray<string>
  readonly reviews: ReadonlyArray<string>
  readonly personal_inputs: ReadonlyArray<string>
  readonly runs: ReadonlyArray<string>
  /** Runs that stay, because a process works on them. */
  readonly active_runs: ReadonlyArray<string>
}

export interface ForgetFlags {
  readonly id: string
  readonly runs: boolean
  readonly json: boolean
}

export const forgetUser: Handler<ForgetFlags> = ({ id, json, runs: withTheirRuns }) =>
  Effect.gen(function* () {
    const { root } = yield* chosenStore("")
    const libraries = yield* attempt(() => forgetInFolder(root, id))
    // A project may have libraries without any recorded run.
    const runs =
      libraries.length === 0 || (yield* hasRuns)
        ? yield* withRuns((store) => forgetInRuns(store, id, withTheirRuns))
        : NO_RUNS
    const passages = libraries.reduce((sum, one) => sum + one.passages, 0)
    yield* noteAudit({
      action: "user_erased",
      about: { ...digestOf(id), ...countsOf(runs), passages },
    })
    if (json) print(JSON.stringify({ user: id, ...runs, libraries }))
    else {
      if (runs !== NO_RUNS) say(runsText(runs, id, withTheirRuns))
      for (const one of libraries) say(libraryText(one))
    }
    if (runs.active_runs.length === 0) return "ok" as ExitName
    return yield* problem(
      `${counted(runs.active_runs.length, "run")} of the user stay, because a process works on them: ${runs.active_runs.join(", ")}`,
      "cancel them with planloom runs cancel, and repeat the command",
    )
  })

/** An entry that outlives the user must not name them. */
const digestOf = (id: string) => {
  const [user] = digestsOf(id)
  return user === undefined ? {} : { user }
}

const countsOf = (forgotten: ForgottenRuns) =>
  Object.fromEntries(Object.entries(forgotten).map(([part, ids]) => [part, ids.length]))

/** A store that cannot be opened is one. */
const hasRuns = Effect.scoped(openExistingRuns("")).pipe(
  Effect.map((store) => store !== undefined),
  Effect.catchTag("StoreFailed", () => Effect.succeed(true)),
)

const NO_RUNS: ForgottenRuns = {
  sessions: [],
  assignments: [],
  reviews: [],
  personal_inputs: [],
  runs: [],
  active_runs: [],
}

const forgetInRuns = Effect.fnUntraced(function* (
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

const runsText = (runs: ForgottenRuns, id: string, withTheirRuns: boolean): string =>
  [
    `erased ${counted(runs.sessions.length, "session")}, ${counted(runs.assignments.length, "assignment")}, ${counted(runs.reviews.length, "review")} and the digests of personal inputs in ${counted(runs.personal_inputs.length, "run")} of the user ${id}`,
    withTheirRuns
      ? `erased ${counted(runs.runs.length, "run")} with inputs, prompts, replies and files`
      : "the runs of the user stay until they are pruned; --runs erases them",
  ].join("\n")

const libraryText = ({ files, library, passages }: ForgottenIn): string =>
  oneLine(
    `erased ${counted(passages, "passage")} of the library ${library}; delete them in ${files.join(", ")}, too, or a change of the file brings them back`,
  )

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

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
