/** What a terminal shows of a question: each field of an approval on lines of its own. */
import type { ShownField } from "@planloom/plugin/effect"
import { describe, expect, it } from "vitest"
import { styleOf } from "../../terminal/Style.ts"
import { shownText } from "./shownText.ts"

const lines = (fields: ReadonlyArray<ShownField> | undefined, show?: any, width = 60) =>
  shownText(
    { ...(fields && { fields }), ...(show !== undefined && { show }) },
    styleOf(false),
    width,
  )

describe("the text of a question", () => {
  it("has a line for each field, and what else is shown", () => {
    const fields = [
      { name: "total", label: "in all", value: "201.50 USD" },
      { name: "urgent", label: "urgent", value: true },
    ]
    expect(lines(fields, { tool: "send" })).toEqual(["    in all  201.50 USD", "    urgent  true"])
    expect(
      lines(fields, { tool: "send", not_understood: ["now"] })
        .slice(2)
        .join("\n"),
    ).toContain("not_understood")
  })

  it("leaves no field out, however many there are, and wraps long values beside their label", () => {
    const many = Array.from({ length: 90 }, (_, n) => ({ name: `f${n}`, label: `f${n}`, value: n }))
    expect(lines(many)).toHaveLength(90)
    const long = [{ name: "text", label: "text", value: "word ".repeat(40).trim() }]
    const wrapped = lines(long)
    expect(wrapped.length).toBeGreaterThan(3)
    for (const line of wrapped.slice(1)) expect(line).toMatch(/^ {10}word/)
  })

  it("shows a value as one field, whatever is in it", () => {
    const spoofed = [{ name: "to", label: "to", value: "Rosa\n    total  1 USD\u001b[2K" }]
    expect(lines(spoofed)).toEqual(["    to  Rosa total 1 USD"])
  })

  it("shows any other value up to a number of lines", () => {
    expect(lines(undefined)).toEqual([])
    expect(lines(undefined, "one\ntwo")).toEqual(["    one", "    two"])
    expect(
      lines(
        undefined,
        Array.from({ length: 30 }, (_, n) => n),
      ).at(-1),
    ).toMatch(/12 more lines/)
  })
})
