/** The runs that can go on by themselves, a page at a time. */
import type { DuePage, RunRecord } from "@planloom/plugin"
import type { Database, Row } from "./Database.ts"
import { runs } from "./sql.ts"

/** Rows read in one go when all are wanted. */
const ROWS = 1000

/** Whether a process is at work on a run is not in the file alone, so rows are read until the page is full. */
export const dueRuns = (
  database: Database,
  { after, limit = Number.POSITIVE_INFINITY }: Partial<DuePage>,
  now: number,
  recordOf: (row: Row) => RunRecord,
): ReadonlyArray<RunRecord> => {
  const found: Array<RunRecord> = []
  const rows = Math.min(limit, ROWS)
  let last = after === undefined ? 0 : Number(database.get(runs.one, after)?.["id"] ?? 0)
  while (found.length < limit) {
    const page = database.all(runs.due, last, now, rows)
    for (const row of page) {
      const record = recordOf(row)
      if (record.status !== "running" || !record.active) found.push(record)
    }
    if (page.length < rows) break
    last = Number(page.at(-1)!["id"])
  }
  return found.slice(0, limit)
}
