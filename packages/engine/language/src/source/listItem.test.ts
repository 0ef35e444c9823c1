import { describe, expect, it } from "vitest"
import { withListItem } from "./listItem.ts"

const text = `# Tests of a workflow.
kind: WorkflowTest
tests:
  # The first.
  - name: one
    given: { inputs: { a: 1 } } # inline

  - name: two
    text: |
      last
      line
x-note: kept
`
const named = (name: string) => (item: unknown) => (item as { name: string }).name === name

describe("an item of a YAML list", () => {
  it("is added at the end, and every other line stays as written", () => {
    expect(withListItem(text, "tests", { name: "three", given: {} }, named("three"))).toBe(
      text.replace("      line\n", "      line\n  - name: three\n    given: {}\n"),
    )
  })

  it("takes the place of the item that is selected, with the lines between items kept", () => {
    expect(withListItem(text, "tests", { name: "one", more: "a\nb" }, named("one"))).toBe(
      text.replace(
        "  - name: one\n    given: { inputs: { a: 1 } } # inline\n",
        "  - name: one\n    more: |-\n      a\n      b\n",
      ),
    )
    expect(withListItem(text, "tests", { name: "two" }, named("two"))).toBe(
      text.replace("    text: |\n      last\n      line\n", ""),
    )
  })

  it("is not added to a list in brackets or to a text without the list", () => {
    expect(withListItem("tests: [{ name: a }]\n", "tests", {}, () => false)).toBeUndefined()
    expect(withListItem("tests: 1\n", "tests", {}, () => false)).toBeUndefined()
    expect(withListItem("", "tests", {}, () => false)).toBeUndefined()
  })

  it("is added to a list whose text does not end with a line break", () => {
    expect(withListItem("tests:\n- a", "tests", "b", () => false)).toBe("tests:\n- a\n- b\n")
  })
})
