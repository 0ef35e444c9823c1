/** Repairs marked as a loss: callers must know that the value may lack data. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import type { Schema } from "../src/Salvage.ts"

const closed: Schema = {
  type: "object",
  properties: { steps: { type: "array", items: { type: "object" } } },
  additionalProperties: false,
}

const either: Schema = {
  type: "object",
  properties: { a: { type: "integer" }, b: { type: "integer" } },
}

const strings: Schema = { type: "array", items: { type: "string" } }

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
  [
    "a closer behind the document may be that of an object to which an unknown member belongs",
    '{"steps": [{"id": 1, "part": {}}], "note": "x"}}',
    "dropped_member",
    closed,
  ],
  ["the rest of an object stands behind it", '{"id": 1} "name": "Ann"}', "surrounding_text"],
  ["a name without its colon stands behind it", '{"id": 1}, "name" "Ann"}', "surrounding_text"],
  [
    "an item stands behind a list that is closed twice",
    '[{"step": "a"}] {"step": "b"}]',
    "other_candidate",
    { type: "array", items: { type: "object" } },
  ],
  ["a list of candidates leaves a closer over", '[{"step": "a"}] {"step": "b"}]', "sequence"],
  [
    "a text holds the next item of its list",
    '[{"a": "x", "b": {"q": "x"[[}}, {"a": "y", "b": {"q": "y"}}]',
    "inner_quote",
  ],
  ["a name holds the value behind it", '{"a"[[: "x", "b": 1}', "inner_quote"],
  ["words hold an opening bracket", "[[true[], 1], [false]]", "unquoted_text"],
  ["a text without its last quote holds a closer", '"a": 1}', "missing_quote"],
  ["words in place of a list hold a piece of one", ']"line 1", "line 2"]', "to_array", strings],
  ["a stray opener may part one object", '{"a": 1 {"b": 2}', "sequence"],
  ["a stray opener parts an object of a schema", '{"a": 1 {"b": 2}', "other_candidate", either],
  ["a colon belongs to no name", '{"a": 1, : "b": 2}', "dropped_text"],
  ["a text was read without a quote that it has", '{"key": "see \\"x\\","]}', "missing_quote"],
  [
    "a name before the answer may be a member of an object that lacks its opener",
    'The plan is "a": {"b": 1}, "c": 2} as asked.',
    "extra_closer",
  ],
  ["what seems to be a comment is part of a text", '[]"a/*b*/c//e"]', "surrounding_text"],
  ["a closer is in place of an opener", '[{"a": 1, "b": }"c": 2}]', "missing_comma"],
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
  ["words in brackets stand around", 'See [a] and {b}: {"a": 1} as [in] (c).'],
  ["a label stands before it", 'The "plan": {"a": 1}'],
  ["a comment around it holds members", '// "b": 2}\n{"a": 1}\n/* "c": 3} */'],
  ["a closer too many ends the text", '{"a": {"b": 1}}}'],
  ["a text quotes words and brackets", '{"a": "see "x" [1] and "y" {z}", "b": 1}'],
  ["a text for a schema of texts holds a bracket", "see [1 and 2", { type: "string" }],
  ["an empty object lacks its comma", '{"a": {} "b": 1}'],
  ["a remark is no member of the schema", '{"steps": [], "sure": 0.9}', closed],
  ["an opener is in place of a name", '{"a": 1, {"b": 2, "c": 3}'],
  ["an object lacks its closer before another one like it", '{"a": 1\n{"a": 2}'],
  ["an opener without anything stands behind the answer", "[1, 2]{"],
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
