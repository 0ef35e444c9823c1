/** Strict mode: accepts only valid JSON that fits the schema, without other text. */
import { validatorOf } from "@planloom/schema/ajv"
import type { Task } from "./Task.ts"
import { LocationIndex } from "./LocationIndex.ts"
import { duplicatesOf } from "./read/duplicates.ts"
import { Reader } from "./read/Reader.ts"
import { Source } from "./read/Source.ts"
import type { Failure, Json, Result } from "./Salvage.ts"
import { LimitExceeded } from "./read/LimitExceeded.ts"

export const strictParse = ({ text, schema, limits }: Task): Result => {
  const reject = (message: string, offset: number): Failure => ({
    ok: false,
    reasons: [{ message, at: new LocationIndex(text).at(offset) }],
    reasoning: "",
  })
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    const found = /position (\d+)/.exec((error as Error).message)
    return reject(
      `not valid JSON: ${(error as Error).message}`,
      found === null ? 0 : Number(found[1]),
    )
  }
  if (typeof value === "object" && value !== null) {
    const reader = new Reader(Source.whole(text, limits), text.search(/[[{]/))
    try {
      reader.run()
    } catch (error) {
      if (error instanceof LimitExceeded) return reject(error.message, error.at)
      throw error
    }
    const [twice] = duplicatesOf(reader.root)
    if (twice !== undefined) return reject("a name is duplicated", twice.by.start)
  }
  const issues = schema === undefined ? [] : validatorOf(schema)(value)
  if (issues.length === 0) return { ok: true, value, reasoning: "", repairs: [], complete: true }
  return {
    ok: false,
    reasons: issues.map(({ path, message }) => ({
      message: `${path === "" ? "the value" : path} ${message}`,
      path,
      at: new LocationIndex(text).at(0),
    })),
    reasoning: "",
    best: value,
  }
}
