/** Syntax that models write instead of JSON, by class; no text is from a public suite. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import type { Json } from "../src/Salvage.ts"

type Case = readonly [text: string, value: Json, ...kinds: ReadonlyArray<string>]

const classes: { readonly [name: string]: ReadonlyArray<Case> } = {
  "fences and prose": [
    ['Sure!\n```json\n{"city": "Oslo"}\n```\nAnything else?', { city: "Oslo" }, "fence"],
    ['~~~\n["a"]\n~~~', ["a"], "fence"],
    ['```JSON5\n{city: "Oslo"}', { city: "Oslo" }, "fence"],
    ['The plan is {"city": "Oslo"} as agreed.', { city: "Oslo" }, "surrounding_text"],
    ['Use [1] as the source. Result: {"city": "Oslo", "days": 3}', { city: "Oslo", days: 3 }],
    ['const plan = {"city": "Oslo"};', { city: "Oslo" }],
    ['<tool_call>{"name": "book"}</tool_call>', { name: "book" }],
    ['handle({"city": "Oslo"});', { city: "Oslo" }],
    ['Is it {"city": "Oslo"}? Yes: {"city": "Bergen"}', { city: "Bergen" }],
    ['[/INST] {"city": "Oslo"}</s>', { city: "Oslo" }],
    ['Take {,"city": "Oslo"} then', { city: "Oslo" }, "extra_comma"],
    ['{"md": "```js\\nf()\\n```", "n": 1,}', { md: "```js\nf()\n```", n: 1 }],
  ],
  commas: [
    ['{"a": 1, "b": [1, 2,],}', { a: 1, b: [1, 2] }, "extra_comma"],
    ["[, 1,, 2]", [1, 2], "extra_comma"],
    ['{"a": 1 "b": 2}', { a: 1, b: 2 }, "missing_comma"],
    ['{"a": "x"\n"b": "y"}', { a: "x", b: "y" }, "missing_comma"],
    ["[1 2 3]", [1, 2, 3], "missing_comma"],
    ['[{"a": 1}\n{"a": 2}]', [{ a: 1 }, { a: 2 }], "missing_comma"],
    ['{"a": 1; "b": 2}', { a: 1, b: 2 }],
    ['{"a", "b"}', ["a", "b"], "tuple"],
    ['{"a": 1， "b": "x"、 "c": [1， 2]； "d": true}', { a: 1, b: "x", c: [1, 2], d: true }],
    ["[1; 2; 3]", [1, 2, 3]],
    ["[5 true null]", [5, true, null], "missing_comma"],
    ["[true -1.5 None, 2 false]", [true, -1.5, null, 2, false], "missing_comma"],
    ["[5 true stories, null and void]", ["5 true stories", "null and void"], "unquoted_text"],
    ['{"a": ["x" 533 false] "b": "y"}', { a: ["x", 533, false], b: "y" }, "missing_comma"],
    ['["the "x" 5 true]", 1]', ['the "x" 5 true]', 1], "inner_quote"],
    ['[{"a": 1}true]', [{ a: 1 }, true], "missing_comma"],
    ['["a""b""c"]', ["a", "b", "c"], "missing_comma"],
    ['{"a": 1"b": true"c": null"d": [1]"e": 2}', { a: 1, b: true, c: null, d: [1], e: 2 }],
  ],
  comments: [
    ['{// first\n"a": 1, /* second */ "b": 2 # third\n}', { a: 1, b: 2 }, "comment"],
    ['{"a": 1 <!-- why --> }', { a: 1 }, "comment"],
    [
      '{"url": "https://oslo.no/#top", "glob": "/* not a comment */",}',
      { url: "https://oslo.no/#top", glob: "/* not a comment */" },
    ],
  ],
  quotes: [
    ["{'a': 'it\\'s', 'b': 'x'}", { a: "it's", b: "x" }, "other_quotes"],
    ["{'a': 'it's fine', 'b': 2}", { a: "it's fine", b: 2 }, "inner_quote"],
    ["{“a”: “x”}", { a: "x" }, "other_quotes"],
    ["{`a`: `x`}", { a: "x" }, "other_quotes"],
    [
      '{"a": "She said "go" and left", "b": 1}',
      { a: 'She said "go" and left', b: 1 },
      "inner_quote",
    ],
    ['["one "two" three", "four"]', ['one "two" three', "four"], "inner_quote"],
    ['["a 19" screen", "desk"]', ['a 19" screen', "desk"], "inner_quote"],
    ['{"pattern": "a[\'"]b", "n": 1}', { pattern: "a['\"]b", n: 1 }, "inner_quote"],
    [
      '{"rules": [{"pattern": "[\'"]\\\\s*,", "n": 1}, {"pattern": "[\'"]}", "n": 2}, {"pattern": "{"}x$"}]}',
      {
        rules: [{ pattern: "['\"]\\s*,", n: 1 }, { pattern: "['\"]}", n: 2 }, { pattern: '{"}x$' }],
      },
      "inner_quote",
    ],
    ['{"a": "say\n"x\n"\n", "b": 1}', { a: 'say\n"x\n"', b: 1 }, "inner_quote"],
    ['{"a": "x, "b": "y"}', { a: "x", b: "y" }, "missing_quote"],
    ['{"a": "x}', { a: "x" }, "missing_quote"],
    ['{a": 1, "b: 2}', { a: 1, b: 2 }],
    ['{"a: 1,\n"b": 2, "c: [3]}', { a: 1, b: 2, c: [3] }, "missing_quote"],
    ['{"a: "# one"}', { a: "# one" }, "missing_quote"],
    ['{\n  "b": 2,\n  "a: ["// one"]\n}', { b: 2, a: ["// one"] }, "missing_quote"],
    ['{"a" # one\n: 1}', { a: 1 }, "comment"],
    ['{"a": ["x", "y], "b": 1}', { a: ["x", "y"], b: 1 }, "missing_quote"],
    ['{"a": [{"b": "x\n  }\n], "c": 1}', { a: [{ b: "x" }], c: 1 }, "missing_quote"],
    ['{"a": "f(x[0]), "b": 1}', { a: "f(x[0])", b: 1 }, "missing_quote"],
    ['["x", y z", "w"]', ["x", "y z", "w"], "missing_quote"],
    ['{"a = 1, "b => "x"}', { a: 1, b: "x" }, "missing_quote"],
    ['{"a": """two\nlines"""}', { a: "two\nlines" }, "other_quotes"],
    [
      '{"a": "two\nlines", "b": "tab\there"}',
      { a: "two\nlines", b: "tab\there" },
      "control_character",
    ],
  ],
  names: [
    [
      "{a: 1, b-c: 2, $d: 3, ünï: 4, 5: 6}",
      { a: 1, "b-c": 2, $d: 3, ünï: 4, "5": 6 },
      "unquoted_key",
    ],
    ['{"a" = 1, "b" => 2, "c" := 3, d -> 4}', { a: 1, b: 2, c: 3, d: 4 }, "other_colon"],
    ['{"a" 1, "b" "x"}', { a: 1, b: "x" }, "missing_colon"],
    ['{"a": "x""b": "y""c": 1}', { a: "x", b: "y", c: 1 }, "missing_comma"],
  ],
  literals: [
    ["{'a': True, 'b': None, 'c': False}", { a: true, b: null, c: false }, "other_literal"],
    ["[undefined, NULL, nil, TRUE]", [null, null, null, true], "other_literal"],
    ["[NaN, Infinity, -Infinity]", [null, null, null], "not_finite"],
    ["[0x1F, +2, .5, 3., 1_000, 007]", [31, 2, 0.5, 3, 1000, "007"], "other_number"],
    ["(1, 'x')", [1, "x"], "tuple"],
    ["{'a': (1, 2), 'b': {3, 4}}", { a: [1, 2], b: [3, 4] }, "tuple"],
    [
      "((1, 2), (3, 4))",
      [
        [1, 2],
        [3, 4],
      ],
      "tuple",
    ],
    [
      "{'a': ((1, 2), (3, 4)), 'b': ()}",
      {
        a: [
          [1, 2],
          [3, 4],
        ],
        b: [],
      },
      "tuple",
    ],
    ['{"id": ObjectId("5f"), "at": Date("2024-01-02")}', { id: "5f", at: "2024-01-02" }, "call"],
  ],
  "text without quotes": [
    ["{city: New Oslo, days: 3 days}", { city: "New Oslo", days: "3 days" }, "unquoted_text"],
    ["[north, south west]", ["north", "south west"], "unquoted_text"],
    [
      "{\n  a: one line\n  and two,\n  b: 1\n}",
      { a: "one line\n  and two", b: 1 },
      "unquoted_text",
    ],
    ['{"a": one line\nand two\n"b": 1\nc: x\n}', { a: "one line\nand two", b: 1, c: "x" }],
    ["{note: see https://oslo.no/x, n: 1}", { note: "see https://oslo.no/x", n: 1 }],
    ['{"v": 1.2.3, "when": 2024-05-06T07:08:09Z}', { v: "1.2.3", when: "2024-05-06T07:08:09Z" }],
  ],
  brackets: [
    ['{"a": [1, 2, "b": 3}', { a: [1, 2], b: 3 }, "missing_closer"],
    ['[1, 2, "b": 3]', [1, 2, { b: 3 }], "extra_opener"],
    ['{"a": "x"], "b": 1}', { a: "x", b: 1 }, "extra_closer"],
    ['{"a": "x"]', { a: "x" }, "swapped_closer"],
    ['{"a": {"l": [{"b": 1}}, {"b": 2}]}, "c": 3}', { a: { l: [{ b: 1 }, { b: 2 }] }, c: 3 }],
    ['{"a": {"l": [{"b": 1}}]}, "c": 3}', { a: { l: [{ b: 1 }] }, c: 3 }, "extra_closer"],
    ['{"a": [1], "b" true, "c": [2], "d: 4, "e": 5}', { a: [1], b: true, c: [2], d: 4, e: 5 }],
    ['{"a": [1, 2}, "b": 3}', { a: [1, 2], b: 3 }, "swapped_closer"],
    ['{"a": {"b": 1], "c": 2}', { a: { b: 1 }, c: 2 }],
    ['{"a": [[1]], [2]], "b": 4}', { a: [[1], [2]], b: 4 }, "extra_closer"],
    ['{"a": {"b": 1}}, "c": 2}', { a: { b: 1 }, c: 2 }, "extra_closer"],
    ['[{"a": 1}}, {"a": 2}]', [{ a: 1 }, { a: 2 }], "extra_closer"],
    ['[{"a": 1, {"a": 2}]', [{ a: 1 }, { a: 2 }], "missing_closer"],
    ['{"l": [{"a": {"b": 1}, {"a": {"b": 2}}]}', { l: [{ a: { b: 1 } }, { a: { b: 2 } }] }],
    ['{"l": [{"a": [1, 2], {"a": [3]}], "n": 4}', { l: [{ a: [1, 2] }, { a: [3] }], n: 4 }],
    ['[[{"a": 1, {"a": 2}], [{"a": 3}]]', [[{ a: 1 }, { a: 2 }], [{ a: 3 }]]],
    ['[[{"a": 1}, {"a": {"b": 2, [{"a": 3}]]', [[{ a: 1 }, { a: { b: 2 } }], [{ a: 3 }]]],
    ['{{"a": 1}}', { a: 1 }, "extra_opener"],
    [
      '[{"a": {"q": "x"[}}, {"a": {"q": "y"}}]',
      [{ a: { q: "x" } }, { a: { q: "y" } }],
      "extra_opener",
    ],
    [
      '[{"a": "x", "b": "y"{}, {"a": "z", "b": "w"}]',
      [
        { a: "x", b: "y" },
        { a: "z", b: "w" },
      ],
    ],
    [
      '[{"a": {"q": "x"[}, {"a": {"q": "y"}}]',
      [{ a: { q: "x" } }, { a: { q: "y" } }],
      "swapped_closer",
    ],
    ['[{"a": }"q": "x"}}, {"a": {"q": "y"}}]', [{ a: { q: "x" } }, { a: { q: "y" } }]],
    ['{"a"{: 1, "b": 2}', { a: 1, b: 2 }, "extra_opener"],
    ['{"a": [1], {"b": {"c": 2}}', { a: [1], b: { c: 2 } }, "extra_opener"],
    ['{"a": 1, ["b": [2]}', { a: 1, b: [2] }, "extra_opener"],
    ['{"a": {"b": 1, {"c": 2}}', { a: { b: 1, c: 2 } }, "extra_opener"],
    ['"a": "<think>x</think>", "b": [1]}', { a: "<think>x</think>", b: [1] }, "missing_opener"],
    [
      '[{"a": {"x", "b": 1}, {"a": "y", "b": 2}]',
      [
        { a: "x", b: 1 },
        { a: "y", b: 2 },
      ],
    ],
  ],
  "the rest": [
    ['\ufeff{"a": 1}', { a: 1 }],
    ['{"a":\u00a01,\u200b"b": 2}', { a: 1, b: 2 }],
    ['{\\"a\\": \\"x\\",\\n \\"b\\": 2}', { a: "x", b: 2 }, "escaped_quotes"],
    ['"{\\"a\\": [1]}"', { a: [1] }, "double_encoded"],
    ['{\\n  "a": 1,\\n  "b": [\\n    "x"\\n  ]\\n}', { a: 1, b: ["x"] }],
    [
      "{&quot;a&quot;: &quot;x &amp; y&quot;, &#34;b&#x22;: [1,]}",
      { a: "x & y", b: [1] },
      "entities",
    ],
    ['{""a"": ""x, y"", ""b"": [""z"", """"], ""c"": 1}', { a: "x, y", b: ["z", ""], c: 1 }],
    ['[""a"", ""b""]', ["a", "b"], "escaped_quotes"],
    ['[{"a": 1} + "x"]', [{ a: 1 }, "x"], "dropped_text"],
    ['// plan\n{"a": 1,}', { a: 1 }, "comment"],
    ['{"a": 1} as of today', { a: 1 }, "surrounding_text"],
    ['{"a": "x" + "y"}', { a: "xy" }, "joined_strings"],
    ['\\{"a": "x", "b": \\[1, \\{\\}\\]\\}', { a: "x", b: [1, {}] }],
    ['{"a": 1, "b": 2, "a": 3}', { a: 3, b: 2 }, "duplicate_key"],
    ['{"a": {"b": 1, b: 2}}', { a: { b: 2 } }, "duplicate_key"],
    ['{"a": 1} and {"b', { a: 1 }, "other_candidate"],
    ["[1, 2, ...]", [1, 2], "ellipsis"],
    ['{"re": "\\d+\\.\\w"}', { re: "\\d+\\.\\w" }, "bad_escape"],
    ['{"a": 1}\n{"a": 2}', [{ a: 1 }, { a: 2 }], "sequence"],
    ['[{"a": 1}][{"a": 2}]', [[{ a: 1 }], [{ a: 2 }]], "sequence"],
    ['[{"a": 1}][{"b": 2}]', [[{ a: 1 }], [{ b: 2 }]], "sequence"],
    ['{"a":, "b": 2}', { a: null, b: 2 }, "missing_value"],
  ],
}

describe.each(Object.entries(classes))("%s", (_name, cases) => {
  it.each(cases.map(([text, value, ...kinds]) => ({ text, value, kinds })))(
    "reads $text",
    ({ text, value, kinds }) => {
      const result = parse(text)
      expect(result).toMatchObject({ ok: true, value })
      const repairKinds = result.ok ? result.repairs.map(({ kind }) => kind) : []
      expect(repairKinds).toEqual(expect.arrayContaining([...kinds]))
    },
  )
})

describe("cut text", () => {
  const cut: ReadonlyArray<{ readonly text: string; readonly value: Json }> = [
    { text: '{"a": 1, "b": [1, {"c": "x', value: { a: 1, b: [1, { c: "x" }] } },
    { text: '{"a": tr', value: { a: true } },
    { text: '{"a": 12.', value: { a: 12 } },
    { text: '{"a": "caf\\u00', value: { a: "caf" } },
    { text: '```json\n{"a": [1,', value: { a: [1] } },
  ]
  it.each(cut)("returns the value of $text so far, marked as incomplete", ({ text, value }) => {
    expect(parse(text)).toMatchObject({ ok: true, value, complete: false })
  })
})

describe("locations of repairs", () => {
  it("refer to the given text, also for text with HTML entities", () => {
    const text = "{&quot;a&quot;: 1,\n&quot;b&quot;: True}"
    const result = parse(text)
    const repair = result.ok
      ? result.repairs.find(({ kind }) => kind === "other_literal")
      : undefined
    expect(repair?.at).toEqual({ offset: text.indexOf("True"), line: 2, column: 16 })
  })
})
