/** Results and failures of expressions, and agreement with another CEL implementation. */
import { Environment } from "@marcbachmann/cel-js"
import type { Json } from "@planloom/plugin/effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  unwrapExpression,
  compileExpression,
  compileValue,
  ExpressionFailed,
  literalEntries,
  withTextAt,
} from "./Expression.ts"
import { cases } from "../../../../.config/cases.ts"

const scope = {
  inputs: {
    x: 3,
    half: 0.5,
    name: "Ada",
    rows: [
      { id: "a", n: 1 },
      { id: "b", n: 2 },
    ],
    none: null,
  },
  stages: { plan: { output: { ok: true }, outcome: "success" }, skipped: { outcome: "skipped" } },
} satisfies { readonly [name: string]: Json }

const value = (text: string): Json => compileExpression(text).evaluate(scope)

describe("an expression", () => {
  it.each([
    ["inputs.x + 1", 4],
    ["inputs.x / 2", 1.5],
    ["int(inputs.x / 2)", 1],
    ["inputs.x == 3.0", true],
    ["-inputs.x % 2", -1],
    ["inputs.name + '!'", "Ada!"],
    ["[1] + [2, 3]", [1, 2, 3]],
    ["2 in [1, 2]", true],
    ["'name' in inputs", true],
    ["inputs.rows.filter(r, r.n > 1).map(r, r.id)", ["b"]],
    ["inputs.rows.map(r, r.n > 1, r.id)", ["b"]],
    ["inputs.rows.exists_one(r, r.n == 2)", true],
    [
      "inputs.rows.map(r, inputs.rows.map(s, r.n * s.n))",
      [
        [1, 2],
        [2, 4],
      ],
    ],
    ["inputs.none == null", true],
    ["inputs.none == 'x'", false],
    ["inputs.x > 2 ? 'many' : 'few'", "many"],
    ["has(stages.plan.output)", true],
    ["has(stages.skipped.output) || has(stages.never.output)", false],
    ['{"a": inputs.x, "b": [1]}', { a: 3, b: [1] }],
    ["size('añ😀')", 3],
    ["bullets(inputs.rows.map(r, r.id))", "- a\n- b"],
    ["json(inputs.rows[0])", '{"id":"a","n":1}'],
    ["[3, 1, 2].sort().reverse().slice(0, 2)", [3, 2]],
    ["[1, 2].slice(0, 5) + [1, 2].slice(5)", [1, 2]],
    ["inputs.rows.map(r, r.n).sum()", 3],
    ["[[1], [2]].flatten()", [1, 2]],
    ["'a,b'.split(',').join('-')", "a-b"],
    [String.raw`re_match("a.b", r"a\.b")`, true],
    ["size([1]) + [1].size() + 'ab'.size()", 4],
    ["zip(inputs.rows, ['x', 'y'])[1].second", "y"],
    ["range(2) + range(3, 5) + range(2, 1)", [0, 1, 3, 4]],
    ["inputs.rows.sort_by('n', 'desc').map(r, r.id)", ["b", "a"]],
    [
      "[{'n': 2}, {}, {'n': null}, {'n': 1}].sort_by('n', 'desc').map(r, has(r.n))",
      [true, true, false, true],
    ],
    [
      "[{'k': 1, 'v': 'a'}, {'k': 2, 'v': 'b'}, {'k': 1, 'v': 'c'}].group_by('k').map(g, g.items.map(i, i.v).join())",
      ["ac", "b"],
    ],
    [
      "[{'a': 1, 'b': 2}, {'b': 2, 'a': 1}, {'a': 2, 'b': 1}].distinct()",
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
    ],
    ["merge({'a': 1}, {'b': 2}, {'a': 3})", { a: 3, b: 2 }],
    ["'%d of %s: %.1f%% %x'.format([3, ['a'], 12.34, 255])", '3 of ["a"]: 12.3% ff'],
    ["to_number(' 1.5 ') + to_number('12 apples', 0)", 1.5],
    ["to_number(null, null)", null],
    ["first([], null)", null],
    ["last([null], 1)", null],
    ["round(1.005, 2)", 1.01],
    ["round(-2.5) + round(1e-7, 2)", -2],
    ["index_of([[1], {'a': 2}], {'a': 2})", 1],
    ["index_of('abc', 'd')", -1],
    ["merge({'__proto__': 1}, {'a': 2}).a", 2],
    ["// a comment\n1", 1],
  ] as ReadonlyArray<readonly [string, Json]>)("%s", (text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  it.each([
    ["inputs.y", "inputs has no y (in inputs.y)"],
    ["inputs.name.first", "inputs.name is a string, it has no first"],
    ["inputs.rows[2]", "inputs.rows has 2 items, there is no [2]"],
    ["1 / 0", "division by zero"],
    ["9007199254740991 + 1", "beyond ±2^53"],
    ["1 + 'a'", '"+" cannot add number and text'],
    ["inputs.x && true", "&& needs true or false, found number"],
    ["stages.never.output", "stages has no never"],
    ["[].max()", "max() of an empty list"],
    ["inputs.constructor", "inputs has no constructor"],
    ["inputs.rows.length", "inputs.rows has no length"],
    ["int('1.5')", "is not a whole number"],
    ["zip([1], [1, 2])", "zip() needs lists of one length: first has 1 items, second has 2"],
    ["zip({'a': [1], 'b': []})", "a has 1 items, b has 0"],
    ["range(1000000000)", "range() has at most 1,000,000 items"],
    ["parse_json('{a}')", 'this text is not JSON: "{a}"'],
    ["parse_json('1e999')", "too large"],
    ["parse_json('[')", "not JSON"],
    ["first([])", "first() of an empty list"],
    ["to_number('12 apples')", '"12 apples" is not a number'],
    ["key_by([{'id': 1}, {'id': 1}], 'id')", "key_by() found 1 twice"],
    ["inputs.rows.sort_by(inputs.name)", 'no item has a field "Ada"'],
    ["inputs.rows.sort_by('id', inputs.name)", 'the order is "asc" or "desc", not "Ada"'],
    ["[{'n': 1}, {'n': 'a'}].sort_by('n')", "have no order"],
    ["to_object([{'key': 'a', 'value': 1}, {'key': 'a', 'value': 2}])", 'the key "a" occurs twice'],
    ["'%s'.format([])", "needs a value for each"],
    ["'%s'.format([1, 2])", 'has 2 values for 1 "%…"'],
    ["'%d'.format(['a'])", '"%d" needs a number, found "a"'],
    ["chunk([1], 0)", "at least 1"],
    ["avg([])", "avg() of an empty list"],
    [
      "range(1000).map(x, 'ab').join('').replace('', 'x'.replace('x', range(9999).join('')))",
      "more than 16,000,000 characters",
    ],
    ["1 +", "a value is missing at the end"],
  ])("%s fails with a reason", (text, reason) => {
    expect(() => value(text)).toThrow(ExpressionFailed)
    expect(() => value(text)).toThrow(reason)
  })

  it("cannot reach prototypes", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(() => value(`inputs.${name}`)).toThrow(ExpressionFailed)
      expect(() => value(`inputs["${name}"]`)).toThrow(ExpressionFailed)
      expect(value(`has(inputs.${name})`)).toBe(false)
    }
  })

  it("matches a malicious regular expression in linear time", () => {
    const start = performance.now()
    expect(value(`re_match("${"a".repeat(2000)}!", "^(a+)+$")`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it("fails a comprehension that visits too many items", () => {
    const big = { xs: Array.from({ length: 1100 }, (_, index) => index) }
    const work = compileExpression("xs.map(a, xs.map(b, a + b))")
    expect(() => work.evaluate(big)).toThrow("items visited")
  })

  it("counts the items that functions visit", () => {
    const rows = { xs: Array.from({ length: 1100 }, (_, index) => index) }
    expect(() => compileExpression("xs.map(a, xs.sum())").evaluate(rows)).toThrow("items visited")
    expect(() => compileExpression("xs.map(a, range(1000))").evaluate(rows)).toThrow("visited")
    expect(compileExpression("xs.map(a, xs.size()).sum()").evaluate(rows)).toBe(1100 * 1100)
  })

  it("refuses JSON that is nested too deeply", () => {
    const deep = { text: `${"[".repeat(5000)}${"]".repeat(5000)}` }
    expect(() => compileExpression("parse_json(text)").evaluate(deep)).toThrow("nested deeper")
  })

  it("lists the paths it reads, without names it binds", () => {
    const { references } = compileExpression(
      'inputs.rows.filter(r, r.n > inputs.x).map(r, stages["plan"].output)',
    )
    expect(references).toEqual([
      ["inputs", "rows"],
      ["inputs", "x"],
      ["stages", "plan", "output"],
    ])
  })

  it("can be enclosed in a single ${{ }}", () => {
    expect(unwrapExpression("${{ inputs.fast }}").trim()).toBe("inputs.fast")
    expect(compileExpression("${{ inputs.x > 1 }}").evaluate(scope)).toBe(true)
  })
})

describe("a compiled value", () => {
  it("keeps the type of a text that is exactly one expression", () => {
    expect(compileValue("${{ inputs.rows }}").evaluate(scope)).toEqual(scope.inputs.rows)
    expect(compileValue({ a: ["${{ inputs.x }}", 1] }).evaluate(scope)).toEqual({ a: [3, 1] })
  })

  it("renders mixed text: texts unchanged, null as empty, JSON for other values", () => {
    const text = "${{ inputs.name }}: ${{ inputs.rows[0] }} ${{ inputs.none }}|"
    expect(compileValue(text).evaluate(scope)).toBe('Ada: {"id":"a","n":1} |')
  })

  it("is constant without expressions, with $${{ as the escape of ${{", () => {
    expect(compileValue({ a: [1, "b"] }).constant).toBe(true)
    expect(compileValue({ a: "$${{ x }}" }).evaluate({})).toEqual({ a: "${{ x }}" })
  })

  it("finds the end of an expression that contains braces and quotes", () => {
    expect(compileValue('${{ {"a": {"b": "}}"}}.a.b }}!').evaluate({})).toBe("}}!")
  })

  it("replaces the text at a path, and nothing where the path has no text", () => {
    const given = { a: [{ when: "x" }, { to: "y" }], b: 1 }
    expect(withTextAt(given, "a.0.when", (text) => text + "!")).toEqual({
      a: [{ when: "x!" }, { to: "y" }],
      b: 1,
    })
    for (const path of ["a.1.when", "a.7.when", "b", "b.c", "toString"]) {
      expect(withTextAt(given, path, () => "!")).toBe(given)
    }
  })

  it("returns its literal entries", () => {
    expect(literalEntries({ a: 1, b: "${{ inputs.x }}", c: { d: ["${{ inputs.x }}"] } })).toEqual({
      a: 1,
    })
  })
})

/** Well-typed expressions over numbers, texts and lists, as text. */
const expressions = fc.letrec<{ int: string; bool: string; text: string; list: string }>((tie) => ({
  int: fc.oneof(
    { depthSize: "small" },
    fc.integer({ min: -20, max: 20 }).map((n) => (n < 0 ? `(${n})` : String(n))),
    fc.constantFrom("v.a", "v.b"),
    fc
      .tuple(tie("int"), fc.constantFrom("+", "-", "*"), tie("int"))
      .map((part) => `(${part.join(" ")})`),
    tie("text").map((text) => `size(${text})`),
    tie("list").map((list) => `${list}.size()`),
    fc.tuple(tie("bool"), tie("int"), tie("int")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
  bool: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("true", "false", "v.yes"),
    fc
      .tuple(tie("int"), fc.constantFrom("<", "<=", ">", ">=", "==", "!="), tie("int"))
      .map((part) => `(${part.join(" ")})`),
    fc
      .tuple(tie("text"), fc.constantFrom("==", "<"), tie("text"))
      .map((part) => `(${part.join(" ")})`),
    fc
      .tuple(tie("bool"), fc.constantFrom("&&", "||"), tie("bool"))
      .map((part) => `(${part.join(" ")})`),
    tie("bool").map((bool) => `!${bool}`),
    fc.tuple(tie("int"), tie("list")).map(([item, list]) => `(${item} in ${list})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `${a}.contains(${b})`),
    fc.tuple(tie("list"), tie("bool")).map(([list, bool]) => `${list}.exists(x, x > 2 && ${bool})`),
    fc.tuple(tie("list"), tie("int")).map(([list, int]) => `${list}.all(x, x != ${int})`),
  ),
  text: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom('"a"', "'bc'", "v.s", '"\\u00e9\\n"', 'r"\\d"'),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `(${a} + ${b})`),
    tie("int").map((int) => `string(${int})`),
  ),
  list: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("v.xs", "[1, 2]"),
    fc.tuple(tie("int"), tie("int")).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `(${a} + ${b})`),
    fc.tuple(tie("list"), tie("int")).map(([list, int]) => `${list}.map(x, x + ${int})`),
    tie("list").map((list) => `${list}.filter(x, x % 2 == 0)`),
  ),
}))

describe("an expression and another CEL implementation", () => {
  const other = new Environment({ unlistedVariablesAreDyn: true })
  const ours = { v: { a: 3, b: -7, s: "abc", yes: true, xs: [1, 2, 3, 4] } }
  const theirs = { v: { a: 3n, b: -7n, s: "abc", yes: true, xs: [1n, 2n, 3n, 4n] } }
  const plain = (result: unknown): unknown =>
    typeof result === "bigint" ? Number(result) : Array.isArray(result) ? result.map(plain) : result

  it("have the same result", () => {
    fc.assert(
      fc.property(
        fc.oneof(expressions.int, expressions.bool, expressions.text, expressions.list),
        (text) => {
          // Deep towers of comprehensions are refused here, on purpose.
          fc.pre((text.match(/\.(map|filter|exists|all)\(/g) ?? []).length <= 2)
          let expected: unknown
          try {
            expected = plain(other.evaluate(text, theirs))
          } catch {
            // The other engine types `[1] + []` and the like more narrowly.
            return
          }
          const found = compileExpression(text).evaluate(ours)
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: cases(2000) },
    )
  })

  it.each([
    "1 +",
    "a b",
    "[1",
    "{1:",
    "a.",
    "in",
    "a ? b",
    "(1",
    "'x",
    "1 2",
    "a.1",
    "a..b",
    "&&",
    "x.map()",
  ])("both reject %s", (text) => {
    expect(() => other.evaluate(text, theirs)).toThrow(/./)
    expect(() => compileExpression(text).evaluate(ours)).toThrow(ExpressionFailed)
  })
})
