/** Reads and writes the questions of runs and their answers. */
import {
  AnswerRefused,
  type Answer,
  type Json,
  type OpenWait,
  type StoredWait,
  type Wait,
  type WaitFilter,
} from "@planloom/plugin/effect"
import type { Database, Row } from "../Database.ts"
import { waits } from "../sql.ts"

/** A stored question and its answer. */
export interface WaitState {
  readonly wait: Wait
  readonly answer?: Answer
}

export const findWait = (database: Database, run: number, name: string): WaitState | undefined => {
  const row = database.get(waits.one, run, name)
  if (row === undefined) return undefined
  const wait = JSON.parse(row["body"] as string) as Wait
  const answer = answerOf(row)
  return answer === undefined ? { wait } : { wait, answer }
}

const answerOf = (row: Row): Answer | undefined =>
  row["answer"] === null
    ? undefined
    : {
        value: JSON.parse(row["answer"] as string) as Json,
        by: row["answered_by"] as string,
        at: Number(row["answered_at"]),
        ...(row["answered_via"] === null ? {} : { via: row["answered_via"] as string }),
      }

export const openWaits = (
  database: Database,
  { run, userDigest, workflow }: WaitFilter,
  now: number,
): ReadonlyArray<OpenWait> => {
  const [a, b, c] = [run ?? null, workflow ?? null, userDigest ?? null]
  return database.all(waits.open, now, a, a, b, b, c, c).map((row) => ({
    run: row["run"] as string,
    workflow: row["workflow"] as string,
    askedAt: Number(row["at"]),
    wait: JSON.parse(row["body"] as string) as Wait,
  }))
}

/** The questions of a run, oldest first. */
export const readWaits = (database: Database, run: number): ReadonlyArray<StoredWait> =>
  database.all(waits.all, run).map((row) => {
    const answer = answerOf(row)
    return {
      wait: JSON.parse(row["body"] as string) as Wait,
      askedAt: Number(row["at"]),
      ...(answer === undefined ? {} : { answer }),
    }
  })

/** Requires the caller's transaction. */
export const writeWait = (
  database: Database,
  run: number,
  { answer, askedAt, wait }: StoredWait,
): void => {
  const { expiresAt = null, name } = wait
  const given = answer === undefined ? null : JSON.stringify(answer.value)
  const [by, at, via] = [answer?.by ?? null, answer?.at ?? null, answer?.via ?? null]
  const body = JSON.stringify(wait)
  database.run(waits.write, run, name, askedAt, body, expiresAt, given, by, at, via)
}

/** Records an answer, or returns why it is refused. Requires the caller's transaction; `row` is the run's. */
export const recordAnswer = (
  database: Database,
  row: Row,
  name: string,
  { at, by, value, via = null }: Omit<Answer, "via"> & { readonly via?: string | null },
): AnswerRefused | undefined => {
  const id = Number(row["id"])
  const run = row["run"] as string
  if (row["finished_at"] !== null) {
    return new AnswerRefused({ reason: "ended", message: `the run ${run} has ended` })
  }
  const kept = findWait(database, id, name)
  if (kept === undefined) {
    return new AnswerRefused({
      reason: "unknown",
      message: `the run ${run} has no question named "${name}"`,
    })
  }
  const { answer, wait } = kept
  if (answer !== undefined) {
    return new AnswerRefused({
      reason: "answered",
      message: `"${name}" was answered by ${answer.by} at ${new Date(answer.at).toISOString()}`,
    })
  }
  if (wait.expiresAt !== undefined && wait.expiresAt <= at) {
    return new AnswerRefused({
      reason: "expired",
      message: `"${name}" could be answered until ${new Date(wait.expiresAt).toISOString()}`,
    })
  }
  database.run(waits.answer, JSON.stringify(value), by, at, via, id, name)
  return undefined
}
