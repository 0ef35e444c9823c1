/** One connection to a SQLite file that survives kill -9 and caches prepared statements. */
import type * as Sqlite from "node:sqlite"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

export type Row = { readonly [column: string]: string | number | null }

export interface DatabaseOptions {
  /** Milliseconds one write may block this thread while another program holds the lock. */
  readonly busy: number
  /** Page limit of the file; for tests of a full disk. */
  readonly maxPages?: number
}

export class Database {
  private readonly connection: DatabaseSync
  private readonly prepared = new Map<string, StatementSync>()

  /** Throws SQLite's error if the file is not a database, is locked, or cannot be created. */
  constructor(path: string, { busy, maxPages }: DatabaseOptions) {
    this.connection = new (sqlite().DatabaseSync)(path, { timeout: busy })
    try {
      // NORMAL loses nothing if the process dies; a power failure loses the last writes.
      this.connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
      // A checkpoint waits for the disk: one per 16 MiB of log instead of one per 4 MiB.
      this.connection.exec("PRAGMA wal_autocheckpoint = 4096")
      // What is deleted is overwritten: it may be about a person.
      this.connection.exec("PRAGMA secure_delete = ON")
      if (maxPages !== undefined) this.connection.exec(`PRAGMA max_page_count = ${maxPages}`)
    } catch (error) {
      this.connection.close()
      throw error
    }
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: ReadonlyArray<SQLInputValue>): number {
    return Number(this.statement(sql).run(...values).changes)
  }

  /** Returns the id of the new row; undefined if none was inserted. */
  insert(sql: string, ...values: ReadonlyArray<SQLInputValue>): number | undefined {
    const { changes, lastInsertRowid } = this.statement(sql).run(...values)
    return Number(changes) === 0 ? undefined : Number(lastInsertRowid)
  }

  get(sql: string, ...values: ReadonlyArray<SQLInputValue>): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined
  }

  all(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> {
    return this.statement(sql).all(...values) as ReadonlyArray<Row>
  }

  /** Changes when another connection has written. */
  dataVersion(): number {
    return Number(this.get("PRAGMA data_version")!["data_version"])
  }

  /** Moves the whole log into the file and truncates it; false while another connection needs it. */
  emptiesLog(): boolean {
    return Number(this.get("PRAGMA wal_checkpoint(TRUNCATE)")!["busy"]) === 0
  }

  /** The number of rows this connection has changed so far. */
  changes(): number {
    return Number(this.get("SELECT total_changes() AS changes")!["changes"])
  }

  /** Runs work atomically. It takes the write lock first, so that no statement within can fail on it. */
  transaction<A>(work: () => A): A {
    this.run("BEGIN IMMEDIATE")
    try {
      const result = work()
      this.run("COMMIT")
      return result
    } catch (error) {
      // SQLite rolls back by itself on a full disk.
      if (this.connection.isTransaction) this.run("ROLLBACK")
      throw error
    }
  }

  close(): void {
    this.prepared.clear()
    this.connection.close()
  }

  private statement(sql: string): StatementSync {
    let statement = this.prepared.get(sql)
    if (statement === undefined) {
      statement = this.connection.prepare(sql)
      this.prepared.set(sql, statement)
    }
    return statement
  }
}

/** Loads `node:sqlite` without Node 22's warning that it is experimental. */
const sqlite = (): typeof Sqlite => {
  const warn = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: ReadonlyArray<never>) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) {
      ;(warn as (...given: ReadonlyArray<unknown>) => void)(warning, ...rest)
    }
  }) as typeof process.emitWarning
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = warn
  }
}
