/** Erases the runs of a user from the file: their rows, what the pages around them still hold, and the log of writes. */
import type { ErasedRuns } from "@planloom/plugin/effect"
import type { Database, Row } from "../Database.ts"
import { blobs, deleteRun, runs } from "../sql.ts"
import { storeFailed } from "../toStoreFailed.ts"

/** Deletes all runs of the user but those that a process works on. Must run in a transaction. */
export const eraseRuns = (
  database: Database,
  userDigest: string,
  isActive: (row: Row) => boolean,
): ErasedRuns => {
  const erased: Array<string> = []
  const active: Array<string> = []
  for (const row of database.all(runs.ofUser, userDigest)) {
    const run = row["run"] as string
    if (isActive(row)) active.push(run)
    else {
      for (const sql of deleteRun) database.run(sql, row["id"] as number)
      erased.push(run)
    }
  }
  if (erased.length > 0) database.run(blobs.collect)
  return { runs: erased, active }
}

/** Writes the file anew, without what was deleted. Fails with `locked` while another program reads or writes. */
export const rewriteFile = (database: Database, path: string): void => {
  database.run("VACUUM")
  emptyLog(database, path)
}

/** Moves the log of writes into the file, and cuts it to nothing: it holds pages as they were. */
export const emptyLog = (database: Database, path: string): void => {
  if (!database.emptiesLog()) throw storeFailed("locked", path)
}
