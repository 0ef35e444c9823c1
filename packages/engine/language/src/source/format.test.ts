/** `fmt`: the same meaning in one form, with every comment. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parse, stringify } from "yaml"
import { format } from "../definition/format.ts"
import { sourceFile } from "./SourceFile.ts"
import { cases } from "../../../../../.config/cases.ts"

const formatted = (text: string): string => {
  const { diagnostics, text: found } = format(sourceFile("a.yaml", text))
  expect(diagnostics).toEqual([])
  return found
}

const golden = join(import.meta.dirname, "..", "..", "test", "golden", "ok")
const workflows = readdirSync(golden)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => [name, readFileSync(join(golden, name), "utf8")] as const)

const comments = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/#.*$/gm)].map(([comment]) => comment.trim()).toSorted()

describe("a formatted workflow", () => {
  it.each(workflows)("%s keeps its meaning and is already formatted", (_, text) => {
    const once = formatted(text)
    expect(parse(once)).toEqual(parse(text))
    expect(formatted(once)).toBe(once)
    expect(comments(once)).toEqual(comments(text))
  })

  it("has its keys in one order, each with its comments", () => {
    const text = `# About the file.

kind: Workflow
apiVersion: planloom/v1 # the format
# The name.
name: report
stages:
  # First.
  - with: { text:   "a" }   # what it takes
    # What it is.
    uses: note
    id: show
    x-mine: 1
  - { uses: note, id: again, with: {text: b} }
inputs: {}
`
    expect(formatted(text)).toBe(`# About the file.

apiVersion: planloom/v1 # the format
kind: Workflow
# The name.
name: report
inputs: {}
stages:
  # First.
  - id: show
    # What it is.
    uses: note
    with: { text: "a" } # what it takes
    x-mine: 1
  - { id: again, uses: note, with: { text: b } }
`)
  })

  it("keeps the style in which texts are written", () => {
    const text = `kind: Workflow
name: report
description: |
  Two lines,
    one indented.
stages:
  - id: show
    if: '!stages.a.output.done && inputs.b == "c"'
    with:
      text: >-
        folded
        text
`
    expect(parse(formatted(text))).toEqual(parse(text))
    expect(formatted(text)).toContain("description: |\n  Two lines,\n    one indented.\n")
    expect(formatted(text)).toContain(`'!stages.a.output.done && inputs.b == "c"'`)
  })

  it("does not change a file that cannot be read, and reports the problem", () => {
    const { diagnostics, text } = format(sourceFile("a.yaml", "a: [1\n"))
    expect(text).toBe("a: [1\n")
    expect(diagnostics.map(({ code }) => code)).toEqual(["PL0003"])
  })

  it("never changes the meaning of a mapping, and is stable after one pass", () => {
    const key = fc.stringMatching(/^[a-z_]{1,8}$/)
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom("a\nb\n", "  lead", "${{ a }}", "# no comment", "- x", "yes", "1", "a: b"),
        fc.array(tie("any"), { maxLength: 4 }),
        fc.dictionary(key, tie("any"), { maxKeys: 4 }),
      ),
    })).any
    const workflow = fc.record({
      kind: fc.constant("Workflow"),
      stages: fc.array(fc.dictionary(fc.oneof(key, fc.constantFrom("id", "uses", "with")), value)),
      name: value,
      "x-more": value,
    })
    fc.assert(
      fc.property(workflow, fc.constantFrom(20, 80, 0), (given, lineWidth) => {
        const text = stringify(given, { lineWidth })
        const read: unknown = parse(text)
        const { diagnostics, text: once } = format(sourceFile("a.yaml", text))
        fc.pre(diagnostics.length === 0)
        expect(parse(once)).toEqual(read)
        expect(formatted(once)).toBe(once)
      }),
      { numRuns: cases(75, 4) },
    )
  })
})
