/** Runs the data analyst on a table in this process, and asks DuckDB the same directly. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { Effect, Exit, Scope } from "effect"
import type { JsonObject, Plugin, RunEvent } from "@planloom/plugin/effect"
import { closeSessions } from "@planloom/tools-data"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import type { LoadedWorkflow, RunResult } from "@planloom/core"
import type { QuestionedTable } from "./Question.ts"

const root = join(import.meta.dirname, "../../../../..")

const plugins: { readonly [name: string]: () => Promise<Plugin> } = {
  "@planloom/stages": async () => (await import("@planloom/stages")).default,
  "@planloom/analyst": async () => (await import("@planloom/analyst")).default,
  "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
  "@planloom/tools-data": async () => (await import("@planloom/tools-data")).default,
}

export interface Analyst {
  /** Ends in whatever way the run ends; never fails. */
  readonly ask: (
    question: string,
    data: string,
  ) => Promise<{ readonly result: RunResult; readonly events: ReadonlyArray<RunEvent> }>
  readonly close: () => Promise<void>
}

export const hireAnalyst = async (): Promise<Analyst> => {
  const scope = Scope.makeUnsafe()
  const loaded: LoadedWorkflow = await Effect.runPromise(
    Scope.provide(
      load(join(root, "workflows/data_analyst.yaml"), { plugins, roots: [tmpdir(), vegaDatasets] }),
      scope,
    ),
  )
  const workspace = mkdtempSync(join(tmpdir(), "questions-"))
  return {
    ask: async (question, data) => {
      const events: Array<RunEvent> = []
      const ending = run(
        loaded.pipeline,
        { question, data },
        { workspace, onEvent: (event) => events.push(event) },
      ).pipe(
        Effect.catchTag("RunFailed", ({ result }) => Effect.succeed(result)),
        Effect.orDie,
      )
      return { result: await Effect.runPromise(ending), events }
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      closeSessions()
      rmSync(workspace, { recursive: true, force: true })
    },
  }
}

const vegaDatasets = join(fileURLToPath(import.meta.resolve("vega-datasets")), "../../data")

const quoted = (path: string): string => `'${path.replaceAll("'", "''")}'`

export interface OpenTable {
  readonly path: string
  /** DuckDB's own answer, by a query that knows nothing of plans. */
  readonly query: (sql: string) => Promise<ReadonlyArray<JsonObject>>
  readonly close: () => void
}

/** The table's file, made first when it is a generated one. */
export const openTable = async (table: QuestionedTable): Promise<OpenTable> => {
  const connection: DuckDBConnection = await (await DuckDBInstance.create()).connect()
  const folder = mkdtempSync(join(tmpdir(), "tables-"))
  const folders = {
    examples: join(root, "examples/data"),
    "vega-datasets": vegaDatasets,
    generated: folder,
  }
  const path = join(folders[table.from], table.file)
  const { make } = table
  if (make !== undefined && "text" in make) writeFileSync(path, make.text)
  if (make !== undefined && "sql" in make)
    await connection.run(make.sql.replaceAll("$file", quoted(path)))
  await connection.run(`CREATE VIEW asked AS FROM ${table.read.replaceAll("$file", quoted(path))}`)
  return {
    path,
    query: async (sql) => {
      const reader = await connection.runAndReadAll(sql.replaceAll("$table", "asked"))
      return reader.getRowObjectsJson() as unknown as ReadonlyArray<JsonObject>
    },
    close: () => {
      connection.closeSync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
