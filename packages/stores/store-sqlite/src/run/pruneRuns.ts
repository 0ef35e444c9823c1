/** Deletes runs that ended before a time or are beyond the newest, and sessions by age. */
import type { Retention } from "@planloom/plugin/effect"
import type { Database } from "../Database.ts"
import { blobs, deleteRun, runs, sessions } from "../sql.ts"

/** Ids of the deleted runs. A run with forks that stay stays, too. Must run in a transaction. */
export const pruneRuns = (
  database: Database,
  { before, keep }: Retention,
): ReadonlyArray<string> => {
  const found = new Map<number, string>()
  const rows = [
    ...(before === undefined ? [] : database.all(runs.ended, before)),
    ...(keep === undefined ? [] : database.all(runs.beyond, keep)),
  ]
  for (const { id, run } of rows) found.set(Number(id), run as string)
  for (const { id, origin } of database.all(runs.forks)) {
    if (!found.has(Number(id))) found.delete(Number(origin))
  }
  for (const id of found.keys()) for (const sql of deleteRun) database.run(sql, id)
  if (found.size > 0) database.run(blobs.collect)
  if (before !== undefined) database.all(sessions.prune, before)
  return [...found.values()]
}
