/** Whether two tables hold the same rows: numbers to nine digits, order only where it counts. */
import { assert } from "vitest"
import type { Json, JsonObject } from "@planloom/plugin/effect"

/** Sums of doubles may differ in their last digits by the order they are added in. */
const sameCell = (actual: Json | undefined, expected: Json): boolean => {
  if (typeof actual === "number" && expected !== null && expected !== "") {
    const wanted = Number(expected)
    return Math.abs(actual - wanted) <= Math.max(1e-9, Math.abs(wanted) * 1e-9)
  }
  return String(actual ?? null) === String(expected)
}

const sameRow = (actual: JsonObject, expected: JsonObject): boolean =>
  Object.entries(expected).every(([name, value]) => sameCell(actual[name], value))

const said = (rows: ReadonlyArray<JsonObject>): string =>
  rows
    .slice(0, 8)
    .map((row) => JSON.stringify(row))
    .join("\n")

/**
 * `actual.preview` holds the first rows of `actual.rows`; each must be one of the expected ones, none
 * twice, and their number must be the same. Of columns those the query names are compared.
 */
export const assertSameRows = (
  actual: { readonly rows: number; readonly preview: ReadonlyArray<JsonObject> },
  expected: ReadonlyArray<JsonObject>,
  ordered: boolean,
): void => {
  assert.strictEqual(actual.rows, expected.length, `rows; expected\n${said(expected)}`)
  const left = [...expected]
  for (const [at, row] of actual.preview.entries()) {
    const found = ordered
      ? sameRow(row, expected[at]!)
        ? 0
        : -1
      : left.findIndex((one) => sameRow(row, one))
    if (found < 0) {
      assert.fail(
        `row ${at} is ${JSON.stringify(row)}; expected\n${said(ordered ? expected.slice(at) : left)}`,
      )
    }
    left.splice(found, 1)
  }
}
