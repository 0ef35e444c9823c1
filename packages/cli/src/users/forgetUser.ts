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
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"

const PAGE_SIZE = 100

/** The parts of the store of runs that are erased. */
interface ForgottenRuns {
  readonly sessions: ReadonlyArray<string>
  readonly assignments: ReadonlyArray<string>
  readonly reviews: ReadonlyArray<string>
  readonly personal_inputs: ReadonlyArray<string>
}

export const forgetUser: Handler<{ readonly id: string; readonly json: boolean }> = ({
  id,
  json,
}) =>
  Effect.gen(function* () {
    const { root } = yield* chosenStore("")
    const libraries = yield* attempt(() => forgetInFolder(root, id))
    // A project may have libraries without any recorded run.
    const runs =
      libraries.length === 0 || (yield* hasRuns)
        ? yield* withRuns((store) => forgetInRuns(store, id))
        : undefined
    if (json) print(JSON.stringify({ user: id, ...(runs ?? NO_RUNS), libraries }))
    else {
      if (runs !== undefined) say(runsText(runs, id))
      for (const one of libraries) say(libraryText(one))
    }
    return "ok" as ExitName
  })

/** A store that cannot be opened is one. */
const hasRuns = Effect.scoped(openExistingRuns("")).pipe(
  Effect.map((store) => store !== undefined),
  Effect.catchTag("StoreFailed", () => Effect.succeed(true)),
)

const NO_RUNS: ForgottenRuns = { sessions: [], assignments: [], reviews: [], personal_inputs: [] }

const forgetInRuns = Effect.fnUntraced(function* (store: RunStore, id: string) {
  const assignments = yield* forgetAssignments(store, id)
  const sessions = yield* forgetSessions(store, id)
  const collection = store.collection?.(REVIEWS)
  const reviews =
    collection === undefined
      ? []
      : yield* new ReviewQueue(collection).erase(digestsOf(id), sessions)
  const personal: Array<string> = []
  for (const digest of digestsOf(id)) personal.push(...(yield* store.erasePersonal(digest)))
  return { sessions, assignments, reviews, personal_inputs: personal }
})

const runsText = (runs: ForgottenRuns, id: string): string =>
  `erased ${counted(runs.sessions.length, "session")}, ${counted(runs.assignments.length, "assignment")}, ${counted(runs.reviews.length, "review")} and the digests of personal inputs in ${counted(runs.personal_inputs.length, "run")} of the user ${id}`

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
