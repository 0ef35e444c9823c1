/** The database of the service: opens the file, and makes schema and sample data on first use. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type * as Sqlite from "node:sqlite"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
import { sampleData } from "./sampleData.ts"
import { schema } from "./schema.ts"

/** Time to wait for another program's transaction. */
const LOCK_TIMEOUT_MS = 5_000

export type Row = { readonly [column: string]: string | number | null }

export class Database {
  private readonly connection: DatabaseSync

  /** Keeps its data in a file, or in memory with the path `:memory:`. */
  constructor(path: string) {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true })
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite") satisfies typeof Sqlite
    this.connection = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
    this.connection.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON")
    this.transaction(() => {
      const [version] = this.rows("PRAGMA user_version")
      if (version!["user_version"] !== 0) return
      this.connection.exec(schema)
      sampleData((sql, ...values) => void this.write(sql, ...values))
      this.connection.exec("PRAGMA user_version = 1")
    })
  }

  /** The rows of a query. Values reach the database as bound parameters only. */
  rows(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> {
    return this.connection.prepare(sql).all(...values) as ReadonlyArray<Row>
  }

  /** The first row of a query. */
  row(sql: string, ...values: ReadonlyArray<SQLInputValue>): Row | undefined {
    return this.rows(sql, ...values)[0]
  }

  /** Runs a statement; gives the id of an inserted row. */
  write(sql: string, ...values: ReadonlyArray<SQLInputValue>): number {
    return Number(this.connection.prepare(sql).run(...values).lastInsertRowid)
  }

  /** Holds the write lock from its start, so that what it reads is current; nothing of it stays if it throws. */
  transaction<A>(work: () => A): A {
    this.connection.exec("BEGIN IMMEDIATE")
    try {
      const result = work()
      this.connection.exec("COMMIT")
      return result
    } catch (error) {
      this.connection.exec("ROLLBACK")
      throw error
    }
  }

  close(): void {
    this.connection.close()
  }
}
