/** No name leads out of the folder, and what is kept is replaced as a whole. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import * as fc from "fast-check"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { FilesFailed } from "../src/FilesFailed.ts"
import { Folder, partsOf } from "../src/folder/Folder.ts"
import { KeptFiles } from "../src/folder/KeptFiles.ts"
import { walk } from "@planloom/documents/read"
import { cases } from "../../../../.config/cases.ts"

let outer: string
let root: string

beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), "folder-")))
  root = join(outer, "device")
  mkdirSync(join(root, "Documents"), { recursive: true })
  writeFileSync(join(outer, "secret.txt"), "outside")
  writeFileSync(join(root, "Documents", "a.txt"), "inside")
  symlinkSync(outer, join(root, "up"))
  symlinkSync(join(outer, "secret.txt"), join(root, "Documents", "link.txt"))
  symlinkSync(join(root, "Documents"), join(root, "docs"))
})

afterEach(() => rmSync(outer, { recursive: true, force: true }))

/** Names made of what attacks are made of. */
const hostile = fc
  .array(
    fc.constantFrom(
      "..",
      ".",
      "",
      "Documents",
      "up",
      "docs",
      "link.txt",
      "a.txt",
      "secret.txt",
      "\0",
      "C:",
      "~",
      "%2e%2e",
      "..\\..",
      "device",
      "....",
    ),
    { minLength: 1, maxLength: 8 },
  )
  .chain((parts) => fc.constantFrom("/", "\\", "//").map((by) => parts.join(by)))

describe("a name", () => {
  it("never resolves outside, whatever it is made of", async () => {
    const folder = await Folder.open(root)
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostile, fc.string({ maxLength: 60 })), async (name) => {
        const path = await folder.resolve(name).catch((error: unknown) => {
          assert.instanceOf(error, FilesFailed)
          assert.notInclude((error as Error).message, outer)
          return undefined
        })
        if (path === undefined) return
        assert.isTrue(path === root || path.startsWith(root + sep), path)
        assert.notInclude(path, "secret")
      }),
      { numRuns: cases(1000) },
    )
  })

  it("is read only when it is inside", async () => {
    const folder = await Folder.open(root)
    assert.isDefined(await folder.read("Documents/a.txt", 100))
    for (const name of ["../secret.txt", "up/secret.txt", "Documents/link.txt", "/etc/passwd"])
      assert.isUndefined(await folder.read(name, 100), name)
  })

  it("has no parts when it is absolute, hidden, too long, or holds a NUL", () => {
    for (const name of [
      "/etc",
      "C:\\x",
      "~/x",
      "\\\\host\\x",
      "a/../b",
      ".state",
      "a\0",
      "a".repeat(2000),
    ])
      assert.isUndefined(partsOf(name), name)
    assert.deepStrictEqual(partsOf("./Documents//a.txt"), ["Documents", "a.txt"])
  })
})

describe("what is listed", () => {
  it("has no links and nothing behind them", async () => {
    const { files } = await walk(root, 100, new AbortController().signal)
    assert.deepStrictEqual(
      files.map(({ path }) => path),
      ["Documents/a.txt"],
    )
  })
})

describe("what is written", () => {
  it("is the old text or the new one, never a part, and leaves no draft", async () => {
    const files = new KeptFiles(join(root, ".state"))
    const texts = Array.from({ length: 20 }, (_, at) => String(at).repeat(5000))
    const reads: Array<string> = []
    await Promise.all([
      ...texts.map((text) => files.keep("clipboard.txt", text)),
      ...texts.map(async () => {
        const kept = await files.kept("clipboard.txt", 100_000)
        if (kept !== undefined) reads.push(new TextDecoder().decode(kept.bytes))
      }),
    ])
    for (const read of reads) assert.include(texts, read)
    assert.deepStrictEqual(readdirSync(join(root, ".state")), ["clipboard.txt"])
    assert.include(texts, readFileSync(join(root, ".state", "clipboard.txt"), "utf8"))
  })

  it("goes nowhere when a link stands in its place", async () => {
    symlinkSync(outer, join(root, ".state"))
    const files = new KeptFiles(join(root, ".state"))
    const failure = await files.keep("clipboard.txt", "x").catch((error: unknown) => error)
    assert.instanceOf(failure, FilesFailed)
    assert.deepStrictEqual(readdirSync(outer).toSorted(), ["device", "secret.txt"])
  })
})
