/** The index of a folder: the same after any syncs as a fresh one, with hits that say what they rest on. */
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentIndex, isFound, type DocumentFolder } from "../src/index.ts"
import { startSync } from "./startSync.ts"

const { signal } = new AbortController()

let base: string
let root: string
let opened: Array<DocumentIndex>

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "planloom-documents-"))
  root = join(base, "folder")
  mkdirSync(root)
  opened = []
})

afterEach(() => {
  for (const index of opened) index.close()
  rmSync(base, { recursive: true, force: true })
})

const write = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

let made = 0
const open = (options: Partial<DocumentFolder> = {}, path = join(base, `${made++}.sqlite`)) => {
  const index = new DocumentIndex(path, { folder: { root, ...options } })
  opened.push(index)
  return index
}

const synced = async (options: Partial<DocumentFolder> = {}) => {
  const index = open(options)
  await index.sync({ signal })
  return index
}

const queries = ["refund parcel", "two refunds", "Kundigung", "rain", "parcels in the rain", "five"]
const answers = (index: DocumentIndex) => queries.map((query) => index.search(query, { limit: 50 }))

describe("a sync", () => {
  const text = fc
    .array(
      fc.constantFrom(
        "refund",
        "parcel",
        "Kündigung",
        "rain",
        "five days",
        "\n\n",
        "\n## Rain\n",
        "\n# B\n",
      ),
      { maxLength: 12 },
    )
    .map((all) => all.join(" "))
  const change = fc.record({
    path: fc.constantFrom("a.md", "b.md", "c.txt", "deep/d.md", "deep/e.csv"),
    text: fc.option(text),
  })

  it("leaves the index equal to a fresh one, after any changes and syncs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 5 }),
        async (rounds) => {
          rmSync(root, { recursive: true, force: true })
          mkdirSync(root)
          const index = open()
          for (const round of rounds) {
            for (const one of round)
              if (one.text === null) rmSync(join(root, one.path), { force: true })
              else write(one.path, one.text)
            await index.sync({ signal })
          }
          await index.sync({ signal })
          const fresh = await synced()
          expect(answers(index)).toEqual(answers(fresh))
          expect({ ...index.status(), synced: 0 }).toEqual({ ...fresh.status(), synced: 0 })
        },
      ),
      { numRuns: cases(25), seed },
    )
  })

  it("reports what was added, changed, removed, cannot be read, and is cut", async () => {
    write("a.md", "# A\n\nOne parcel.")
    write("b.md", "# B\n\nTwo parcels.")
    write("bin.txt", new Uint8Array([1, 0, 2]))
    write("damaged.pdf", "no PDF")
    write("long.txt", "parcel word\n".repeat(400_000))
    write("photo.jpg", "not a document")
    symlinkSync("/etc/hostname", join(root, "link.md"))
    const index = open()
    expect(await index.sync({ signal })).toEqual({
      added: ["a.md", "b.md", "bin.txt", "damaged.pdf", "long.txt"],
      changed: [],
      removed: [],
      unreadable: [
        { path: "bin.txt", reason: "it is not text" },
        { path: "damaged.pdf", reason: "it is damaged" },
      ],
      cut: [{ path: "long.txt", reason: "only its first 4 MB are read" }],
      left: false,
      isBehind: false,
    })
    write("a.md", "# A\n\nOne refund.")
    rmSync(join(root, "b.md"))
    rmSync(join(root, "long.txt"))
    write("bin.txt", "readable now")
    const next = await index.sync({ signal })
    expect(next).toMatchObject({
      added: [],
      changed: ["a.md", "bin.txt"],
      removed: ["b.md", "long.txt"],
      cut: [],
    })
    expect(next.unreadable.map(({ path }) => path)).toEqual(["damaged.pdf"])
    expect(index.search("parcels", { limit: 9 }).hits).toEqual([])
  })

  it("takes the files that patterns name", async () => {
    write("a.md", "parcel")
    write("notes/b.md", "parcel")
    write("notes/draft.md", "parcel")
    const index = await synced({ include: ["notes/**/*.md"], exclude: ["**/draft.*"] })
    expect(index.search("parcel", { limit: 9 }).hits.map(({ path }) => path)).toEqual([
      "notes/b.md",
    ])
  })

  it("reads a file again that has other text of the same size and time", async () => {
    write("a.md", "one parcel")
    const index = await synced()
    write("a.md", "one refund")
    await index.sync({ signal })
    expect(index.search("refund", { limit: 9 }).hits).toHaveLength(1)
  })

  it("of a file that is not an index fails with its name", () => {
    writeFileSync(join(base, "text.sqlite"), "not a database, but a text of some length")
    expect(() => open({}, join(base, "text.sqlite"))).toThrow(
      "the index text.sqlite cannot be opened (file is not a database): delete it",
    )
  })

  it("of a folder that is away fails, and the index still answers", async () => {
    write("a.md", "one parcel")
    const index = await synced()
    rmSync(root, { recursive: true })
    await expect(index.sync({ signal })).rejects.toThrow("there is no folder")
    expect(index.search("parcel", { limit: 9 }).hits).toHaveLength(1)
  })

  it("that is killed leaves each file as it was or as it is, and the next sync completes it", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${at}.md`)
    const fill = (words: string) => {
      for (const name of names) write(name, `# File ${name}\n\n${`${words} `.repeat(400)}`)
    }
    const path = join(base, "killed.sqlite")
    fill("One parcel.")
    const before = await synced()
    const first = open({}, path)
    await first.sync({ signal })
    first.close()
    opened = opened.filter((one) => one !== first)
    fill("Two refunds.")
    const after = await synced()
    let kills = 0
    for (let round = 1; round <= cases(3); round++) {
      const child = startSync(path, root)
      const ended = once(child, "exit")
      for await (const line of createInterface({ input: child.stdout }))
        if (Number(line) >= (round * 7) % 20) child.kill("SIGKILL")
      if ((await ended)[1] === "SIGKILL") kills++
      const index = open({}, path)
      expect(index.status().files).toBe(names.length)
      for (const name of names)
        expect([before.show(name), after.show(name)]).toContainEqual(index.show(name))
    }
    expect(kills).toBeGreaterThan(0)
    const index = open({}, path)
    await index.sync({ signal })
    expect(answers(index)).toEqual(answers(after))
  })

  it("of one process is seen by the open index of another, and two at once end equal", async () => {
    write("a.md", "one parcel")
    const [one, other] = [open({}, join(base, "both")), open({}, join(base, "both"))]
    await Promise.all([one.sync({ signal }), other.sync({ signal })])
    expect(answers(one)).toEqual(answers(other))
    write("b.md", "a parcel in the rain")
    await one.sync({ signal })
    expect(other.search("rain", { limit: 9 }).hits.map(({ path }) => path)).toEqual(["b.md"])
  })
})

describe("a hit", () => {
  beforeEach(() => {
    write(
      "talks.md",
      "# Talks\n\n## Edge\n\nComputing at the edge of the network.\n\n## Vision\n\nCameras that see.\n",
    )
    write("terms.md", "# Terms\n\n## Kündigung\n\nDie Kündigung ist schriftlich.\n")
  })

  it("says which words of the query it has and lacks", async () => {
    const index = await synced()
    const { hits, unknown } = index.search("What is quantum computing?", { limit: 5 })
    expect(unknown).toEqual(["quantum"])
    expect(hits).toMatchObject([
      {
        path: "talks.md",
        by: "words",
        matched: ["computing"],
        missing: ["quantum"],
        headings: ["Talks", "Edge"],
        lines: [3, 5],
      },
    ])
    expect(hits[0]!.score).toBe(0.5)
    expect(hits.some((hit) => isFound(hit))).toBe(false)
    expect(index.search("edge computing", { limit: 5 }).hits).toMatchObject([
      { score: 1, missing: [] },
    ])
  })

  it("is found without diacritics and in another form of the word", async () => {
    const index = await synced()
    expect(index.search("kundigung", { limit: 5 }).hits).toMatchObject([
      { path: "terms.md", missing: [] },
    ])
    expect(index.search("camera", { limit: 5 }).hits).toMatchObject([
      { path: "talks.md", missing: [] },
    ])
  })

  it("has an id that shows it", async () => {
    const index = await synced()
    const [hit] = index.search("edge computing", { limit: 5 }).hits
    expect(index.show(hit!.id)).toMatchObject([{ path: "talks.md", text: hit!.text }])
    expect(index.show("talks.md")).toHaveLength(2)
    expect(index.show("none")).toEqual([])
  })

  it("counts the words of any query, whatever else it holds", async () => {
    const index = await synced()
    const part = fc.oneof(
      fc.constantFrom(
        "computing",
        'edge"',
        "AND",
        "NOT",
        "NEAR(",
        "text:",
        "^",
        "*",
        "state-of-the-art",
        "\0",
        "'; DROP TABLE words",
      ),
      fc.string({ unit: "binary" }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const { hits } = index.search(`${parts.join(" ")} computing`, { limit: 50 })
        for (const { matched, missing, score } of hits) {
          expect(matched.length).toBeGreaterThan(0)
          expect(matched.filter((word) => missing.includes(word))).toEqual([])
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: cases(200), seed },
    )
    expect(index.search("computing", { limit: 5 }).hits).toHaveLength(1)
  })
})
