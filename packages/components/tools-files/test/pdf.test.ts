/** PDFs are found by the words inside them; one that cannot be read is found by its name, and that is said. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { Folder } from "../src/folder/Folder.ts"
import { KeptFiles } from "../src/folder/KeptFiles.ts"
import { Library } from "../src/library/Library.ts"
import { ReaderThread, readerLimits, type ReaderLimits } from "@planloom/documents/read"
import { search_files_semantic } from "../src/tools/search_files_semantic.ts"
import { call } from "./fileCall.ts"
import { encrypted, pdfOf } from "./pdfBytes.ts"

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pdf-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const libraryOf = async (limits: Partial<ReaderLimits> = {}) =>
  new Library(
    await Folder.open(root),
    { files: 1000, bytes: 8192 },
    { kept: new KeptFiles(join(root, ".cache")), documents: { ...readerLimits, ...limits } },
  )

const put = (path: string, bytes: Uint8Array, time = 1_700_000_000) => {
  writeFileSync(join(root, path), bytes)
  utimesSync(join(root, path), time, time)
}

const textsIn = (library: Library) =>
  Object.fromEntries(library.all().map(({ path, text, unread }) => [path, unread ?? text]))

const pathsOf = async (library: Library, query: string) =>
  (await library.nearest(query, "files", 5, call)).map(({ path }) => path)

describe("a PDF", () => {
  it("is found by words that only stand inside it, packed or not, whole across lines", async () => {
    put(
      "a.pdf",
      pdfOf({ pages: [["Curriculum vitae", "of an inter-", "national baker"]], title: "Ana" }),
    )
    put("b.pdf", pdfOf({ pages: [["Heating bill"], ["for the lighthouse"]], packed: true }))
    const library = await libraryOf()
    assert.strictEqual(await library.refresh(call), 2)
    assert.deepStrictEqual(textsIn(library), {
      "a.pdf": "Ana Curriculum vitae of an international baker",
      "b.pdf": "Heating bill for the lighthouse",
    })
    assert.deepStrictEqual(await pathsOf(library, "baker"), ["a.pdf"])
    assert.deepStrictEqual(await pathsOf(library, "lighthouse"), ["b.pdf"])
  })

  it("is known by its name and title, and says why, where its words cannot be read", async () => {
    const sound = pdfOf({ pages: [["secret recipe"]], title: "Gas contract" })
    put("contract.pdf", pdfOf({ pages: [["secret recipe"]], trailer: encrypted }))
    put("broken.pdf", Buffer.from("%PDF-1.4\n1 0 obj << /Title (Gas contract) >>"))
    put("scan.pdf", pdfOf({ content: Buffer.from("0 0 10 10 re f"), title: "Gas contract" }))
    put("large.pdf", Buffer.concat([sound, Buffer.alloc(1024 * 1024)]))
    put("empty.pdf", Buffer.alloc(0))
    const library = await libraryOf({ bytes: 1024 * 1024 })
    await library.refresh(call)
    assert.deepStrictEqual(textsIn(library), {
      "broken.pdf": "it is damaged",
      "contract.pdf": "it is encrypted",
      "empty.pdf": "it is damaged",
      "large.pdf": "it is larger than 1 MB",
      "scan.pdf": "it holds no text, perhaps only scans",
    })
    assert.sameMembers(await pathsOf(library, "gas contract"), [
      "broken.pdf",
      "contract.pdf",
      "large.pdf",
      "scan.pdf",
    ])
    const result = await search_files_semantic.run({ query: "contract", limit: 1 }, library, call)
    assert.match(
      String(result["text"]),
      /^The nearest 1 file for "contract": contract\.pdf\. contract\.pdf is known by its name and title alone: it is encrypted\.$/,
    )
    const none = await search_files_semantic.run({ query: "recipe" }, library, call)
    assert.strictEqual(
      none["text"],
      "No file is about recipe. The words of 5 documents could not be read.",
    )
  })

  it("is read no farther than thirty pages and as many characters as may be", async () => {
    const pages = Array.from({ length: 31 }, (_, at) => [at === 30 ? "beyond" : `page ${at}`])
    put("long.pdf", pdfOf({ pages }))
    const lines = Array.from({ length: 50 }, () => "one sentence after another")
    put("wide.pdf", pdfOf({ pages: Array.from({ length: 9 }, () => lines) }))
    const library = await libraryOf()
    await library.refresh(call)
    const texts = textsIn(library)
    assert.include(texts["long.pdf"]!, "page 29")
    assert.notInclude(texts["long.pdf"]!, "beyond")
    assert.isAtMost(texts["wide.pdf"]!.length, 8192)
    assert.isAtLeast(texts["wide.pdf"]!.length, 8000)
  })

  it.each<[string, string, Partial<ReaderLimits>, Buffer]>([
    // 150 MB of spaces, and 5 million changes of nothing.
    [
      "memory",
      "it takes too much memory",
      { memory: 128 * 1024 * 1024, file: 60_000 },
      Buffer.alloc(150_000_000, " "),
    ],
    ["time", "it takes too long to read", { file: 1500 }, Buffer.from("q Q ".repeat(5_000_000))],
  ])(
    "that takes too much %s is given up, and the next one is read",
    { timeout: 90_000 },
    async (_, why, limits, content) => {
      put("a.pdf", pdfOf({ content, packed: true }))
      put("b.pdf", pdfOf({ pages: [["lighthouse"]] }))
      const library = await libraryOf({ search: 120_000, ...limits })
      await library.refresh(call)
      assert.deepStrictEqual(textsIn(library), { "a.pdf": why, "b.pdf": "lighthouse" })
    },
  )

  it("waits for the next search when this one has taken its time, and that is said", async () => {
    put("a.pdf", pdfOf({ pages: [["harbour"]] }))
    put("b.pdf", pdfOf({ pages: [["lighthouse"]] }))
    const library = await libraryOf({ search: 0.001 })
    assert.strictEqual(await library.refresh(call), 2)
    assert.strictEqual(library.all().filter(({ passing }) => passing === true).length, 1)
    const result = await search_files_semantic.run({ query: "harbour" }, library, call)
    assert.deepInclude(result, { text: 'The nearest 1 file for "harbour": a.pdf.', complete: true })
    assert.strictEqual(await library.refresh(call), 0)
  })

  it("is read once, also by the next process, until its size or time is another", async () => {
    put("a.pdf", pdfOf({ pages: [["harbour"]] }))
    await (await libraryOf()).refresh(call)
    const [name] = readdirSync(join(root, ".cache"))
    const file = join(root, ".cache", name!)
    writeFileSync(file, `no line\n[1]\n${readFileSync(file, "utf8").replace("harbour", "orchard")}`)
    const second = await libraryOf()
    await second.refresh(call)
    assert.strictEqual(textsIn(second)["a.pdf"], "orchard")
    put("a.pdf", pdfOf({ pages: [["harbour"]] }), 1_700_000_100)
    await second.refresh(call)
    assert.strictEqual(textsIn(second)["a.pdf"], "harbour")
    rmSync(join(root, "a.pdf"))
    put("b.pdf", pdfOf({ pages: [["glacier"]] }))
    await second.refresh(call)
    assert.notInclude(readFileSync(file, "utf8"), "harbour")
  })

  it("rejects when the signal aborts while the thread starts, and the next file is read", async () => {
    put("a.pdf", pdfOf({ pages: [["harbour"]] }))
    const reader = new ReaderThread(readerLimits)
    const stop = new AbortController()
    let looks = 0
    // The first look is before the thread starts, the second after.
    stop.signal.throwIfAborted = () => {
      if (looks++ > 0) stop.abort()
      AbortSignal.prototype.throwIfAborted.call(stop.signal)
    }
    const reading = reader.read(join(root, "a.pdf"), 100, stop.signal)
    assert.strictEqual(await reading.catch((error: Error) => error.name), "AbortError")
    assert.strictEqual((await reader.read(join(root, "a.pdf"), 100, call.signal)).words, "harbour")
    await reader.close()
  })

  it("does not keep a search that is stopped", async () => {
    put("slow.pdf", pdfOf({ content: Buffer.from("q Q ".repeat(10_000_000)), packed: true }))
    const library = await libraryOf()
    const stop = AbortSignal.timeout(300)
    const began = performance.now()
    const stopped = await library.refresh({ ...call, signal: stop }).catch(() => "stopped")
    assert.strictEqual(stopped, "stopped")
    assert.isBelow(performance.now() - began, readerLimits.file)
  })
})
