/** PDFs are found by the words inside them; one that cannot be read is found by its name, and that is said. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { oneByOne } from "../Device.ts"
import { Library } from "../sandbox/Library.ts"
import { pdfLimits, type PdfLimits } from "../sandbox/PdfReader.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { search_files_semantic } from "../tools/search_files_semantic.ts"
import { encrypted, pdfOf } from "./pdfBytes.ts"

const { signal } = new AbortController()
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pdf-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const libraryOf = async (limits: Partial<PdfLimits> = {}) =>
  new Library(
    await Sandbox.open(root),
    { files: 1000, bytes: 8192 },
    {
      ...pdfLimits,
      ...limits,
    },
  )

const put = (path: string, bytes: Uint8Array, time = 1_700_000_000) => {
  writeFileSync(join(root, path), bytes)
  utimesSync(join(root, path), time, time)
}

const textsIn = (library: Library) =>
  Object.fromEntries(library.all().map(({ path, text, unread }) => [path, unread ?? text]))

const pathsOf = (library: Library, query: string) =>
  library.nearest(query, "files", 5).map(({ path }) => path)

describe("a PDF", () => {
  it("is found by words that only stand inside it, packed or not, whole across lines", async () => {
    put(
      "a.pdf",
      pdfOf({ pages: [["Curriculum vitae", "of an inter-", "national baker"]], title: "Ana" }),
    )
    put("b.pdf", pdfOf({ pages: [["Heating bill"], ["for the lighthouse"]], packed: true }))
    const library = await libraryOf()
    assert.strictEqual(await library.refresh(signal), 2)
    assert.deepStrictEqual(textsIn(library), {
      "a.pdf": "Ana Curriculum vitae of an international baker",
      "b.pdf": "Heating bill for the lighthouse",
    })
    assert.deepStrictEqual(pathsOf(library, "baker"), ["a.pdf"])
    assert.deepStrictEqual(pathsOf(library, "lighthouse"), ["b.pdf"])
  })

  it("is known by its name and title, and says why, where its words cannot be read", async () => {
    const sound = pdfOf({ pages: [["secret recipe"]], title: "Gas contract" })
    put("contract.pdf", pdfOf({ pages: [["secret recipe"]], trailer: encrypted }))
    put("broken.pdf", Buffer.from("%PDF-1.4\n1 0 obj << /Title (Gas contract) >>"))
    put("scan.pdf", pdfOf({ content: Buffer.from("0 0 10 10 re f"), title: "Gas contract" }))
    put("large.pdf", Buffer.concat([sound, Buffer.alloc(1024 * 1024)]))
    put("empty.pdf", Buffer.alloc(0))
    const library = await libraryOf({ bytes: 1024 * 1024 })
    await library.refresh(signal)
    assert.deepStrictEqual(textsIn(library), {
      "broken.pdf": "it is damaged",
      "contract.pdf": "it is encrypted",
      "empty.pdf": "it is damaged",
      "large.pdf": "it is larger than 1 MB",
      "scan.pdf": "it holds no text, perhaps only scans",
    })
    assert.sameMembers(pathsOf(library, "gas contract"), [
      "broken.pdf",
      "contract.pdf",
      "large.pdf",
      "scan.pdf",
    ])
    const sandbox = await Sandbox.open(root)
    const device = { sandbox, library, bytes: 8192, power: root, inTurn: oneByOne() }
    const told = await search_files_semantic.run({ query: "contract", limit: 1 }, device, signal)
    assert.match(
      String(told["text"]),
      /^The nearest 1 file: contract\.pdf\. contract\.pdf is known by its name and title alone: it is encrypted\.$/,
    )
    const none = await search_files_semantic.run({ query: "recipe" }, device, signal)
    assert.strictEqual(
      none["text"],
      "No file is about recipe. The words of 5 PDFs could not be read.",
    )
  })

  it("is read no farther than thirty pages and as many characters as may be", async () => {
    const pages = Array.from({ length: 31 }, (_, at) => [at === 30 ? "beyond" : `page ${at}`])
    put("long.pdf", pdfOf({ pages }))
    const lines = Array.from({ length: 50 }, () => "one sentence after another")
    put("wide.pdf", pdfOf({ pages: Array.from({ length: 9 }, () => lines) }))
    const library = await libraryOf()
    await library.refresh(signal)
    const texts = textsIn(library)
    assert.include(texts["long.pdf"]!, "page 29")
    assert.notInclude(texts["long.pdf"]!, "beyond")
    assert.isAtMost(texts["wide.pdf"]!.length, 8192)
    assert.isAtLeast(texts["wide.pdf"]!.length, 8000)
  })

  it("that takes too long, or too much memory, is given up, and the next one is read", async () => {
    // 150 MB of spaces, and 5 million changes of nothing.
    put("a_memory.pdf", pdfOf({ content: Buffer.alloc(150_000_000, " "), packed: true }))
    put("b_time.pdf", pdfOf({ content: Buffer.from("q Q ".repeat(5_000_000)), packed: true }))
    put("c.pdf", pdfOf({ pages: [["lighthouse"]] }))
    const library = await libraryOf({ file: 1500, memory: 128 * 1024 * 1024 })
    await library.refresh(signal)
    const texts = textsIn(library)
    assert.strictEqual(texts["a_memory.pdf"], "it takes too much memory")
    assert.strictEqual(texts["b_time.pdf"], "it takes too long to read")
    assert.strictEqual(texts["c.pdf"], "lighthouse")
  })

  it("waits for the next search when this one has taken its time, and that is said", async () => {
    put("a.pdf", pdfOf({ pages: [["harbour"]] }))
    put("b.pdf", pdfOf({ pages: [["lighthouse"]] }))
    const library = await libraryOf({ search: 0.001 })
    assert.strictEqual(await library.refresh(signal), 2)
    assert.strictEqual(library.all().filter(({ passing }) => passing === true).length, 1)
    const sandbox = await Sandbox.open(root)
    const device = { sandbox, library, bytes: 8192, power: root, inTurn: oneByOne() }
    const told = await search_files_semantic.run({ query: "harbour" }, device, signal)
    assert.deepInclude(told, { text: "The nearest 1 file: a.pdf.", complete: true })
    assert.strictEqual(await library.refresh(signal), 0)
  })

  it("is read once, also by the next process, until its size or time is another", async () => {
    put("a.pdf", pdfOf({ pages: [["harbour"]] }))
    await (await libraryOf()).refresh(signal)
    const [name] = readdirSync(join(root, ".state"))
    const file = join(root, ".state", name!)
    writeFileSync(file, `no line\n[1]\n${readFileSync(file, "utf8").replace("harbour", "orchard")}`)
    const second = await libraryOf()
    await second.refresh(signal)
    assert.strictEqual(textsIn(second)["a.pdf"], "orchard")
    put("a.pdf", pdfOf({ pages: [["harbour"]] }), 1_700_000_100)
    await second.refresh(signal)
    assert.strictEqual(textsIn(second)["a.pdf"], "harbour")
    rmSync(join(root, "a.pdf"))
    put("b.pdf", pdfOf({ pages: [["glacier"]] }))
    await second.refresh(signal)
    assert.notInclude(readFileSync(file, "utf8"), "harbour")
  })

  it("does not keep a search that is stopped", async () => {
    put("slow.pdf", pdfOf({ content: Buffer.from("q Q ".repeat(10_000_000)), packed: true }))
    const library = await libraryOf()
    const stop = AbortSignal.timeout(300)
    const began = performance.now()
    const stopped = await library.refresh(stop).catch(() => "stopped")
    assert.strictEqual(stopped, "stopped")
    assert.isBelow(performance.now() - began, pdfLimits.file)
  })
})
