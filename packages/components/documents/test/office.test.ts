/** Office documents by their structure: headings, tables with their header, slides and sheets; broken and hostile ones are named. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { writeOds } from "hucre/ods"
import { writeXlsx } from "hucre/xlsx"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentIndex } from "../src/index.ts"
import { officeText } from "../src/read/office/officeText.ts"
import {
  docxOf,
  odfOf,
  pptxOf,
  slideOf,
  wordParagraph,
  wordRun,
  wordStyle,
  wordTable,
  zipOf,
} from "./officeFiles.ts"

const { signal } = new AbortController()

let folder: string
let index: DocumentIndex

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planloom-office-"))
  mkdirSync(join(folder, "papers"))
  index = new DocumentIndex(join(folder, "index.sqlite"), {
    folder: { root: join(folder, "papers") },
  })
})

afterEach(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = (path: string, bytes: Uint8Array) => writeFileSync(join(folder, "papers", path), bytes)
const sync = () => index.sync({ signal })
const textOf = async (path: string, bytes: Uint8Array) => (await officeText(path, bytes)).text

const heading = (id: string, text: string) => wordParagraph(text, wordStyle(id))

describe("a Word document", () => {
  it("has headings by the names of its styles, items, and tables with a header", async () => {
    const text = await textOf(
      "a.docx",
      docxOf(
        [
          heading("Titel", "Handbook"),
          heading("berschrift1", "Returns"),
          wordParagraph("Goods &amp; parcels can be returned."),
          heading("Eigene", "Fees"),
          wordParagraph("first", '<w:numPr><w:numId w:val="1"/></w:numPr>'),
          wordTable([
            ["Country", "Fee"],
            ["Iceland", "5 | 6"],
          ]),
          wordParagraph("Own level", '<w:outlineLvl w:val="3"/>'),
        ].join(""),
      ),
    )
    expect(text).toBe(
      "# Handbook\n\n# Returns\n\nGoods & parcels can be returned.\n\n## Fees\n\n- first\n\n" +
        "| Country | Fee |\n| --- | --- |\n| Iceland | 5 \\| 6 |\n\n#### Own level",
    )
  })

  it("has neither deleted nor hidden nor alternative text, and its notes at the end", async () => {
    const text = await textOf(
      "a.docx",
      docxOf(
        [
          `<w:p>${wordRun("seen ")}${wordRun("hiddenword", "<w:vanish/>")}${wordRun("too", '<w:vanish w:val="0"/>')}<w:del><w:r><w:delText>deletedword</w:delText></w:r></w:del></w:p>`,
          `<w:p><w:r><mc:AlternateContent><mc:Choice><w:t>chosen</w:t></mc:Choice><mc:Fallback><w:t>fallbackword</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
          `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t># c</w:t></w:r></w:p>`,
        ].join(""),
        {
          "word/footnotes.xml": `<w:footnotes><w:footnote>${wordParagraph("a note")}</w:footnote></w:footnotes>`,
        },
      ),
    )
    expect(text).toBe("seen too\n\nchosen\n\na b\n\\# c\n\na note")
  })

  it("gives passages under its headings, without lines", async () => {
    put("a.docx", docxOf(heading("berschrift1", "Refunds") + wordParagraph("They take five days.")))
    await sync()
    const [hit] = index.search("refunds days", { limit: 1 }).hits
    expect(hit).toMatchObject({ path: "a.docx", headings: ["Refunds"] })
    expect(hit).not.toHaveProperty("lines")
  })
})

describe("a presentation", () => {
  it("has a page for each slide in the order of the show, and no slide numbers", async () => {
    put(
      "deck.pptx",
      pptxOf(slideOf("Prices", "Silver costs ten."), slideOf("Delivery", "Two days.", "Or three.")),
    )
    expect(await sync()).toMatchObject({ unreadable: [], cut: [] })
    expect(index.search("two days", { limit: 1 }).hits).toMatchObject([
      { page: 2, headings: ["Delivery"], text: "## Delivery\n\nTwo days.\n\nOr three." },
    ])
    expect(index.search("footerword", { limit: 1 }).hits).toEqual([])
  })
})

describe("an OpenDocument file", () => {
  it("has headings, items and tables, without deleted text and comments", async () => {
    const text = await textOf(
      "a.odt",
      odfOf(
        `<office:text><text:tracked-changes><text:p>deletedword</text:p></text:tracked-changes>
<text:h text:outline-level="1">Returns</text:h>
<text:p>Goods<text:s text:c="3"/>come <text:span>back</text:span><office:annotation><text:p>commentword</text:p></office:annotation>.</text:p>
<text:list><text:list-item><text:p>first</text:p></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Country</text:p></table:table-cell><table:table-cell><text:p>Fee</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000000"/></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell><text:p>Iceland</text:p></table:table-cell><table:table-cell><text:p>5</text:p></table:table-cell></table:table-row></table:table></office:text>`,
      ),
    )
    expect(text).toBe(
      "# Returns\n\nGoods come back.\n\n- first\n\n| Country | Fee |\n| --- | --- |\n| Iceland | 5 |",
    )
  })

  it("of a presentation has pages with titles, without notes", async () => {
    const page = (title: string, text: string) =>
      `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame><presentation:notes><text:p>notesword</text:p></presentation:notes></draw:page>`
    const deck = odfOf(
      `<office:presentation>${page("One", "a")}${page("Two", "b")}</office:presentation>`,
    )
    expect(await textOf("a.odp", deck)).toBe("## One\n\na\n\f## Two\n\nb")
  })
})

describe.each([
  ["xlsx", writeXlsx],
  ["ods", writeOds],
])("a workbook of the format %s", (ending, write) => {
  it("has a table with its header for each sheet", async () => {
    const bytes = await write({
      sheets: [
        {
          name: "Fees",
          rows: [
            ["Country", "Fee"],
            ["Iceland", 5],
            [null, null],
            ["Peru", 7],
          ],
        },
        { name: "Empty", rows: [] },
        { name: "Days", rows: [["Day"], [new Date(Date.UTC(2026, 4, 1))]] },
      ],
    })
    put(`a.${ending}`, bytes)
    await sync()
    expect(index.show(`a.${ending}`)).toMatchObject([
      {
        headings: ["Fees"],
        text: "## Fees\n\n| Country | Fee |\n| --- | --- |\n| Iceland | 5 |\n| Peru | 7 |",
      },
      { headings: ["Days"], text: "## Days\n\n| Day |\n| --- |\n| 2026-05-01 |" },
    ])
  })
})

/** A part that unpacks to so many megabytes. */
const huge = (megabytes: number) =>
  `<w:document><w:body><w:p><w:r><w:t>${"a".repeat(megabytes * 1024 * 1024)}</w:t></w:r></w:p></w:body></w:document>`

describe("a document that cannot be read", () => {
  it("is named with the reason, and stops no sync", async () => {
    const parts = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`p${at}`, ""]))
    const noise = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * 7919) % 251))
    const bombs = {
      "ratio.docx": zipOf({ "word/document.xml": huge(60) }),
      "sheet.xlsx": zipOf({ "xl/workbook.xml": "<workbook/>", "xl/media.bin": huge(60) }),
      "sheet.ods": zipOf({ "content.xml": huge(60) }),
      "parts.pptx": zipOf(parts),
      "entities.odt": zipOf({
        "content.xml":
          '<!DOCTYPE a [<!ENTITY b "&c;&c;">]><office:body><text:p>&b;</text:p></office:body>',
      }),
      "old.docx": Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      "secret.odt": odfOf("<text:p>x</text:p>", {
        "META-INF/manifest.xml": "<m:encryption-data/>",
      }),
      "text.docx": noise,
      "empty.docx": docxOf(""),
      "cut.docx": docxOf(wordParagraph("a")).subarray(0, 200),
      "tags.docx": zipOf({ "word/document.xml": '<w:p><w:t "' }),
      "none.docx": zipOf({ "other.xml": "<a/>" }),
    }
    for (const [name, bytes] of Object.entries(bombs)) put(name, bytes)
    put("good.docx", docxOf(wordParagraph("A good word.")))
    const { unreadable } = await sync()
    expect(Object.fromEntries(unreadable.map(({ path, reason }) => [path, reason]))).toEqual({
      "ratio.docx": "a part of it unpacks to more than 250 times its size",
      "sheet.xlsx": "a part of it unpacks to more than 250 times its size",
      "sheet.ods": "a part of it unpacks to more than 250 times its size",
      "parts.pptx": "it has more than 10000 parts",
      "entities.odt": "it is damaged",
      "old.docx": "it is encrypted, or of an old format",
      "secret.odt": "it is encrypted",
      "text.docx": "it is damaged",
      "empty.docx": "it holds no text",
      "cut.docx": "it is damaged",
      "tags.docx": "it is damaged",
      "none.docx": "it is damaged",
    })
    expect(index.search("good word", { limit: 1 }).hits).toMatchObject([{ path: "good.docx" }])
  })

  it("is a result whatever its bytes are, and takes linear time", async () => {
    const good = [
      docxOf(wordParagraph("Text.") + wordTable([["a", "b"]])),
      pptxOf(slideOf("One", "Two")),
      odfOf("<office:text><text:p>Text.</text:p></office:text>"),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 2 }),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
        fc.nat(),
        fc.constantFrom("a.docx", "a.pptx", "a.odt", "a.xlsx", "a.ods"),
        async (which, changes, end, path) => {
          const bytes = Buffer.from(good[which]!)
          for (const [at, value] of changes) bytes[at % bytes.length] = value
          const read = await officeText(path, bytes.subarray(0, end % 3 === 0 ? end : undefined))
          expect(typeof read.text).toBe("string")
        },
      ),
      { numRuns: cases(200), seed },
    )
    const started = performance.now()
    for (const xml of [
      "<a ".repeat(300_000),
      `<a "${"x".repeat(1_000_000)}`,
      "<!--".repeat(300_000),
      "&#".repeat(500_000),
    ])
      await officeText("a.docx", zipOf({ "word/document.xml": xml }))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
