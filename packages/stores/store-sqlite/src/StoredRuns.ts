/** Reads what is stored of runs: their records, events, steps and sessions. */
import type { Json, RunEvent, RunFilter, RunRecord, StoredStep } from "@planloom/plugin/effect"
import type { Bodies } from "./Bodies.ts"
import type { Database, Row } from "./Database.ts"
import type { Ownership } from "./owner/Ownership.ts"
import { unpackEvents } from "./packEvents.ts"
import { events, runs, sessions, steps } from "./sql.ts"
import { readOutcome } from "./sqliteJournal.ts"
import { toRunRecord } from "./run/toRunRecord.ts"
import { storeFailed } from "./toStoreFailed.ts"

/** Methods throw `StoreFailed`, or what the database throws. */
export class StoredRuns {
  private readonly database: Database
  private readonly bodies: Bodies
  private readonly path: string
  private readonly ownership: Ownership

  constructor(database: Database, bodies: Bodies, path: string, ownership: Ownership) {
    this.database = database
    this.bodies = bodies
    this.path = path
    this.ownership = ownership
  }

  list(filter: RunFilter): ReadonlyArray<RunRecord> {
    const { before, failedWith, limit, session, since, status, userDigest, workflow } = filter
    const [a, b, c, d] = [status ?? null, workflow ?? null, failedWith ?? null, session ?? null]
    const user = userDigest ?? null
    const [from, to] = [since ?? 0, before ?? Number.MAX_SAFE_INTEGER]
    const most = limit ?? Number.MAX_SAFE_INTEGER
    const given = [a, a, b, b, from, to, c, c, d, d, user, user, most]
    return this.database.all(runs.list, ...given).map(this.recordOf)
  }

  eventsOf(id: number, from: number): ReadonlyArray<RunEvent> {
    const outputOf = (step: string): Json => {
      const row = this.database.get(steps.one, id, step)
      if (row === undefined) throw storeFailed("corrupt", this.path)
      return this.bodies.ofRow(row)
    }
    return this.database
      .all(events.from, id, from)
      .flatMap((row) => unpackEvents(this.bodies.ofRow(row), outputOf))
      .filter(({ seq }) => seq >= from)
  }

  sessionOf(id: number): string | undefined {
    return this.database.get(sessions.ofRun, id)?.["session"] as string | undefined
  }

  stepsOf(id: number): ReadonlyArray<StoredStep> {
    return this.database.all(steps.all, id).map((row) => ({
      name: row["name"] as string,
      at: Number(row["at"]),
      outcome: readOutcome(row, this.bodies),
    }))
  }

  readonly recordOf = (row: Row): RunRecord => {
    const active = this.ownership.isActive(row)
    return toRunRecord(row, active, !active && this.ownership.isOther(row))
  }

  rowOf(run: string): Row {
    return this.required(runs.one, run)
  }

  /** The run's number in the file and the hash of its definition. */
  keyOf(run: string): Row {
    return this.required(runs.key, run)
  }

  /** The digests of the run's personal inputs. */
  personalOf(run: string): Row {
    return this.required(runs.personal, run)
  }

  idOf(run: string): number {
    return Number(this.keyOf(run)["id"])
  }

  private required(sql: string, run: string): Row {
    const row = this.database.get(sql, run)
    if (row === undefined) throw storeFailed("missing", this.path, run)
    return row
  }
}
