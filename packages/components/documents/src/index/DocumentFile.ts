/** The SQLite file of an index: one writer, and readers that see whole files of a folder only. */
import { lstatSync, mkdirSync } from "node:fs"
import { basename, dirname } from "node:path"
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite"
import { vectorTableNames, vectorTables } from "../vectors/vectorTables.ts"
import { DocumentsFailed } from "./DocumentsFailed.ts"

export type Row = { readonly [column: string]: string | number | null }

/** Raised when the same files give other rows than before; an index with another number is built anew. */
const FORMAT = 7

/** Milliseconds that a write waits for another process. */
const BUSY_MS = 10_000

const tables = `
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE files (
  path TEXT PRIMARY KEY, modified REAL, stamp TEXT, settled INTEGER NOT NULL, mark TEXT,
  hash TEXT NOT NULL, problem TEXT, cut TEXT
);
CREATE TABLE chunks (
  rowid INTEGER PRIMARY KEY, path TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL,
  digest TEXT NOT NULL, headings TEXT NOT NULL, first_line INTEGER, last_line INTEGER,
  first_char INTEGER NOT NULL, last_char INTEGER NOT NULL, page INTEGER, lead TEXT, text TEXT NOT NULL,
  tokens INTEGER NOT NULL
);
CREATE INDEX chunks_by_path ON chunks (path, ordinal);
CREATE INDEX chunks_by_id ON chunks (id);
CREATE VIRTUAL TABLE words USING fts5 (
  headings, text, content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE spellings USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab ('spellings', 'row');
CREATE TABLE facets (
  name TEXT NOT NULL, value TEXT NOT NULL, folded TEXT NOT NULL, chunk INTEGER NOT NULL,
  PRIMARY KEY (name, value, chunk)
) WITHOUT ROWID;
CREATE INDEX facets_by_folded ON facets (name, folded);
CREATE INDEX facets_by_chunk ON facets (chunk);
CREATE TABLE columns (rowid INTEGER PRIMARY KEY, chunk INTEGER NOT NULL, name TEXT NOT NULL);
CREATE INDEX columns_by_chunk ON columns (chunk);
CREATE VIRTUAL TABLE column_words USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);`

export class DocumentFile {
  private readonly connection: DatabaseSync
  private readonly prepared = new Map<string, StatementSync>()

  /** Makes the file and its folder. Fails with `DocumentsFailed` if the file is not a database or cannot be written. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // A repository may bring one that leads anywhere.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new DocumentsFailed(`the index ${basename(path)} is a link: delete it`)
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    this.connection = new DatabaseSync(path, { timeout: BUSY_MS })
    try {
      // What is deleted is overwritten: it may be about a person.
      this.connection.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON",
      )
      if (this.format() !== FORMAT) this.write(() => this.format() === FORMAT || this.create())
    } catch (error) {
      this.connection.close()
      throw new DocumentsFailed(
        `the index ${basename(path)} cannot be opened (${(error as Error).message}): delete it, and it is built anew`,
      )
    }
  }

  run(sql: string, ...values: ReadonlyArray<SQLInputValue>): number {
    return Number(this.statement(sql).run(...values).lastInsertRowid)
  }

  get(sql: string, ...values: ReadonlyArray<SQLInputValue>): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined
  }

  all(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> {
    return this.statement(sql).all(...values) as ReadonlyArray<Row>
  }

  /** Row by row, for what does not fit into memory; blobs are bytes. */
  each(
    sql: string,
    ...values: ReadonlyArray<SQLInputValue>
  ): Iterable<{ readonly [column: string]: SQLOutputValue }> {
    return this.statement(sql).iterate(...values)
  }

  /** All or nothing. The write lock is taken first, so that no statement within can fail on it. */
  write<A>(work: () => A): A {
    return this.within("BEGIN IMMEDIATE", work)
  }

  /** All statements see the same state, whatever another process writes. */
  read<A>(work: () => A): A {
    return this.within("BEGIN", work)
  }

  /** Removes what is left of deleted passages: words in the full-text tables, and pages in the log beside the file. */
  purge(): void {
    this.write(() => {
      for (const table of ["words", "spellings", "column_words"])
        this.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
    })
    this.connection.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  close(): void {
    this.prepared.clear()
    this.connection.close()
  }

  private within<A>(begin: string, work: () => A): A {
    this.connection.exec(begin)
    try {
      const result = work()
      this.connection.exec("COMMIT")
      return result
    } catch (error) {
      // SQLite rolls back by itself on a full disk.
      if (this.connection.isTransaction) this.connection.exec("ROLLBACK")
      throw error
    }
  }

  private format(): number {
    return Number(this.get("PRAGMA user_version")!["user_version"])
  }

  private create(): void {
    for (const table of [
      "facts",
      "files",
      "chunks",
      "words",
      "vocabulary",
      "spellings",
      "facets",
      "columns",
      "column_words",
      ...vectorTableNames,
    ])
      this.connection.exec(`DROP TABLE IF EXISTS ${table}`)
    this.connection.exec(`${tables}${vectorTables}; PRAGMA user_version = ${FORMAT}`)
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
