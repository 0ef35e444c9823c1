/** Calling tools in tests, and asking DuckDB the same by another way. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { source } from "../src/source.ts"
import type { Table } from "../src/table/Table.ts"
import { eachFile } from "../../../../.config/eachFile.ts"

export const folder = mkdtempSync(path.join(tmpdir(), "planloom-tools-data-test-"))

await eachFile({
  start: () => mkdirSync(folder, { recursive: true }),
  end: () => rmSync(folder, { recursive: true, force: true }),
})

/** Writes a file for a test and gives its path. */
export const given = (name: string, content: string | Uint8Array): string => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

export const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../examples/data/${name}`, import.meta.url))

export const sales = example("sales.csv")

export const invoke = (tool: string, params: JsonObject, inputs: JsonObject = {}) =>
  source.call({
    tool,
    params,
    inputs,
    key: "test",
    workspace: path.join(folder, "workspace"),
    roots: [folder, example("")],
    index: () => Effect.die("there is no index"),
    user: {},
    variant: () => undefined,
    askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
    note: () => Effect.void,
    progress: () => Effect.void,
  })

/** The result as a JSON reader sees it. */
export const call = async (tool: string, params: JsonObject, inputs: JsonObject = {}) =>
  JSON.parse(
    JSON.stringify((await Effect.runPromise(invoke(tool, params, inputs))).value),
  ) as JsonObject

export const callTable = async (tool: string, params: JsonObject, table: Json) =>
  (await call(tool, params, { table })) as unknown as Table

export const failure = (tool: string, params: JsonObject, inputs: JsonObject = {}) =>
  Effect.runPromise(Effect.flip(invoke(tool, params, inputs)))

const examples = new Map<string, Promise<JsonObject>>()

/** The profile of a file; that of an example is made once. */
export const open = (file: string): Promise<JsonObject> => {
  if (file.startsWith(folder)) return call("describe", { path: file })
  const known = examples.get(file) ?? call("describe", { path: file })
  examples.set(file, known)
  return known
}

/** A statement written by hand, run on a connection of its own. */
export const independently = async (sql: string): Promise<ReadonlyArray<JsonObject>> => {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(sql)
    return reader.getRowObjectsJson() as ReadonlyArray<JsonObject>
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
