/** Implements `planloom users forget`: erases a user from sessions and kept assignments. */
import { ASSIGNMENTS, keysOf } from "@planloom/hooks/report"
import { userDigest } from "@planloom/core/internal"
import type { RunStore } from "@planloom/plugin/effect"
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
      // Assignments first: the runs that name the sessions stay, so that a command which was killed can be repeated.
      const assignments = yield* forgetAssignments(store, id)
      const sessions = yield* forgetSessions(store, id)
      if (json) print(JSON.stringify({ user: id, sessions, assignments }))
      else {
        say(
          `erased ${counted(sessions.length, "session")} and ${counted(assignments.length, "assignment")} of the user ${id}`,
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
      yield* entries.remove(key)
      forgotten.push(key.slice(prefix.length))
    }
  }
})

/** A user's id may be a number. */
const forgetSessions = Effect.fnUntraced(function* (store: RunStore, id: string) {
  const ids = [id, ...(id.trim() !== "" && Number.isFinite(Number(id)) ? [Number(id)] : [])]
  const sessions = new Set<string>()
  for (const one of ids) {
    const digest = userDigest({ id: one })
    if (digest === undefined) continue
    const runs = yield* store.list({ userDigest: digest })
    for (const { session } of runs) if (session !== undefined) sessions.add(session)
  }
  const forgotten: Array<string> = []
  for (const session of sessions) {
    if (yield* store.sessions.clear(session)) forgotten.push(session)
  }
  return forgotten
})

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
