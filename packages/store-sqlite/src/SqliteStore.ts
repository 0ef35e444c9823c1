/** The contract's run store on one SQLite file. */
import * as Effect from "effect/Effect"
import type {
  CancelRequest,
  DuePage,
  Json,
  Answer,
  OpenedRun,
  RecordedRun,
  Retention,
  RunEvent,
  RunFilter,
  RunRecord,
  RunStart,
  RunStore,
  SessionStore,
  StoredStep,
  StoreFailed,
  ResetChange,
  WaitFilter,
} from "@planloom/plugin"
import { AnswerRefused } from "@planloom/plugin"
import { Bodies } from "./Bodies.ts"
import { CancelWatch } from "./CancelWatch.ts"
import type { Database, Row } from "./Database.ts"
import { dueRuns } from "./dueRuns.ts"
import { readRun, writeRun } from "./transferRun.ts"
import { acquireRun } from "./acquireRun.ts"
import type { Ownership } from "./Ownership.ts"
import { Recorder } from "./Recorder.ts"
import { blobs, cancels, events, deleteRun, runs, sessions, steps } from "./sql.ts"
import { sqliteSessions } from "./SqliteSessions.ts"
import { retryWhileLocked, readOutcome, sqliteJournal } from "./sqliteJournal.ts"
import { unpackEvents } from "./packEvents.ts"
import { toRunRecord } from "./toRunRecord.ts"
import { resetRun } from "./resetRun.ts"
import { storeFailed, toStoreFailed } from "./toStoreFailed.ts"
import { recordAnswer, openWaits } from "./waits.ts"
import { watchOwner } from "./watchOwner.ts"

export class SqliteStore implements RunStore {
  readonly id = "sqlite"
  readonly summary = "Runs in one SQLite file, for one machine."
  private readonly database: Database
  private readonly path: string
  private readonly lockTimeout: number
  private readonly bodies: Bodies
  private readonly ownership: Ownership
  private readonly opened = new Set<Recorder>()
  private readonly cancels: CancelWatch

  readonly sessions: SessionStore

  constructor(database: Database, path: string, lockTimeout: number, ownership: Ownership) {
    this.database = database
    this.path = path
    this.lockTimeout = lockTimeout
    this.ownership = ownership
    this.bodies = new Bodies(database, path)
    this.cancels = new CancelWatch(database)
    this.sessions = sqliteSessions(database, path, (work) => this.retryLocked(work))
  }

  open(start: RunStart): Effect.Effect<OpenedRun, StoreFailed> {
    return Effect.clockWith((clock) =>
      this.retryLocked(() => {
        const now = clock.currentTimeMillisUnsafe()
        const { bodies, database, ownership, path, lockTimeout } = this
        const { epoch, fresh, id } = acquireRun({ bodies, database, ownership, path }, start, now)
        const { scrub } = start
        const recorder = new Recorder(database, bodies, path, { id, epoch, fresh, scrub, clock })
        this.opened.add(recorder)
        ownership.add(id)
        const session = fresh ? start.session : this.sessionOf(id)
        return {
          epoch,
          ...(session === undefined ? {} : { session }),
          events: epoch === 1 ? [] : this.eventsOf(id, 0),
          journal: sqliteJournal({ bodies, database, id, path, lockTimeout, recorder }),
          onCancel: (onCancel) => this.cancels.watch(id, onCancel),
          close: this.closeRun(recorder, id),
        }
      }),
    )
  }

  list(filter: RunFilter = {}) {
    const { before, failedWith, limit, session, since, status, userDigest, workflow } = filter
    return this.retryLocked(() => {
      const [a, b, c, d] = [status ?? null, workflow ?? null, failedWith ?? null, session ?? null]
      const user = userDigest ?? null
      const [from, to] = [since ?? 0, before ?? Number.MAX_SAFE_INTEGER]
      const most = limit ?? Number.MAX_SAFE_INTEGER
      const given = [a, a, b, b, from, to, c, c, d, d, user, user, most]
      return this.database.all(runs.list, ...given).map(this.recordOf)
    })
  }

  show(run: string) {
    return this.retryLocked(() => {
      const row = this.database.get(runs.one, run)
      return row === undefined ? undefined : this.recordOf(row)
    })
  }

  events(run: string, from = 0) {
    return this.retryLocked(() => this.eventsOf(this.idOf(run), from))
  }

  steps(run: string) {
    return this.retryLocked(() => this.stepsOf(this.idOf(run)))
  }

  definition(run: string) {
    return this.retryLocked((): Json | undefined => {
      const hash = this.rowOf(run)["definition"] as string | null
      return hash === null ? undefined : (JSON.parse(this.bodies.blobText(hash)) as Json)
    })
  }

  waits(filter: WaitFilter = {}) {
    return Effect.clockWith((clock) =>
      this.retryLocked(() => openWaits(this.database, filter, clock.currentTimeMillisUnsafe())),
    )
  }

  answer(run: string, name: string, answer: Answer) {
    return Effect.flatMap(
      this.retryLocked(() =>
        this.database.transaction(() => {
          const row = this.rowOf(run)
          return recordAnswer(this.database, row, name, answer) ?? this.recordOf(row)
        }),
      ),
      (given): Effect.Effect<RunRecord, AnswerRefused> =>
        given instanceof AnswerRefused ? Effect.fail(given) : Effect.succeed(given),
    )
  }

  due(page: Partial<DuePage> = {}) {
    return Effect.clockWith((clock) =>
      this.retryLocked(() =>
        dueRuns(this.database, page, clock.currentTimeMillisUnsafe(), this.recordOf),
      ),
    )
  }

  watchOwner(run: string) {
    return watchOwner(
      this.ownership,
      this.retryLocked(() => this.rowOf(run)),
    )
  }

  backlog(most: number) {
    return this.retryLocked(() => Number(this.database.get(runs.backlog, most)!["count"]))
  }

  prune({ before, keep }: Retention) {
    return this.retryLocked(() =>
      this.database.transaction(() => {
        const found = new Map<number, string>()
        const rows = [
          ...(before === undefined ? [] : this.database.all(runs.ended, before)),
          ...(keep === undefined ? [] : this.database.all(runs.beyond, keep)),
        ]
        for (const { id, run } of rows) found.set(Number(id), run as string)
        for (const { id, origin } of this.database.all(runs.forks)) {
          if (!found.has(Number(id))) found.delete(Number(origin))
        }
        for (const id of found.keys()) for (const sql of deleteRun) this.database.run(sql, id)
        if (found.size > 0) this.database.run(blobs.collect)
        if (before !== undefined) this.database.all(sessions.prune, before)
        return [...found.values()]
      }),
    )
  }

  cancel(run: string, request: CancelRequest) {
    return this.retryLocked(() => {
      const row = this.rowOf(run)
      if (!this.ownership.isActive(row)) return false
      const id = Number(row["id"])
      this.database.run(cancels.ask, id, JSON.stringify(request))
      this.cancels.notify(id, request)
      return true
    })
  }

  reset(run: string, change: ResetChange) {
    return Effect.clockWith((clock) =>
      this.retryLocked(() =>
        this.database.transaction(() => {
          const row = this.rowOf(run)
          if (this.ownership.isActive(row)) throw storeFailed("busy", this.path, run)
          const now = clock.currentTimeMillisUnsafe()
          resetRun(this.database, this.bodies, Number(row["id"]), change, now)
        }),
      ),
    )
  }

  read(run: string) {
    return this.retryLocked(() => {
      const row = this.rowOf(run)
      const id = Number(row["id"])
      return readRun(this.database, this.bodies, row, {
        steps: this.stepsOf(id),
        events: this.eventsOf(id, 0),
      })
    })
  }

  write(recorded: RecordedRun) {
    return this.retryLocked(() =>
      this.database.transaction(() => writeRun(this.database, this.bodies, this.path, recorded)),
    )
  }

  get revision() {
    return this.retryLocked(() => `${this.database.dataVersion()}.${this.database.changes()}`)
  }

  /** Writes pending events, as far as possible, and closes the file. */
  close(): void {
    this.ownership.close()
    this.cancels.close()
    for (const recorder of this.opened) {
      recorder.flush()
      recorder.fail(storeFailed("unavailable", this.path))
    }
    this.database.close()
  }

  private closeRun(recorder: Recorder, id: number): OpenedRun["close"] {
    const write = () =>
      recorder.flush() ??
      (recorder.ended || recorder.answered ? undefined : recorder.writeAsOwner(runs.release))
    return Effect.suspend(() => {
      if (!this.opened.delete(recorder)) return Effect.succeed("closed" as const)
      this.ownership.remove(id)
      this.cancels.unwatch(id)
      const failure = write()
      return Effect.map(
        failure === undefined
          ? Effect.void
          : retryWhileLocked({ lockTimeout: this.lockTimeout, recorder }, failure, write),
        () => (recorder.answered ? ("answered" as const) : ("closed" as const)),
      )
    })
  }

  private eventsOf(id: number, from: number): ReadonlyArray<RunEvent> {
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

  private sessionOf(id: number): string | undefined {
    return this.database.get(sessions.ofRun, id)?.["session"] as string | undefined
  }

  private stepsOf(id: number): ReadonlyArray<StoredStep> {
    return this.database.all(steps.all, id).map((row) => ({
      name: row["name"] as string,
      at: Number(row["at"]),
      outcome: readOutcome(row, this.bodies),
    }))
  }

  private readonly recordOf = (row: Row): RunRecord =>
    toRunRecord(row, this.ownership.isActive(row))

  private rowOf(run: string): Row {
    const row = this.database.get(runs.one, run)
    if (row === undefined) throw storeFailed("missing", this.path, run)
    return row
  }

  private idOf(run: string): number {
    return Number(this.rowOf(run)["id"])
  }

  /** Retries while another program holds the lock, for at most `lockTimeout`. */
  private retryLocked<A>(work: () => A): Effect.Effect<A, StoreFailed> {
    return Effect.suspend(() => {
      const deadline = performance.now() + this.lockTimeout
      const attempt = (): Effect.Effect<A, StoreFailed> => {
        try {
          return Effect.succeed(work())
        } catch (error) {
          const failure = toStoreFailed(error, this.path)
          return failure.reason === "locked" && performance.now() < deadline
            ? Effect.flatMap(Effect.sleep(50), attempt)
            : Effect.fail(failure)
        }
      }
      return attempt()
    })
  }
}
