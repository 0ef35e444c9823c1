/** Writes the outputs of a run to files. */
import { mkdir, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"
import { csvOf, flatRows } from "@planloom/tables"
import * as Effect from "effect/Effect"
import { unwritten, type Refused } from "../Refused.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { mayWrite } from "../trust/mayWrite.ts"
import { fileOf, type OutputFile } from "./outputFile.ts"

/** Contains one folder per run, which is removed when the run is pruned. */
export const OUTPUTS = ".planloom/out"

/** Where outputs are written, and which files the run may read. */
export interface Target {
  readonly run: string
  /** Undefined: only charts and reports are written, to the run's own folder. */
  readonly folder: string | undefined
  readonly roots: ReadonlyArray<string>
}

/** Writes the text of an output, and flat rows as CSV, too. Returns the paths. */
const writePlain = async (
  base: string,
  value: Json,
  { ending, text }: OutputFile,
): Promise<string> => {
  const flat = flatRows(value)
  const files = [...(flat ? [{ ending: "csv", text: csvOf(flat) }] : []), { ending, text }]
  const paths = files.map((file) => `${base}.${file.ending}`)
  await Promise.all(files.map((file, index) => writeFile(paths[index]!, file.text)))
  return paths.join(", ")
}

/** Files of a table: one for spreadsheets, one with types. */
const tableFormats = ["csv", "parquet"] as const

const isTable = (value: Json): boolean => isJsonObject(value) && value["type"] === "table"

/** Writes all rows of a table. Undefined, with a warning, if they cannot be read again. */
const writeTable = async (
  name: string,
  value: Json,
  folder: string,
  roots: ReadonlyArray<string>,
): Promise<string | undefined> => {
  const { exportTable } = await import("@planloom/tools-data")
  const written = await Effect.runPromise(
    Effect.result(
      Effect.forEach(tableFormats, (format) =>
        exportTable(value, { folder: resolve(folder), name, format }, roots),
      ),
    ),
  )
  if (written._tag === "Success")
    return tableFormats.map((format) => join(folder, `${name}.${format}`)).join(", ")
  const { message } = written.failure
  say(stderr.style.warn(`${name}: only the first rows are written, as JSON: ${message}`))
  return undefined
}

/**
 * Writes `<output>.<extension>` to the folder and returns the paths by output name; a table becomes a CSV and a
 * Parquet file with all of its rows, a list of flat objects a CSV and a JSON file.
 */
export const writeOutputs = (
  outputs: JsonObject,
  { folder, roots, run }: Target,
): Effect.Effect<ReadonlyMap<string, string>, Refused> => {
  const files = Object.entries(outputs).flatMap(([name, value]) => {
    const file = fileOf(value, folder !== undefined)
    return file === undefined ? [] : [{ name, value, ...file }]
  })
  const allowed = folder === undefined ? Effect.void : mayWrite(folder, { typed: true })
  return Effect.andThen(
    allowed,
    Effect.tryPromise({
      try: async () => {
        const written = new Map<string, string>()
        if (files.length === 0) return written
        const into = folder ?? (await import("@planloom/core/internal")).runFolder(OUTPUTS, run)
        await mkdir(into, { recursive: true })
        for (const { ending, name, text, value } of files) {
          const tables = isTable(value) ? await writeTable(name, value, into, roots) : undefined
          written.set(name, tables ?? (await writePlain(join(into, name), value, { ending, text })))
        }
        return written
      },
      catch: (error) =>
        unwritten(
          `the outputs cannot be written${folder === undefined ? "" : ` to ${folder}`}`,
          error,
          "choose another folder with --out",
        ),
    }),
  )
}
