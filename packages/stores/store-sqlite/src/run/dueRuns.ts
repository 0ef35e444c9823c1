/** Lists the runs that can resume without a person, one page at a time. */
import type { DuePage, RunRecord } from "@planloom/plugin/effect"
import type { Database, Row } from "../Database.ts"
import { runs } from "../sql.ts"

/** Rows per query without a limit. */
const PAGE_ROWS = 1000

/** Reads rows until the page is full: the file alone does not show whether a process works on a run. */
export const dueRuns = (
  database: Database,
  { after, limit = Number.POSITIVE_INFINITY }: Partial<DuePage>,
  now: number,
  recordOf: (row: Row) => RunRecord,
): ReadonlyArray<RunRecord> => {
  const found: Array<RunRecord> = []
  // The oldest may be at work: one query finds a small page behind them.
  const rows = Math.min(2 * limit, PAGE_ROWS)
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
