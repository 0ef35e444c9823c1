/** Type inference: checked expressions evaluate, and failing ones are reported. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileNode } from "../evaluate/evaluate.ts"
import { ExpressionFailed } from "../evaluate/functions.ts"
import { infer } from "./infer.ts"
import type { Environment } from "./infer.ts"
import { parseExpression } from "../syntax/parse.ts"
import { describeType, fits } from "./Type.ts"
import type { Type } from "./Type.ts"
import { typeOfSchema, typeOfValue } from "./typeOfSchema.ts"
import { cases } from "../../../../../.config/cases.ts"

const row = {
  type: "object",
  properties: { id: { type: "string" }, n: { type: "integer" }, note: { type: "string" } },
  required: ["id", "n"],
} as const

const schema: JsonSchema = {
  type: "object",
  properties: {
    int: { type: "integer" },
    number: { type: "number" },
    text: { type: "string" },
    flag: { type: "boolean" },
    kind: { enum: ["bar", "line"] },
    maybe: { type: ["string", "null"] },
    ints: { type: "array", items: { type: "integer" } },
    rows: { type: "array", items: row },
    map: { type: "object", additionalProperties: { type: "number" } },
    mixed: { type: "array", items: { anyOf: [{ type: "integer" }, { type: "string" }] } },
    gone: { type: "string" },
    any: true,
  },
  required: [
    "int",
    "number",
    "text",
    "flag",
    "kind",
    "maybe",
    "ints",
    "rows",
    "map",
    "mixed",
    "any",
  ],
}

const environment: Environment = {
  roots: { v: { type: typeOfSchema(schema), optional: false } },
  unknownRoot: (name) => ({ code: "PL1101", message: `there is nothing called "${name}"` }),
}

const check = (text: string) => infer(parseExpression(text), text, environment)
const codes = (text: string): ReadonlyArray<string> => check(text).issues.map(({ code }) => code)

describe("the type of an expression", () => {
  it.each([
    ["v.int + 1", "a whole number"],
    ["v.int + 0.5", "a number"],
    ["v.int / 2", "a number"],
    ["v.text + 'a'", "text"],
    ["v.rows", "a list of objects with id, n, note"],
    ["v.rows.map(r, r.id)", "a list of texts"],
    ["v.rows.filter(r, r.n > 1)[0].id", "text"],
    ["v.rows.exists(r, r.id == 'a')", "true or false"],
    ["v.flag ? 1 : 'a'", 'a whole number or "a"'],
    ["v.kind", '"bar" or "line"'],
    ["v.maybe != null ? v.maybe : 'none'", "text"],
    ["v.map['x']", "a number"],
    ["[]", "an empty list"],
    ["[1] + []", "a list of whole numbers"],
    ['{"a": 1}.a', "a whole number"],
    ["v.ints.max()", "a whole number"],
    ["v.rows.map(r, [r.n]).flatten()", "a list of whole numbers"],
    ["v.ints.flatten().max()", "a whole number"],
    ["[[1], 'a'].flatten()", 'a list of a whole number or "a"'],
    ["has(v.gone) ? v.gone : ''", "text"],
    ["[{'a': 1}, {'a': 'x'}].map(o, o.a)", 'a list of a whole number or "x"'],
    [
      "[{'k': 'n', 'v': 1}, {'k': 't', 'v': 'x'}].map(o, o.k == 'n' ? o.v + 1 : 0)",
      "a list of whole numbers",
    ],
    [
      "[{'k': 'n', 'v': 1}, null].filter(o, o != null).map(o, o == null ? 'none' : o.k)",
      'a list of "none" or "n"',
    ],
    [
      "[{'k': 'n', 'v': 1}, {'k': 't', 'v': 'x'}].map(o, o.k != 'n' ? 0 : o.v + 1)",
      "a list of whole numbers",
    ],
    ["v.kind == 'bar' ? v.kind : 'bar'", '"bar" or "line"'],
    ["v.any.whatever", "any value"],
    ["values(v.map)", "a list of numbers"],
    ["size(v.text) + v.text.size()", "a whole number"],
    ["zip(v.rows, v.ints)", "a list of objects with first, second"],
    ["zip(v.rows, v.ints)[0].first.id", "text"],
    ["zip({'row': v.rows, 'score': v.ints}).map(p, p.score + p.row.n)", "a list of whole numbers"],
    ["range(3).map(i, v.rows[i].id)", "a list of texts"],
    ["indexed(v.rows)[0].item.n + indexed(v.rows)[0].index", "a whole number"],
    ["v.rows.sort_by('n', 'desc')", "a list of objects with id, n, note"],
    ["group_by(v.rows, 'n')[0].key", "a whole number"],
    ["group_by(v.rows, 'note')[0].key", "text or null"],
    ["group_by(v.rows, 'id')[0].items.map(r, r.n)", "a list of whole numbers"],
    ["key_by(v.rows, 'id')[v.text].n", "a whole number"],
    ["merge(v.rows[0], {'n': 'many', 'ok': true})", "an object with id, n, note, ok"],
    ["merge(v.rows[0], {'n': v.text}).n", "text"],
    ["merge({'note': 1}, v.rows[0]).note", "a whole number or text"],
    ["first(v.ints)", "a whole number"],
    ["first(v.ints, 'none')", 'a whole number or "none"'],
    ["to_number(v.text, null)", "a number or null"],
    ["avg(v.ints)", "a number"],
    ["round(v.number, 2)", "a number"],
    ["chunk(v.ints, 2)", "a list of lists of whole numbers"],
    ["entries(v.map)[0].value", "a number"],
    ["to_object(entries(v.map))[v.text]", "a number"],
    ["parse_json(v.text).whatever", "any value"],
  ])("of %s is %s", (text, expected) => {
    const { issues, type } = check(text)
    expect(issues).toEqual([])
    expect(describeType(type)).toBe(expected)
  })

  it.each([
    ["w", ["PL1101"]],
    ["v.itn", ["PL1201"]],
    ["v.rows.id", ["PL1201"]],
    ["v.rows[0].idd", ["PL1201"]],
    ["v.text.length()", ["PL1102"]],
    ["v.text + 1", ["PL1202"]],
    ["v.maybe + 'a'", ["PL1202"]],
    ["!v.int", ["PL1202"]],
    ["v.int && v.flag", ["PL1202"]],
    ["v.int ? 1 : 2", ["PL1202"]],
    ["v.rows['a']", ["PL1202"]],
    ["-v.text", ["PL1202"]],
    ["v.mixed[0] + 1", ["PL1202"]],
    ["size(v.int)", ["PL1203"]],
    ["v.text.startsWith()", ["PL1203"]],
    ["v.rows.sort_by('idd')", ["PL1201"]],
    ["v.rows.sort_by('n', 'descending')", ["PL1203"]],
    ["[{'a': [1]}].sort_by('a')", ["PL1203"]],
    ["v.ints.sort_by('n')", ["PL1203"]],
    ["group_by(v.rows, 'city')", ["PL1201"]],
    ["key_by(v.rows, 'key')", ["PL1201"]],
    ["zip(v.rows, v.text)", ["PL1203"]],
    ["zip({'a': v.text})", ["PL1203"]],
    ["zip(v.rows)", ["PL1203"]],
    ["zip(v.rows, v.ints).map(p, p.third)", ["PL1201"]],
    ["merge(v.rows[0], 1)", ["PL1203"]],
    ["merge(v.rows[0])", ["PL1203"]],
    ["merge(v.rows[0], {'a': 1}).b", ["PL1201"]],
    ["format('%q', [1])", ["PL1203"]],
    ["index_of(v.text, 1)", ["PL1203"]],
    ["range(0.5)", ["PL1203"]],
    ["avg(['a'])", ["PL1203"]],
    ["v.rows.map(r)", ["PL1203"]],
    ["v.rows.filter(r, r.n)", ["PL1203"]],
    ["v.int.map(r, r)", ["PL1203"]],
    ["v.ints.flatten().max().sort()", ["PL1203"]],
    ["has(v)", ["PL1203"]],
    ["v.kind == 'baz'", ["PL1205"]],
    ["v.text == 1", ["PL1205"]],
    ["v.gone", ["PL1206"]],
    ["v.text.matches('a')", ["PL1301"]],
    ["v.itn + v.txet", ["PL1201", "PL1201"]],
    ["v.rows.map(r, r.idd + r.nn)", ["PL1201", "PL1201"]],
    ["[{'k': 'n', 'v': 1}, {'k': 't', 'v': 'x'}].map(o, o.v + 1)", ["PL1202"]],
    ["[{'k': 'n', 'v': 1}, {'k': 't', 'v': 'x'}].map(o, o.k == 't' ? o.v + 1 : 0)", ["PL1202"]],
  ])("%s is reported", (text, expected) => {
    expect(codes(text)).toEqual(expected)
  })

  it.each([
    "has(v.gone) && v.gone != ''",
    "!has(v.gone) || v.gone != ''",
    "has(v.gone) && v.flag ? v.gone : ''",
    "!(!has(v.gone)) ? v.gone : ''",
    "v.maybe == null || v.maybe.size() > 1",
    "v.rows.filter(r, has(r.note)).map(r, r.id)",
    "v.rows.map(r, has(r.note) ? r.note : '')",
    "v.rows.map(r, has(r.note), r.note)",
  ])("a guarded read in %s is accepted", (text) => {
    expect(codes(text)).toEqual([])
  })

  it.each([
    "v.flag || has(v.gone) ? v.gone : ''",
    "has(v.gone) || v.gone != ''",
    "v.rows.map(r, !has(r.note), r.note)",
  ])("%s is not guarded", (text) => {
    expect(codes(text)).toEqual(["PL1206"])
  })
})

/** Generated expressions, well-typed or not. */
const anyExpression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1", "0.5", '"a"', '"bar"', "true", "null", "[]", "[1, 2]", '{"a": 1}'),
    fc.constantFrom(
      ...[
        "int",
        "number",
        "text",
        "flag",
        "kind",
        "maybe",
        "ints",
        "rows",
        "map",
        "mixed",
        "gone",
      ].map((name) => `v.${name}`),
    ),
    fc.constantFrom(
      "v.rows[0].id",
      "v.rows[0].note",
      "v.ints[0]",
      "v.map['a']",
      "v.mixed[0]",
      "v.maybe",
    ),
    fc
      .tuple(
        tie("node"),
        fc.constantFrom("+", "-", "*", "/", "%", "<", ">=", "==", "!=", "in", "&&", "||"),
        tie("node"),
      )
      .map((part) => `(${part.join(" ")})`),
    fc.tuple(fc.constantFrom("!", "-"), tie("node")).map(([sign, node]) => `${sign}(${node})`),
    fc.tuple(tie("node"), tie("node"), tie("node")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        fc.constantFrom(
          "size",
          "string",
          "json",
          "bullets",
          "double",
          "keys",
          "values",
          "sum",
          "min",
          "round",
          "avg",
          "first",
          "last",
          "indexed",
          "entries",
          "lower",
          "floor",
          "zip",
        ),
        tie("node"),
      )
      .map(([name, node]) => `${name}(${node})`),
    fc
      .tuple(
        tie("node"),
        fc.constantFrom("sort", "reverse", "distinct", "flatten", "join", "trim", "max"),
      )
      .map(([node, name]) => `(${node}).${name}()`),
    fc
      .tuple(
        tie("node"),
        fc.constantFrom(
          "startsWith",
          "contains",
          "split",
          "join",
          "zip",
          "merge",
          "first",
          "index_of",
          "to_number",
        ),
        tie("node"),
      )
      .map(([a, name, b]) => `(${a}).${name}(${b})`),
    fc
      .tuple(
        tie("node"),
        fc.constantFrom("sort_by", "group_by", "key_by"),
        fc.constantFrom("id", "n", "note"),
      )
      .map(([node, name, field]) => `(${node}).${name}("${field}")`),
    fc
      .tuple(
        tie("node"),
        fc.constantFrom("map", "filter", "all", "exists"),
        fc.constantFrom("x", "x > 1", "x.id", "x == 'a'", "has(x.note)"),
      )
      .map(([node, name, body]) => `(${node}).${name}(x, ${body})`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(${a})[${b}]`),
    fc.constantFrom("has(v.gone)", "v.maybe != null"),
  ),
})).node

const json = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> => value
const anyValue = fc.record({
  int: fc.integer({ min: -5, max: 5 }),
  number: fc.constantFrom(-1.5, 0, 0.5, 2, 3),
  text: fc.constantFrom("", "a", "bar"),
  flag: fc.boolean(),
  kind: fc.constantFrom("bar", "line"),
  maybe: fc.constantFrom(null, "a"),
  ints: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  rows: fc.array(
    fc.record(
      { id: fc.constantFrom("a", "b"), n: fc.integer({ min: 0, max: 3 }), note: fc.constant("n") },
      { requiredKeys: ["id", "n"] },
    ),
    { maxLength: 2 },
  ),
  map: fc.dictionary(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 3 })),
  mixed: fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b")), {
    maxLength: 3,
  }),
  any: json(fc.constantFrom<Json>(1, "a", null)),
})

/** Failures that types cannot exclude: index out of range, missing keys, division by zero, large numbers. */
const depends =
  /there is no \[|has no|division by zero|of an empty list|beyond ±2\^53|not a finite|is not a (whole )?number|outside of|lists of one length|no item has a field|found .* twice|needs a text or a number/

/** How an evaluation violates its inferred type. */
const wrongWith = (text: string, v: Json, type: Type): string | undefined => {
  try {
    const value = compileNode(parseExpression(text))({ v })
    return fits(typeOfValue(value), type)
      ? undefined
      : `${JSON.stringify(value)} is not ${describeType(type)}`
  } catch (error) {
    if (error instanceof ExpressionFailed && depends.test(error.message)) return undefined
    return String(error)
  }
}

describe("an expression that passes the check", () => {
  it("does not fail for type reasons, and its value has the inferred type", () => {
    let passed = 0
    fc.assert(
      fc.property(anyExpression, anyValue, (text, v) => {
        let tree
        try {
          tree = parseExpression(text)
        } catch {
          return
        }
        const { issues, type } = infer(tree, text, environment)
        if (issues.length > 0) return
        passed++
        expect({ text, wrong: wrongWith(text, v as Json, type) }).toEqual({
          text,
          wrong: undefined,
        })
      }),
      { numRuns: cases(6000) },
    )
    expect(passed).toBeGreaterThan(1000)
  })
})

it("explains a slice of a text by the function that takes one", () => {
  const help = "slice takes a list; of a text, write text.substring(start, end)"
  for (const source of ["v.text.slice(0, 2)", "v.any.slice(0, 2) + '…'"]) {
    expect(check(source).issues.map((issue) => issue.help)).toEqual([help])
  }
})
