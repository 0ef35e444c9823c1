/** Searching files: what is read, and when it is read again. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateRawSync } from "node:zlib"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { Folder } from "../src/folder/Folder.ts"
import { Library } from "../src/library/Library.ts"
import { search_files_semantic } from "../src/tools/search_files_semantic.ts"
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

/** An archive of packed parts, its sums left at 0. */
const zipOf = (parts: { readonly [name: string]: string }): Buffer => {
  const locals: Array<Buffer> = []
  const entries: Array<Buffer> = []
  let offset = 0
  for (const [name, text] of Object.entries(parts)) {
    const data = deflateRawSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), data)
    entries.push(entry, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...entries, end])
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

  it("reads the words of office documents, title first, and what a PDF says of itself", async () => {
    put(
      "a1.docx",
      zipOf({
        "word/document.xml":
          "<w:p><w:r><w:t>The gla</w:t></w:r><w:r><w:t>cier melts</w:t></w:r></w:p><w:p>fast &amp; early</w:p>",
        "docProps/core.xml": "<dc:title>Expedition</dc:title><cp:keywords>ice</cp:keywords>",
        "word/styles.xml": "<w:style>Nonsense</w:style>",
      }),
    )
    put(
      "b2.pdf",
      "%PDF-1.4\n1 0 obj << /Title (Gas \\(heating\\) bill) /Author <FEFF0041006E0061> >>",
    )
    put("c3.pdf", "%PDF-1.4\n<< /Title (hidden) >> trailer << /Encrypt 4 0 R >>")
    put("d4.docx", "no archive")
    put("e5.docx", zipOf({ "word/document.xml": "broken" }).subarray(0, 40))
    const library = await libraryOf()
    await library.refresh(call)
    assert.deepStrictEqual(
      library.all().map(({ text }) => text),
      ["Expedition ice The glacier melts fast & early", "Gas (heating) bill Ana", "", "", ""],
    )
    assert.deepStrictEqual(await pathsOf(library, "glacier"), ["a1.docx"])
    assert.deepStrictEqual(await pathsOf(library, "heating bill"), ["b2.pdf"])
  })

  it("does not unpack a document that is a bomb", async () => {
    put("bomb.docx", zipOf({ "word/document.xml": "a ".repeat(8 * 1024 * 1024) }))
    const library = await libraryOf()
    await library.refresh(call)
    assert.strictEqual(library.all()[0]!.text, "")
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
