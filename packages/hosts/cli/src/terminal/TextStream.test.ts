import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import { TextStream } from "./TextStream.ts"
import { visible, wrap } from "./text.ts"

/** A terminal of 40 columns that keeps what is on it. */
class Display {
  lines = [""]
  row = 0
  writes = 0

  readonly screen = { columns: () => 40, rows: () => 12, write: (text: string) => this.take(text) }

  private take(text: string): void {
    this.writes++
    // oxlint-disable-next-line no-control-regex -- the sequences of a terminal
    for (const part of text.match(/\u001b\[[0-9]*[A-Za-z]|[^\u001b\n\r]+|\n|\r/g) ?? []) {
      if (part === "\n") this.lines[++this.row] ??= ""
      else if (part === "\u001b[K") this.lines[this.row] = ""
      else if (part === "\u001b[J") this.lines = [...this.lines.slice(0, this.row), ""]
      else if (part.endsWith("A") && part.startsWith("\u001b"))
        this.row -= Number(part.slice(2, -1))
      else if (part !== "\r") this.lines[this.row] += part
    }
  }
}

const stream = () => {
  const display = new Display()
  return { display, text: new TextStream(display.screen, "  ", () => 36) }
}

const indented = (text: string) =>
  wrap(visible(text), 36).map((line) => (line === "" ? "" : `  ${line}`.trimEnd()))

/** `text` in pieces that end at these places. */
const cutAt = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (a, b) => a - b,
  )
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom("a", "word", "longer-word", "- item", "1. first", "日本語", "👩‍👩‍👧", "e\u0301"),
      fc.constantFrom("\n", "\n\n", "\n  - ", "\r\n", "\t", "\u001b[31m", "\u001b]0;x\u0007"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(" "))

describe("a text that is written while it arrives", () => {
  it("stands on the screen as the whole text would, wherever it is cut", () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(400), { maxLength: 30 }), (text, places) => {
        const { display, text: writer } = stream()
        for (const piece of cutAt(text, places)) writer.write(piece)
        expect(display.lines.map((line) => line.trimEnd())).toEqual(indented(text))
      }),
      { numRuns: cases(200) },
    )
  })

  it("is extended in place, without writing what is there", () => {
    const { display, text } = stream()
    for (const piece of ["Hello", " you", " there"]) text.write(piece)
    expect(display.lines).toEqual(["  Hello you there"])
    expect(display.writes).toBe(3)
  })

  it("is erased, with all its rows", () => {
    const { display, text } = stream()
    text.write("one two three four five six seven eight nine ten\nmore\n")
    expect(text.erase()).toBe(true)
    text.write("again")
    expect(display.lines).toEqual(["  again"])
  })

  it.each([
    ["it has scrolled away", (text: TextStream) => text.write("line\n".repeat(20))],
    [
      "other output follows it",
      (text: TextStream) => {
        text.write("one")
        text.end()
        text.write("two")
      },
    ],
  ])("is not erased when %s", (_, write) => {
    const { text } = stream()
    write(text)
    expect(text.erase()).toBe(false)
  })
})
