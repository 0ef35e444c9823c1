/** The contract's run store on one SQLite file. */
import * as Effect from "effect/Effect"
import type {
  Collection,
  CancelRequest,
  DuePage,
  Json,
  Answer,
  OpenedRun,
  RecordedRun,
  Retention,
  RunFilter,
  RunRecord,
  RunStart,
  RunStore,
  SessionStore,
  StoreFailed,
  ResetChange,
  UnfinishedRuns,
  WaitFilter,
} from "@planloom/plugin/effect"
import { AnswerRefused } from "@planloom/plugin/effect"
import { Bodies } from "./Bodies.ts"
import { CancelWatch } from "./owner/CancelWatch.ts"
import type { Database } from "./Database.ts"
import { dueRuns } from "./run/dueRuns.ts"
import { readRun, writeRun } from "./run/transferRun.ts"
import { acquireRun } from "./run/acquireRun.ts"
import { EventListeners } from "./EventListeners.ts"
import type { Ownership } from "./owner/Ownership.ts"
import { Recorder } from "./Recorder.ts"
import { cancels, runs } from "./sql.ts"
import { sqliteSessions } from "./SqliteSessions.ts"
import { retryWhileLocked, sqliteJournal } from "./sqliteJournal.ts"
import { eraseRuns, rewriteFile } from "./run/eraseRuns.ts"
import { erasePersonal, readPersonal } from "./run/personalDigests.ts"
import { pruneRuns } from "./run/pruneRuns.ts"
import { resetRun } from "./run/resetRun.ts"
import { retryLocked } from "./retryLocked.ts"
import { StoredRuns } from "./StoredRuns.ts"
import { sqliteCollection } from "./SqliteCollections.ts"
import { StoreFile } from "./StoreFile.ts"
import { storeFailed, toStoreFailed } from "./toStoreFailed.ts"
import { recordAnswer, openWaits } from "./run/waits.ts"
import { watchOwner } from "./owner/watchOwner.ts"

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
  private readonly stored: StoredRuns
  private readonly listeners = new EventListeners()
  readonly onRecorded = this.listeners.add
  private readonly file: StoreFile

  readonly sessions: SessionStore

  constructor(database: Database, path: string, lockTimeout: number, ownership: Ownership) {
    this.database = database
    this.path = path
    this.file = new StoreFile(path)
    this.lockTimeout = lockTimeout
    this.ownership = ownership
    this.bodies = new Bodies(database, path)
    this.cancels = new CancelWatch(database)
    this.stored = new StoredRuns(database, this.bodies, path, ownership)
    this.sessions = sqliteSessions(database, path, ownership, (work) => this.retryLocked(work))
  }

  collection(name: string): Collection {
    return sqliteCollection(this.database, name, (work) => this.retryLocked(work))
  }

  open(start: RunStart): Effect.Effect<OpenedRun, StoreFailed> {
    return Effect.clockWith((clock) =>
      this.retryLocked(() => {
        const now = clock.currentTimeMillisUnsafe()
        const { bodies, database, ownership, path, lockTimeout } = this
        const acquired = acquireRun({ bodies, database, ownership, path }, start, now)
        const { epoch, fresh, id, steps } = acquired
        const { scrub } = start
        const recorder = new Recorder(database, bodies, path, {
          file: this.file,
          id,
          epoch,
          steps,
          scrub,
          clock,
          onEvents: this.listeners.notify(start.run),
        })
        this.opened.add(recorder)
        ownership.add(id)
        const session = fresh ? start.session : this.stored.sessionOf(id)
        return {
          epoch,
          ...(session === undefined ? {} : { session }),
          events: epoch === 1 ? [] : this.stored.eventsOf(id, 0),
          journal: sqliteJournal({ bodies, database, id, path, lockTimeout, recorder }),
          onCancel: (onCancel) => this.cancels.watch(id, onCancel),
          close: this.closeRun(recorder, id),
        }
      }),
    )
  }

  list(filter: RunFilter = {}) {
    return this.retryLocked(() => this.stored.list(filter))
  }

  show(run: string) {
    return this.retryLocked(() => {
      const row = this.database.get(runs.one, run)
      return row === undefined ? undefined : this.stored.recordOf(row)
    })
  }

  events(run: string, from = 0) {
    return this.retryLocked(() => this.stored.eventsOf(this.stored.idOf(run), from))
  }

  steps(run: string) {
    return this.retryLocked(() => this.stored.stepsOf(this.stored.idOf(run)))
  }

  definition(run: string) {
    return this.retryLocked((): Json | undefined => {
      const hash = this.stored.keyOf(run)["definition"] as string | null
      return hash === null ? undefined : this.bodies.shared(hash)
    })
  }

  personalDigests(run: string) {
    return this.retryLocked(() => readPersonal(this.stored.personalOf(run)))
  }

  erasePersonal(userDigest: string) {
    return this.retryLocked(() =>
      this.database.transaction(() => erasePersonal(this.database, userDigest)),
    )
  }

  eraseRuns(userDigest: string) {
    return Effect.tap(
      this.retryLocked(() =>
        this.database.transaction(() =>
          eraseRuns(this.database, userDigest, (row) => this.ownership.isActive(row)),
        ),
      ),
      () => this.retryLocked(() => rewriteFile(this.database, this.path)),
    )
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
          const row = this.stored.rowOf(run)
          return recordAnswer(this.database, row, name, answer) ?? this.stored.recordOf(row)
        }),
      ),
      (given): Effect.Effect<RunRecord, AnswerRefused> =>
        given instanceof AnswerRefused ? Effect.fail(given) : Effect.succeed(given),
    )
  }

  due(page: Partial<DuePage> = {}) {
    return Effect.clockWith((clock) =>
      this.retryLocked(() =>
        dueRuns(this.database, page, clock.currentTimeMillisUnsafe(), this.stored.recordOf),
      ),
    )
  }

  watchOwner(run: string) {
    return watchOwner(
      this.ownership,
      this.retryLocked(() => this.stored.rowOf(run)),
    )
  }

  backlog(most: number) {
    return this.retryLocked(() => Number(this.database.get(runs.backlog, most)!["count"]))
  }

  get unfinished() {
    return this.retryLocked((): UnfinishedRuns => {
      const counts = { queued: 0, active: 0, suspended: 0, clarification: 0 }
      for (const { count, state } of this.database.all(runs.unfinished)) {
        counts[state as keyof UnfinishedRuns] = Number(count)
      }
      return counts
    })
  }

  prune(retention: Retention) {
    return this.retryLocked(() =>
      this.database.transaction(() => pruneRuns(this.database, retention)),
    ).pipe(
      // A reader keeps what was deleted in the log until its next turn.
      Effect.tap((deleted) =>
        Effect.sync(() => {
          if (deleted.length > 0) this.database.emptiesLog()
        }),
      ),
    )
  }

  cancel(run: string, request: CancelRequest) {
    return this.retryLocked(() => {
      const row = this.stored.rowOf(run)
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
          const row = this.stored.rowOf(run)
          if (this.ownership.isActive(row)) throw storeFailed("busy", this.path, run)
          const now = clock.currentTimeMillisUnsafe()
          resetRun(this.database, this.bodies, Number(row["id"]), change, now)
        }),
      ),
    )
  }

  read(run: string) {
    return this.retryLocked(() => {
      const row = this.stored.rowOf(run)
      const id = Number(row["id"])
      return readRun(this.database, this.bodies, row, {
        steps: this.stored.stepsOf(id),
        events: this.stored.eventsOf(id, 0),
      })
    })
  }

  write(recorded: RecordedRun) {
    return this.retryLocked(() =>
      this.database.transaction(() => writeRun(this.database, this.bodies, this.path, recorded)),
    )
  }

  blame(run: string | undefined, why: string) {
    const { name } = this.ownership
    return this.retryLocked(() =>
      this.database.transaction(() => {
        if (run !== undefined) this.database.run(runs.blame, why, run, name)
        this.database.run(runs.acquit, name, run ?? null, run ?? null)
      }),
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
      this.gone(recorder) ??
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

  /** The failure of a run whose last writes went to a deleted file. */
  private gone(recorder: Recorder): StoreFailed | undefined {
    try {
      this.file.requirePresent()
      return undefined
    } catch (error) {
      const failure = toStoreFailed(error, this.path)
      recorder.fail(failure)
      return failure
    }
  }

  private retryLocked<A>(work: () => A): Effect.Effect<A, StoreFailed> {
    const present = () => {
      this.file.requireStillPresent()
      return work()
    }
    return retryLocked(present, this.lockTimeout, this.path)
  }
}
