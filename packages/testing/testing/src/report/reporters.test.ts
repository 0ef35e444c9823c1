/** The three reporters on one set of reports. */
import { assert, describe, it } from "@effect/vitest"
import type { Diagnostic, SourceFile } from "@planloom/language"
import { junit } from "./junit.ts"
import { json } from "./json.ts"
import { pretty } from "./pretty.ts"
import type { TestFileReport } from "../workflow/TestReport.ts"

const file: SourceFile = {
  path: "a.test.yaml",
  text: "tests:\n\t- x: outputs.count == 3\r\n",
  lineStarts: [0, 7],
}
const at = { start: { line: 2, col: 7, offset: 13 }, end: { line: 2, col: 25, offset: 31 } }
const diagnostic: Diagnostic = {
  ...at,
  code: "PL2002",
  severity: "error",
  message: 'there is no stage "x"',
  file: "a.test.yaml",
  help: 'did you mean "y"?',
}

const good: TestFileReport = {
  file: "a.test.yaml",
  workflow: "a.yaml",
  diagnostics: [],
  sources: new Map([["a.test.yaml", file]]),
  tests: [
    { test: 'adds <up> & "quotes"', ok: true, failures: [], ms: 12 },
    {
      test: "counts",
      ok: false,
      ms: 1500,
      failures: [
        {
          ...at,
          file: "a.test.yaml",
          assertion: "outputs.count == 3",
          message: "outputs.count is 2\nbell \u0007 and <b>",
        },
      ],
    },
  ],
  skipped: 1,
  ms: 1512,
}
const broken: TestFileReport = {
  ...good,
  file: "b.test.yaml",
  tests: [],
  diagnostics: [diagnostic],
  skipped: 0,
  ms: 3,
}

describe("the pretty reporter", () => {
  it("shows each test, the place of what does not hold, and the sum", () => {
    assert.strictEqual(
      pretty([good, broken]),
      [
        "a.test.yaml",
        '  ✓ adds <up> & "quotes" 12 ms',
        "  ✗ counts 1500 ms",
        "      a.test.yaml:2:7 outputs.count == 3",
        "        2 |  - x: outputs.count == 3",
        "          |       ^^^^^^^^^^^^^^^^^^",
        "      outputs.count is 2",
        "      bell \ufffd and <b>",
        "",
        "b.test.yaml",
        '  a.test.yaml:2:7 error PL2002 there is no stage "x"',
        "    2 |  - x: outputs.count == 3",
        "      |       ^^^^^^^^^^^^^^^^^^",
        '    help: did you mean "y"?',
        "",
        "  1 error",
        "",
        "1 passed, 1 failed, 1 skipped, 1 of 2 files could not be tested in 1515 ms",
        "  b.test.yaml",
        "",
      ].join("\n"),
    )
  })

  it("keeps excerpts within the terminal, indentation and all", () => {
    const text = `tests:\n\t- x: ${"outputs.count == 3 && ".repeat(6)}true\n`
    const wide = { ...file, text }
    const sources = new Map([["a.test.yaml", wide]])
    const narrow = pretty(
      [
        { ...good, sources },
        { ...broken, sources },
      ],
      { width: 60 },
    )
    const excerpts = narrow.split("\n").filter((line) => /^ *(2 )? *\|/.test(line))
    assert.lengthOf(excerpts, 4)
    assert.include(excerpts[0], "…")
    for (const line of excerpts) assert.isAtMost(line.length, 60)
  })

  it("colours only when it is asked to", () => {
    assert.include(pretty([good, broken], { color: true }), "\u001b[32m✓\u001b[39m")
    assert.notInclude(pretty([good, broken]), "\u001b")
  })
})

describe("the JUnit reporter", () => {
  it("gives well-formed XML with the failures and errors counted", () => {
    assert.strictEqual(
      junit([good, broken]),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1" time="1.515">
  <testsuite name="a.test.yaml" tests="2" failures="1" errors="0" skipped="1" time="1.512">
    <testcase name="adds &lt;up&gt; &amp; &quot;quotes&quot;" classname="a.test.yaml" time="0.012"/>
    <testcase name="counts" classname="a.test.yaml" time="1.500">
      <failure message="outputs.count == 3">a.test.yaml:2:7 outputs.count == 3
outputs.count is 2
bell \ufffd and &lt;b&gt;</failure>
    </testcase>
  </testsuite>
  <testsuite name="b.test.yaml" tests="1" failures="0" errors="1" skipped="0" time="0.003">
    <testcase name="can be tested" classname="b.test.yaml">
      <error message="a.test.yaml:2:7 PL2002 there is no stage &quot;x&quot;">a.test.yaml:2:7 PL2002 there is no stage &quot;x&quot;</error>
    </testcase>
  </testsuite>
</testsuites>
`,
    )
  })
})

describe("the JSON reporter", () => {
  it("gives counts, tests and places as data", () => {
    const read = JSON.parse(json([good, broken])) as {
      readonly failed: number
      readonly files: ReadonlyArray<{
        readonly tests: ReadonlyArray<{ readonly failures: ReadonlyArray<object> }>
        readonly diagnostics: ReadonlyArray<object>
      }>
    }
    assert.strictEqual(read.failed, 1)
    assert.deepStrictEqual(read.files[0]!.tests[1]!.failures, [
      {
        file: "a.test.yaml",
        line: 2,
        col: 7,
        assertion: "outputs.count == 3",
        message: "outputs.count is 2\nbell \u0007 and <b>",
      },
    ])
    assert.deepInclude(read.files[1]!.diagnostics[0]!, { code: "PL2002", line: 2 })
  })
})
