/** Searching files: what is read, and when it is read again. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { Folder } from "../src/folder/Folder.ts"
import { KeptFiles } from "../src/folder/KeptFiles.ts"
import { Library } from "../src/library/Library.ts"
import { search_files_semantic } from "../src/tools/search_files_semantic.ts"
import {
  docxOf,
  pptxOf,
  slideOf,
  wordParagraph,
  wordStyle,
  zipOf,
} from "../../documents/test/officeFiles.ts"
import { read_document } from "../src/tools/read_document.ts"
import { call } from "./fileCall.ts"

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "library-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const libraryOf = async (limits = { files: 20_000, bytes: 8192 }) =>
  new Library(await Folder.open(root), limits)

const put = (path: string, text: string | Uint8Array, time = 1_700_000_000) => {
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), time, time)
}

const pathsOf = async (library: Library, query: string) =>
  (await library.nearest(query, "files", 5, call)).map(({ path }) => path)

describe("a library", () => {
  it("reads a file once, and again when it has changed", async () => {
    put("a.txt", "the harbour in winter")
    put("b.txt", "a recipe for soup")
    const library = await libraryOf()
    assert.strictEqual(await library.refresh(call), 2)
    assert.strictEqual(await library.refresh(call), 0)
    put("a.txt", "the desert in summer", 1_700_000_100)
    assert.strictEqual(await library.refresh(call), 1)
    assert.deepStrictEqual(await pathsOf(library, "desert"), ["a.txt"])
    assert.deepStrictEqual(await pathsOf(library, "harbour"), [])
    rmSync(join(root, "a.txt"))
    assert.strictEqual(await library.refresh(call), 0)
    assert.deepStrictEqual(await pathsOf(library, "desert"), [])
  })

  it("reads a file again when the text beside it has changed", async () => {
    put("scan.pdf", new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 1]))
    put("scan.pdf.txt", "gas bill")
    const library = await libraryOf()
    await library.refresh(call)
    assert.deepStrictEqual(await pathsOf(library, "gas bill"), ["scan.pdf"])
    put("scan.pdf.txt", "water bill", 1_700_000_100)
    assert.strictEqual(await library.refresh(call), 1)
    assert.deepStrictEqual(await pathsOf(library, "water"), ["scan.pdf"])
  })

  it("finds what is not text by its name alone", async () => {
    put("holiday_song.bin", new Uint8Array(500).fill(0).with(3, 7))
    const library = await libraryOf()
    await library.refresh(call)
    assert.strictEqual(library.all()[0]!.text, "")
    assert.deepStrictEqual(await pathsOf(library, "holiday song"), ["holiday_song.bin"])
  })

  it("reads no more of a file than it may", async () => {
    put("long.txt", `${"word ".repeat(1000)}treasure`)
    const library = await libraryOf({ files: 10, bytes: 256 })
    await library.refresh(call)
    assert.strictEqual(library.all()[0]!.text.length, 256)
    assert.deepStrictEqual(await pathsOf(library, "treasure"), [])
  })

  it("takes a photo that is broken, or none at all, for one without a date", async () => {
    put("broken.jpg", new Uint8Array([0xff, 0xd8, 0xff, 0xe1, 0, 8, 1, 2]))
    put("empty.jpg", "")
    const library = await libraryOf()
    await library.refresh(call)
    assert.deepStrictEqual(
      library.all().map(({ photo }) => photo),
      [{}, {}],
    )
  })

  it("stops when it is told to, and is usable afterwards", async () => {
    put("a.txt", "harbour")
    const library = await libraryOf()
    const stopped = await library
      .refresh({ ...call, signal: AbortSignal.abort() })
      .catch(() => "stopped")
    assert.strictEqual(stopped, "stopped")
    assert.strictEqual(await library.refresh(call), 1)
  })

  it("reads office documents by their structure, title first, and what a PDF says of itself", async () => {
    put(
      "a1.docx",
      docxOf(
        wordParagraph("The Ice", wordStyle("berschrift1")) +
          wordParagraph("The glacier melts fast &amp; early"),
        {
          "docProps/core.xml":
            "<cp:coreProperties><dc:title>Expedition</dc:title><cp:keywords>snow</cp:keywords><dcterms:created>2026</dcterms:created></cp:coreProperties>",
        },
      ),
    )
    put(
      "b2.pdf",
      "%PDF-1.4\n1 0 obj << /Title (Gas \\(heating\\) bill) /Author <FEFF0041006E0061> >>",
    )
    put("c3.pdf", "%PDF-1.4\n<< /Title (hidden) >> trailer << /Encrypt 4 0 R >>")
    put("d4.docx", "no archive")
    put("e5.docx", docxOf(wordParagraph("cut")).subarray(0, 40))
    put("f6.docx", docxOf("<broken", { "docProps/core.xml": "<dc:title>Minutes</dc:title>" }))
    put("g7.docx", docxOf(wordParagraph("Sound."), { "docProps/core.xml": "<broken" }))
    put("h8.pptx", pptxOf(slideOf("Harbor", "Two cranes"), slideOf("Costs", "Nine")))
    const library = await libraryOf()
    await library.refresh(call)
    const read = library.all().map(({ text, unread }) => [text, unread ?? ""])
    assert.deepStrictEqual(read, [
      ["Expedition snow\n\n# The Ice\n\nThe glacier melts fast & early", ""],
      ["Gas (heating) bill Ana", "it is damaged"],
      ["", "it is damaged"],
      ["", "it is damaged"],
      ["", "it is damaged"],
      ["Minutes", "it is damaged"],
      ["Sound.", ""],
      ["## Harbor\n\nTwo cranes\n\n## Costs\n\nNine", ""],
    ])
    assert.deepStrictEqual(await pathsOf(library, "glacier"), ["a1.docx"])
    assert.deepStrictEqual(await pathsOf(library, "heating bill"), ["b2.pdf"])
    const found = await search_files_semantic.run({ query: "glacier melts" }, library, call)
    assert.deepStrictEqual(found["passages"], [
      { path: "a1.docx", heading: "The Ice", text: "The glacier melts fast & early" },
    ])
    const damaged = await search_files_semantic.run({ query: "minutes" }, library, call)
    assert.include(
      String(damaged["text"]),
      "f6.docx is known by its name and title alone: it is damaged.",
    )
    const words = await read_document.run({ path: "h8.pptx" }, library, call)
    assert.strictEqual(words["content"], "## Harbor\n\nTwo cranes\n\n## Costs\n\nNine")
  })

  it("reads an office document once, also in another process", async () => {
    put("a.docx", docxOf(wordParagraph("The glacier melts.")))
    const opened = async () =>
      new Library(
        await Folder.open(root),
        { files: 10, bytes: 8192 },
        { kept: new KeptFiles(join(root, ".cache")) },
      )
    await (await opened()).refresh(call)
    // The same size and time, so that it counts as unchanged.
    put("a.docx", Buffer.alloc(statSync(join(root, "a.docx")).size))
    const again = await opened()
    await again.refresh(call)
    assert.deepStrictEqual(
      again.all().map(({ text }) => text),
      ["The glacier melts."],
    )
  })

  it("does not unpack a document that is a bomb", async () => {
    put("bomb.docx", zipOf({ "word/document.xml": "a ".repeat(8 * 1024 * 1024) }))
    const library = await libraryOf()
    await library.refresh(call)
    const [{ text, unread } = { text: "none" }] = library.all()
    assert.strictEqual(text, "")
    assert.strictEqual(unread, "a part of it unpacks to more than 250 times its size")
  })

  it("keeps to the files it could read when another cannot be, and finds that one by its name", async () => {
    put("good.txt", "the harbour in winter")
    put("harbour_log.txt", "x")
    chmodSync(join(root, "harbour_log.txt"), 0)
    const library = await libraryOf()
    await library.refresh(call)
    assert.deepStrictEqual((await pathsOf(library, "harbour")).toSorted(), [
      "good.txt",
      "harbour_log.txt",
    ])
  })

  it("says when there are more files than it looks at", async () => {
    for (const name of ["a", "b", "c"]) put(`${name}.txt`, name)
    const library = await libraryOf({ files: 2, bytes: 256 })
    await library.refresh(call)
    assert.isTrue(library.left)
    assert.strictEqual(library.all().length, 2)
    const result = await search_files_semantic.run({ query: "zebra", type: "pdf" }, library, call)
    assert.deepInclude(result, {
      text: "No pdf file is about zebra. Only 2 files were looked at; there are more.",
      complete: false,
    })
  })

  it("reads only the changed one of ten thousand files", { timeout: 120_000 }, async () => {
    const subjects = ["harbour", "orchard", "timetable", "violin", "glacier", "kitchen", "bridge"]
    for (let folder = 0; folder < 100; folder++) {
      mkdirSync(join(root, `f${folder}`))
      for (let at = 0; at < 100; at++) {
        const subject = subjects[(folder * 100 + at) % subjects.length]!
        put(
          `f${folder}/note_${at}.txt`,
          `Notes on the ${subject}, number ${folder * 100 + at}. `.repeat(8),
        )
      }
    }
    put("f7/needle.txt", "the lighthouse keeper's diary")
    const library = await libraryOf()
    assert.strictEqual(await library.refresh(call), 10_001)
    assert.strictEqual(await library.refresh(call), 0)
    assert.deepStrictEqual(await pathsOf(library, "lighthouse diary"), ["f7/needle.txt"])
    put("f3/note_5.txt", "about a submarine", 1_700_000_100)
    assert.strictEqual(await library.refresh(call), 1)
    assert.deepStrictEqual(await pathsOf(library, "submarine"), ["f3/note_5.txt"])
  })
})
