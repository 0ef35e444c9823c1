/** The contract's run store over one file. */
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
  TakeBack,
  WaitFilter,
} from "@planloom/plugin"
import { AnswerRefused } from "@planloom/plugin"
import { Bodies } from "./Bodies.ts"
import { Cancels } from "./Cancels.ts"
import type { Database, Row } from "./Database.ts"
import { dueRuns } from "./dueRuns.ts"
import { readRun, writeRun } from "./handOver.ts"
import { holdRun } from "./holdRun.ts"
import type { Ownership } from "./Ownership.ts"
import { Recorder } from "./Recorder.ts"
import { blobs, cancels, events, forget, runs, sessions, steps } from "./sql.ts"
import { sqliteSessions } from "./SqliteSessions.ts"
import { persist, recordedIn, sqliteJournal } from "./sqliteJournal.ts"
import { unpackedEvents } from "./packedEvents.ts"
import { recordOf } from "./recordOf.ts"
import { takeBack } from "./takeBack.ts"
import { storeFailed, toStoreFailed } from "./toStoreFailed.ts"
import { answerIn, openWaits } from "./waits.ts"
import { watchOwner } from "./watchOwner.ts"

export class SqliteStore implements RunStore {
  readonly id = "sqlite"
  readonly summary = "Runs in one SQLite file, for one machine."
  private readonly database: Database
  private readonly path: string
  private readonly patience: number
  private readonly bodies: Bodies
  private readonly ownership: Ownership
  private readonly opened = new Set<Recorder>()
  private readonly cancels: Cancels

  readonly sessions: SessionStore

  constructor(database: Database, path: string, patience: number, ownership: Ownership) {
    this.database = database
    this.path = path
    this.patience = patience
    this.ownership = ownership
    this.bodies = new Bodies(database, path)
    this.cancels = new Cancels(database)
    this.sessions = sqliteSessions(database, path, (work) => this.doing(work))
  }

  open(start: RunStart): Effect.Effect<OpenedRun, StoreFailed> {
    return Effect.clockWith((clock) =>
      this.doing(() => {
        const now = clock.currentTimeMillisUnsafe()
        const { bodies, database, ownership, path, patience } = this
        const { epoch, fresh, id } = holdRun({ bodies, database, ownership, path }, start, now)
        const { scrub } = start
        const recorder = new Recorder(database, bodies, path, { id, epoch, fresh, scrub, clock })
        this.opened.add(recorder)
        ownership.hold(id)
        const session = fresh ? start.session : this.sessionOf(id)
        return {
          epoch,
          ...(session === undefined ? {} : { session }),
          events: epoch === 1 ? [] : this.eventsOf(id, 0),
          journal: sqliteJournal({ bodies, database, id, path, patience, recorder }),
          onCancel: (hear) => this.cancels.listen(id, hear),
          close: this.closing(recorder, id),
        }
      }),
    )
  }

  list({ before, failedWith, limit, session, since, status, workflow }: RunFilter = {}) {
    return this.doing(() => {
      const [a, b, c, d] = [status ?? null, workflow ?? null, failedWith ?? null, session ?? null]
      const [from, to] = [since ?? 0, before ?? Number.MAX_SAFE_INTEGER]
      const most = limit ?? Number.MAX_SAFE_INTEGER
      return this.database.all(runs.list, a, a, b, b, from, to, c, c, d, d, most).map(this.recordOf)
    })
  }

  show(run: string) {
    return this.doing(() => {
      const row = this.database.get(runs.one, run)
      return row === undefined ? undefined : this.recordOf(row)
    })
  }

  events(run: string, from = 0) {
    return this.doing(() => this.eventsOf(this.idOf(run), from))
  }

  steps(run: string) {
    return this.doing(() => this.stepsOf(this.idOf(run)))
  }

  definition(run: string) {
    return this.doing((): Json | undefined => {
      const hash = this.rowOf(run)["definition"] as string | null
      return hash === null ? undefined : (JSON.parse(this.bodies.kept(hash)) as Json)
    })
  }

  waits(filter: WaitFilter = {}) {
    return Effect.clockWith((clock) =>
      this.doing(() => openWaits(this.database, filter, clock.currentTimeMillisUnsafe())),
    )
  }

  answer(run: string, name: string, answer: Answer) {
    return Effect.flatMap(
      this.doing(() =>
        this.database.transaction(() => {
          const row = this.rowOf(run)
          return answerIn(this.database, row, name, answer) ?? this.recordOf(row)
        }),
      ),
      (given): Effect.Effect<RunRecord, AnswerRefused> =>
        given instanceof AnswerRefused ? Effect.fail(given) : Effect.succeed(given),
    )
  }

  due(page: Partial<DuePage> = {}) {
    return Effect.clockWith((clock) =>
      this.doing(() =>
        dueRuns(this.database, page, clock.currentTimeMillisUnsafe(), this.recordOf),
      ),
    )
  }

  watchOwner(run: string) {
    return watchOwner(
      this.ownership,
      this.doing(() => this.rowOf(run)),
    )
  }

  backlog(most: number) {
    return this.doing(() => Number(this.database.get(runs.backlog, most)!["count"]))
  }

  prune({ before, keep }: Retention) {
    return this.doing(() =>
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
        for (const id of found.keys()) for (const sql of forget) this.database.run(sql, id)
        if (found.size > 0) this.database.run(blobs.collect)
        if (before !== undefined) this.database.all(sessions.prune, before)
        return [...found.values()]
      }),
    )
  }

  cancel(run: string, request: CancelRequest) {
    return this.doing(() => {
      const row = this.rowOf(run)
      if (!this.ownership.isActive(row)) return false
      const id = Number(row["id"])
      this.database.run(cancels.ask, id, JSON.stringify(request))
      this.cancels.heard(id, request)
      return true
    })
  }

  takeBack(run: string, change: TakeBack) {
    return Effect.clockWith((clock) =>
      this.doing(() =>
        this.database.transaction(() => {
          const row = this.rowOf(run)
          if (this.ownership.isActive(row)) throw storeFailed("busy", this.path, run)
          const now = clock.currentTimeMillisUnsafe()
          takeBack(this.database, this.bodies, Number(row["id"]), change, now)
        }),
      ),
    )
  }

  read(run: string) {
    return this.doing(() => {
      const row = this.rowOf(run)
      const id = Number(row["id"])
      return readRun(this.database, this.bodies, row, {
        steps: this.stepsOf(id),
        events: this.eventsOf(id, 0),
      })
    })
  }

  write(recorded: RecordedRun) {
    return this.doing(() =>
      this.database.transaction(() => writeRun(this.database, this.bodies, this.path, recorded)),
    )
  }

  get revision() {
    return this.doing(() => `${this.database.dataVersion()}.${this.database.changes()}`)
  }

  /** What is still in memory is written, as far as it can be. */
  close(): void {
    this.ownership.close()
    this.cancels.close()
    for (const recorder of this.opened) {
      recorder.flush()
      recorder.giveUp(storeFailed("unavailable", this.path))
    }
    this.database.close()
  }

  private closing(recorder: Recorder, id: number): OpenedRun["close"] {
    const write = () =>
      recorder.flush() ??
      (recorder.ended || recorder.answered ? undefined : recorder.change(runs.release))
    return Effect.suspend(() => {
      if (!this.opened.delete(recorder)) return Effect.succeed("closed" as const)
      this.ownership.drop(id)
      this.cancels.forget(id)
      const failure = write()
      return Effect.map(
        failure === undefined
          ? Effect.void
          : persist({ patience: this.patience, recorder }, failure, write),
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
      .flatMap((row) => unpackedEvents(this.bodies.ofRow(row), outputOf))
      .filter(({ seq }) => seq >= from)
  }

  private sessionOf(id: number): string | undefined {
    return this.database.get(sessions.ofRun, id)?.["session"] as string | undefined
  }

  private stepsOf(id: number): ReadonlyArray<StoredStep> {
    return this.database.all(steps.all, id).map((row) => ({
      name: row["name"] as string,
      at: Number(row["at"]),
      outcome: recordedIn(row, this.bodies),
    }))
  }

  private readonly recordOf = (row: Row): RunRecord => recordOf(row, this.ownership.isActive(row))

  private rowOf(run: string): Row {
    const row = this.database.get(runs.one, run)
    if (row === undefined) throw storeFailed("missing", this.path, run)
    return row
  }

  private idOf(run: string): number {
    return Number(this.rowOf(run)["id"])
  }

  /** Waits for a lock as long as patience lasts. */
  private doing<A>(work: () => A): Effect.Effect<A, StoreFailed> {
    return Effect.suspend(() => {
      const deadline = performance.now() + this.patience
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
