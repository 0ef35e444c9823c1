/** Implements `planloom users forget`: erases a user from sessions, kept assignments, the review queue and digests. */
import { ASSIGNMENTS, keysOf } from "@planloom/hooks/report"
import { userDigest, type RunStore } from "@planloom/plugin/effect"
import { REVIEWS, ReviewQueue } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withRuns } from "../runs/withRuns.ts"
import { print, say } from "../terminal/Screen.ts"

const PAGE_SIZE = 100

export const forgetUser: Handler<{ readonly id: string; readonly json: boolean }> = ({
  id,
  json,
}) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const assignments = yield* forgetAssignments(store, id)
      const sessions = yield* forgetSessions(store, id)
      const collection = store.collection?.(REVIEWS)
      const reviews =
        collection === undefined
          ? []
          : yield* new ReviewQueue(collection).erase(digestsOf(id), sessions)
      const personal: Array<string> = []
      for (const digest of digestsOf(id)) personal.push(...(yield* store.erasePersonal(digest)))
      if (json)
        print(
          JSON.stringify({ user: id, sessions, assignments, reviews, personal_inputs: personal }),
        )
      else {
        say(
          `erased ${counted(sessions.length, "session")}, ${counted(assignments.length, "assignment")}, ${counted(reviews.length, "review")} and the digests of personal inputs in ${counted(personal.length, "run")} of the user ${id}`,
        )
      }
      return "ok" as ExitName
    }),
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
