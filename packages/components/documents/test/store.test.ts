/** The file of an index: one sync at a time of all processes, and nothing left of what was removed. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DocumentIndex, type LibrarySources } from "../src/index.ts"
import { forgetInFolder } from "../src/manage.ts"
import { INDEX_FOLDER } from "../src/sets/readSets.ts"
import { chunksOf } from "../src/chunk/chunksOf.ts"
import { DocumentFile } from "../src/index/DocumentFile.ts"
import { withSyncLock } from "../src/index/syncLock.ts"
import { syncSources } from "../src/index/syncSources.ts"
import type { Source, SourceItem } from "../src/sources/Source.ts"
import { wordEmbedder } from "./WordEmbedder.ts"
import { startSync } from "./startSync.ts"

const { signal } = new AbortController()

let base: string
let root: string
let opened: Array<DocumentIndex>

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "planloom-store-"))
  root = join(base, "docs")
  mkdirSync(root)
  mkdirSync(join(base, INDEX_FOLDER), { recursive: true })
  opened = []
})

afterEach(() => {
  for (const index of opened) index.close()
  rmSync(base, { recursive: true, force: true })
})

/** Long ago: a sync reads it once. */
const write = (name: string, text: string) => {
  writeFileSync(join(root, name), text)
  utimesSync(join(root, name), 1_000_000_000, 1_000_000_000)
}

const path = () => join(base, INDEX_FOLDER, "docs-0a1b2c3d.sqlite")

const open = (sources: LibrarySources = { folder: { root } }) => {
  const index = new DocumentIndex(path(), sources)
  opened.push(index)
  return index
}

/** All bytes of the index and what lies beside it. */
const bytes = () =>
  readdirSync(join(base, INDEX_FOLDER))
    .map((name) => readFileSync(join(base, INDEX_FOLDER, name), "latin1"))
    .join("")

/** The files that a process reads in a sync. */
const readByProcess = async (): Promise<ReadonlyArray<string>> => {
  const child = startSync(path(), root)
  const lines: Array<string> = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  return lines
}

describe("several processes that sync at once", () => {
  it("read each file once", async () => {
    for (let at = 0; at < 150; at++) write(`${at}.md`, `# File ${at}\n\nParcels of ${at}.\n`)
    const read = await Promise.all([readByProcess(), readByProcess(), readByProcess()])
    expect(read.flat()).toHaveLength(150)
    expect(await readByProcess()).toEqual([])
    expect(open().status().files).toBe(150)
  })
})

describe("a sync during whose listing another one ends", () => {
  const item = (name: string, stamp: string, reads: Array<string>): SourceItem => ({
    path: name,
    stamp,
    isSettled: () => true,
    read: async () => {
      reads.push(`${name} ${stamp}`)
      return { chunks: chunksOf(name, `A parcel of ${stamp}.`, "plain"), isPaged: false }
    },
  })
  const sourceOf = (
    items: ReadonlyArray<SourceItem>,
    meanwhile?: () => Promise<unknown>,
  ): Source => ({
    list: async () => {
      await meanwhile?.()
      return { items, unreadable: [], left: false }
    },
  })

  it("neither reads again what that one has read, nor removes what it has added", async () => {
    const file = new DocumentFile(path())
    const reads: Array<string> = []
    const sync = (source: Source) =>
      syncSources({ path: path(), file, sources: [source] }, { signal })
    try {
      await sync(sourceOf([item("a", "one", reads), item("gone", "one", reads)]))
      const [a, b] = [item("a", "two", reads), item("b", "one", reads)]
      const report = await sync(sourceOf([a], () => sync(sourceOf([a, b]))))
      expect(report).toMatchObject({ added: [], changed: [], removed: [] })
      expect(reads).toEqual(["a one", "gone one", "a two", "b one"])
      const paths = file.all("SELECT path FROM files ORDER BY path").map((row) => row["path"])
      expect(paths).toEqual(["a", "b"])
    } finally {
      file.close()
    }
  })
})

describe("a sync while another one is at work", () => {
  const whileLocked = (work: () => Promise<void>) => withSyncLock(path(), { signal }, work)

  it("ends after its patience, with the index as of before", async () => {
    write("a.md", "One parcel.")
    const index = open()
    await index.sync({ signal })
    write("b.md", "Two parcels.")
    await whileLocked(async () => {
      const report = await index.sync({ signal, patience: 0 })
      expect(report).toMatchObject({ added: [], isBehind: true })
      expect(index.search("parcel", { limit: 9 }).hits).toHaveLength(1)
    })
    expect(await index.sync({ signal, patience: 0 })).toMatchObject({
      added: ["b.md"],
      isBehind: false,
    })
  })

  it("waits if the index was never synced, until it is aborted", async () => {
    write("a.md", "One parcel.")
    const index = open()
    await whileLocked(async () => {
      await expect(index.sync({ signal: AbortSignal.timeout(100), patience: 0 })).rejects.toThrow(
        "abort",
      )
    })
  })

  it("with nothing to read does not wait", async () => {
    write("a.md", "One parcel.")
    const index = open()
    await index.sync({ signal })
    await whileLocked(async () => {
      expect(await index.sync({ signal })).toMatchObject({ isBehind: false })
    })
  })

  it("embeds nothing a second time", async () => {
    write("a.md", "One parcel.")
    const index = open()
    await index.sync({ signal })
    const embedder = wordEmbedder()
    await whileLocked(async () => {
      expect(await index.embed(embedder, signal, 0)).toMatchObject({ sent: 0, embedded: 0 })
    })
    expect(await index.embed(embedder, signal)).toMatchObject({ sent: 1, embedded: 1 })
  })
})

describe("what is removed", () => {
  // A word that no other one begins like: the words of an index share their beginnings.
  const SECRET = "qzxwsecret"

  it("from a folder leaves no byte in the index once it is purged", async () => {
    for (let at = 0; at < 50; at++) write(`${at}.md`, `# File ${at}\n\nParcels of ${at}.\n`)
    write("person.md", `# ${SECRET}\n\nAbout ${SECRET}.\n`)
    const index = open()
    await index.sync({ signal })
    await index.embed(wordEmbedder(), signal)
    expect(bytes()).toContain(SECRET)
    rmSync(join(root, "person.md"))
    await index.sync({ signal })
    expect(index.search(SECRET, { limit: 9 }).hits).toEqual([])
    index.purge()
    expect(bytes()).not.toContain(SECRET)
    expect(index.search("parcels", { limit: 9 }).hits).toHaveLength(9)
  })

  const rows = (...owners: ReadonlyArray<string>) =>
    write(
      "orders.csv",
      `id,owner,text\n${owners.map((owner, at) => `${at},${owner},parcel ${at} of ${owner}`).join("\n")}\n`,
    )
  const orders = (): LibrarySources => ({
    rows: [{ file: join(root, "orders.csv"), name: "orders.csv", key: "id" }],
    user: "owner",
  })

  it("about a user leaves no byte, also in the index of a library that is not declared any more", async () => {
    rows("ada", SECRET, "bob", SECRET)
    const index = open(orders())
    await index.sync({ signal })
    await index.embed(wordEmbedder(), signal)
    index.close()
    opened = []
    expect(bytes()).toContain(SECRET)
    expect(forgetInFolder(base, SECRET)).toEqual([
      { library: "docs", passages: 2, files: ["orders.csv"] },
    ])
    expect(bytes()).not.toContain(SECRET)
    expect(forgetInFolder(base, SECRET)).toEqual([])
    expect(forgetInFolder(join(base, "no project"), SECRET)).toEqual([])
    const after = open(orders())
    await after.sync({ signal })
    expect(after.search("parcel", { limit: 9 }).hits.map(({ headings }) => headings[0])).toEqual([
      "0",
      "2",
    ])
  })

  it("about a user comes back with a change of the file that still has it", async () => {
    rows("ada", "bob")
    const index = open(orders())
    await index.sync({ signal })
    expect(index.forgetUser("ada")).toEqual({ passages: 1, files: ["orders.csv"] })
    expect(index.forgetUser("gone")).toEqual({ passages: 0, files: [] })
    expect(index.search("parcel", { limit: 9 }).hits).toHaveLength(1)
    rows("ada", "bob", "cai")
    await index.sync({ signal })
    expect(index.search("parcel", { limit: 9 }).hits).toHaveLength(3)
  })

  it("of a library without `user` is no one's: a facet of the same value stays", async () => {
    rows("ada", "bob")
    const { rows: files = [] } = orders()
    const index = open({ rows: files, facets: ["owner"] })
    await index.sync({ signal })
    expect(index.forgetUser("ada").passages).toBe(0)
  })
})
