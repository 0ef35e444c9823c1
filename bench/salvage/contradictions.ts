/** Rows of different suites that ask one reading of one text for two answers: no reader can give both. */
import { isDeepStrictEqual } from "node:util"
import { isSurvival, type Row, type Suite, wants } from "./Row.ts"

/**
 * For each such row, the rows of other suites that contradict it: the same text, schema and mode, and a value against a refusal or
 * against another value. Streaming and strict reading are options of their own: what is shown of a text that may still grow contradicts
 * only what else is shown, and a strict refusal contradicts a value only where the text is valid JSON, which strict readers read.
 */
export const contradictionsOf = (
  suites: ReadonlyArray<Suite>,
): ReadonlyMap<Row, ReadonlyArray<{ readonly suite: Suite; readonly row: Row }>> => {
  const alike = new Map<string, Array<{ suite: Suite; row: Row }>>()
  for (const suite of suites) {
    if (isSurvival(suite.name)) continue
    for (const row of suite.rows) {
      const question = JSON.stringify([
        row.text,
        says(row.schema),
        row.schema_mode ?? "",
        row.baml_type ?? "",
        row.kind.startsWith("partial"),
      ])
      alike.set(question, [...(alike.get(question) ?? []), { suite, row }])
    }
  }
  const found = new Map<Row, ReadonlyArray<{ suite: Suite; row: Row }>>()
  for (const rows of alike.values()) {
    for (const { suite, row } of rows) {
      const against = rows.filter(
        (other) => other.suite.file !== suite.file && areContrary(row, other.row),
      )
      if (against.length > 0) found.set(row, against)
    }
  }
  return found
}

/** A schema that allows anything asks for no more than none. */
const says = (schema: Row["schema"]) =>
  schema === undefined || Object.keys(schema).length === 0 ? null : schema

const areContrary = (a: Row, b: Row): boolean => {
  const isStrict = (row: Row) => row.kind === "strict_fail"
  if (isStrict(a) !== isStrict(b) && !isJson(a.text)) return false
  return !isDeepStrictEqual(wants(a), wants(b))
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
