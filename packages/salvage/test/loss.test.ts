/** Repairs marked as a loss: callers must know that the value may lack data. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import type { Schema } from "../src/Salvage.ts"

const closed: Schema = {
  type: "object",
  properties: { steps: { type: "array", items: { type: "object" } } },
  additionalProperties: false,
}

const lossesOf = (text: string, schema?: Schema): ReadonlyArray<string> | undefined => {
  const result = parse(text, schema)
  return result.ok
    ? result.repairs.filter(({ loss }) => loss === true).map(({ kind }) => kind)
    : undefined
}

const losses: ReadonlyArray<readonly [why: string, text: string, kind: string, schema?: Schema]> = [
  ["words in a document belong to nothing", '{"a": true, see "b": 1}', "dropped_text"],
  ["a name is given twice with two values", '{"a": 1, b: 2, "a": 3}', "duplicate_key"],
  ["valid JSON gives a name twice", '{"a": 1, "a": 3}', "duplicate_key"],
  ["items are left out by an ellipsis", "[1, 2, ...]", "ellipsis"],
  ["a number is too large", "[1e999]", "not_finite"],
  [
    "a list is no member of the schema",
    '{"steps": [{"id": 1}], "more": [{"id": 2}]}',
    "dropped_member",
    closed,
  ],
  [
    "one closer too many ends the document before an item",
    '{"steps": [{"id": 1}]}, {"id": 2}]}',
    "other_candidate",
    closed,
  ],
]

const harmless: ReadonlyArray<readonly [why: string, text: string, schema?: Schema]> = [
  ["words stand around", 'Here: {"a": 1,} as you asked.'],
  ["a comment stands inside", '{"a": 1, // the first\n}'],
  ["a name is given twice with one value", '{"a": 1, b: 2, "a": 1}'],
  [
    "a draft in prose is passed over",
    'No {"steps": []} but\n```json\n{"steps": [{}]}\n```',
    closed,
  ],
  ["the document is given again", '{"steps": [{"id": 1}]}\n{"steps": [{"id": 1}]}', closed],
  ["a remark is no member of the schema", '{"steps": [], "sure": 0.9}', closed],
  ["closers were lost between items", '[{"a": {"b": 1}, {"a": {"b": 2}]'],
]

describe("a repair is marked as a loss if", () => {
  it.each(losses.map(([why, text, kind, schema]) => ({ why, text, kind, schema })))(
    "$why",
    ({ kind, schema, text }) => {
      expect(lossesOf(text, schema)).toEqual([kind])
    },
  )
})

describe("no repair is marked as a loss if", () => {
  it.each(harmless.map(([why, text, schema]) => ({ why, text, schema })))(
    "$why",
    ({ schema, text }) => {
      expect(lossesOf(text, schema)).toEqual([])
    },
  )
})
