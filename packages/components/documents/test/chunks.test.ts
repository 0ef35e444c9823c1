/** Passages cover their text, keep its structure, and keep their ids while their section is the same. */
import * as fc from "fast-check"
import { estimateTokens } from "@planloom/plugin/facts"
import { describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { chunksOf, MOST, MOST_CODE } from "../src/chunk/chunksOf.ts"

const words = fc
  .array(fc.constantFrom("return", "Kündigung", "parcel", "退款", "😀", "a", "\t", "|", "`"), {
    maxLength: 120,
  })
  .map((all) => all.join(" "))
const line = fc.oneof(
  words,
  words.map((text) => `- ${text}`),
  words.map((text) => `| ${text} | b |`),
  fc.constantFrom("", "", "| a | b |", "|---|---|", "```", "~~~~", "\f", "   ", "\r"),
  fc
    .tuple(fc.integer({ min: 1, max: 7 }), words)
    .map(([level, text]) => `${"#".repeat(level)} ${text}`),
  fc.nat({ max: 9000 }).map((length) => "x".repeat(length)),
)
const anyText = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom("\n", "\r\n"), fc.string())
  .map(([lines, end, rest]) => lines.join(end) + rest)
const form = fc.constantFrom("markdown" as const, "plain" as const, "table" as const)
const options = { numRuns: cases(300), seed }

describe("the passages of any text", () => {
  it("cover it without gap and overlap, each with its lines, below the size limit", () => {
    fc.assert(
      fc.property(anyText, form, (text, kind) => {
        const chunks = chunksOf("a.md", text, kind)
        expect(chunks.map((one) => one.text).join("")).toBe(text)
        expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length)
        for (const { chars, lines, page, text: own } of chunks) {
          expect(text.slice(...chars)).toBe(own)
          expect(lines[0]).toBe(text.slice(0, chars[0]).split("\n").length)
          expect(page).toBe(text.slice(0, chars[0]).split("\f").length)
          expect(own.slice(0, -1)).not.toContain("\f")
          expect(estimateTokens(own)).toBeLessThanOrEqual(MOST_CODE + MOST)
        }
      }),
      options,
    )
  })

  it("never split a pair of surrogates", () => {
    const chunks = chunksOf("a.md", "😀".repeat(3000), "plain")
    expect(chunks.length).toBeGreaterThan(5)
    for (const { text } of chunks) expect(text.isWellFormed()).toBe(true)
  })

  it("never cross a heading of level 1 or 2", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { text: own } of chunksOf("a.md", text, "markdown")) {
          if (/```|~~~/.test(text)) continue
          expect(own.slice(1)).not.toMatch(/\n#{1,2}[ \t]/)
        }
      }),
      options,
    )
  })

  it("keep their ids in all sections but the one that changes", () => {
    const body = fc
      .array(words, { minLength: 1, maxLength: 12 })
      .map((all) => all.join("\n\n").replaceAll("`", ""))
    const sections = fc.array(fc.tuple(fc.constantFrom("A", "B", "C"), body), {
      minLength: 2,
      maxLength: 6,
    })
    fc.assert(
      fc.property(sections, fc.nat(), body, (all, index, other) => {
        const changed = index % all.length
        const textOf = (parts: ReadonlyArray<readonly [string, string]>) =>
          parts.map(([title, text]) => `## ${title}\n\n${text}\n`).join("")
        const idsBySection = (parts: ReadonlyArray<readonly [string, string]>) => {
          const groups: Array<Array<string>> = []
          for (const { id, text } of chunksOf("a.md", textOf(parts), "markdown")) {
            if (text.startsWith("## ")) groups.push([])
            groups.at(-1)!.push(id)
          }
          return groups
        }
        const before = idsBySection(all)
        const after = idsBySection(all.with(changed, [all[changed]![0], other]))
        expect(after.with(changed, [])).toEqual(before.with(changed, []))
      }),
      options,
    )
  })
})

const paragraph = (word: string) => `${`${word} `.repeat(150).trim()}.`

describe("the passages of a Markdown text", () => {
  const chunks = (text: string) => chunksOf("a.md", text, "markdown")

  it("carry their headings, and join short parts below a heading of level 3", () => {
    const all = chunks(
      "# Shop\n\n## Returns\n\nWithin 30 days.\n\n### Refunds\n\nFive days.\n\n## Other\n\nNo.\n",
    )
    expect(all.map(({ headings, isBare, lines }) => ({ headings, isBare, lines }))).toEqual([
      { headings: ["Shop"], isBare: true, lines: [1, 1] },
      { headings: ["Shop", "Returns"], isBare: false, lines: [3, 9] },
      { headings: ["Shop", "Other"], isBare: false, lines: [11, 13] },
    ])
  })

  it("begin with the heading of what they hold", () => {
    const all = chunks(`## A\n\n${paragraph("first")}\n\n### B\n\n${paragraph("second")}\n`)
    expect(all.map(({ headings }) => headings)).toEqual([["A"], ["A", "B"]])
    expect(all[1]!.text).toMatch(/^### B/)
  })

  it("repeat the header of a table in front of its later rows", () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| part ${at} | ${"cheap ".repeat(8)}|`)
    const all = chunks(`| part | price |\n|---|---|\n${rows.join("\n")}\n\nEnd.`)
    expect(all.length).toBeGreaterThan(2)
    expect(all.map(({ lead }) => lead)).toEqual([
      undefined,
      ...all.slice(1).map(() => "| part | price |\n|---|---|"),
    ])
    for (const { text } of all.slice(1)) expect(text).toMatch(/^\| part \d+ /)
  })

  it("keep a block of code whole, with its blank lines and what looks like headings", () => {
    const code = `\`\`\`sh\n${"# step\n\nrun it\n".repeat(150)}\`\`\`\n`
    const all = chunks(`## A\n\n${paragraph("word")}\n\n${code}\n## B\n\nEnd.`)
    expect(all.some(({ text }) => text.trim() === code.trim())).toBe(true)
    expect(all.at(-1)!.headings).toEqual(["B"])
  })
})

it("a quoted line end of a table stays in its row, and the header comes with later rows", () => {
  const rows = Array.from({ length: 80 }, (_, at) => `${at},"two\nlines of ${"text ".repeat(10)}"`)
  const all = chunksOf("a.csv", `id,note\n${rows.join("\n")}\n`, "table")
  for (const { lead, text } of all.slice(1)) {
    expect(lead).toBe("id,note")
    expect(text).toMatch(/^\d+,"two\n/)
  }
})
