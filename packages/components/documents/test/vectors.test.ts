/** Vectors of passages: embedded once, equal to a fresh index, near by codes as by an exact scan, refused if unusable. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentIndex, isFound } from "../src/index.ts"
import { DocumentFile } from "../src/index/DocumentFile.ts"
import { addPassage, removePassages } from "../src/index/passages.ts"
import { conditionOf } from "../src/index/Scope.ts"
import { codeOf, nearestCodes } from "../src/vectors/codes.ts"
import { embedPassages, type PassageEmbedder } from "../src/vectors/embedPassages.ts"
import { MIN_RECALL } from "../src/vectors/measureCodes.ts"
import { Vectors } from "../src/vectors/Vectors.ts"
import { wordEmbedder, wordVector } from "./WordEmbedder.ts"

let folder: string
let opened: Array<DocumentIndex | DocumentFile> = []
const { signal } = new AbortController()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vectors-"))
})

afterEach(() => {
  for (const one of opened) one.close()
  opened = []
  rmSync(folder, { recursive: true })
})

const write = (files: { readonly [path: string]: string }) => {
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, "docs", path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
}

const indexAt = (name: string): DocumentIndex => {
  const index = new DocumentIndex(join(folder, name), { folder: { root: join(folder, "docs") } })
  opened.push(index)
  return index
}

const synced = async (index: DocumentIndex, embedder: PassageEmbedder) => {
  await index.sync({ signal })
  return index.embed(embedder, signal)
}

describe("the vectors of an index", () => {
  it("are asked for once for each text, also when it moves to another file", async () => {
    const embedder = wordEmbedder()
    write({ "a.md": "# A\nred apples\n# B\ngreen pears\n", "b.md": "# A\nred apples\n" })
    const index = indexAt("index.sqlite")
    expect(await synced(index, embedder)).toEqual({ embedded: 3, passages: 3, sent: 2 })
    rmSync(join(folder, "docs/a.md"))
    write({ "c.md": "# B\ngreen pears\n# C\nblue plums\n" })
    embedder.sent.length = 0
    expect(await synced(index, embedder)).toEqual({ embedded: 3, passages: 3, sent: 1 })
    expect(embedder.sent).toEqual(["C\n# C\nblue plums"])
  })

  it("are gone with their texts", async () => {
    write({ "a.md": "# A\nred apples\n", "b.md": "# B\ngreen pears\n" })
    const index = indexAt("index.sqlite")
    await synced(index, wordEmbedder())
    rmSync(join(folder, "docs/a.md"))
    await synced(index, wordEmbedder())
    const file = new DocumentFile(join(folder, "index.sqlite"))
    opened.push(file)
    for (const table of ["vectors", "codes", "embedded"])
      expect(file.get(`SELECT count(*) AS n FROM ${table}`)).toEqual({ n: 1 })
  })

  it("find after any changes what those of a fresh index find", async () => {
    const word = fc.constantFrom(
      "red",
      "green",
      "blue",
      "apples",
      "pears",
      "plums",
      "ripe",
      "sweet",
    )
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))
    const file = fc.array(text, { minLength: 1, maxLength: 3 })
    const change = fc.tuple(fc.constantFrom("a.md", "b.md", "c.md"), fc.option(file))
    const apply = (changes: ReadonlyArray<readonly [string, ReadonlyArray<string> | null]>) => {
      for (const [path, sections] of changes) {
        if (sections === null) rmSync(join(folder, "docs", path), { force: true })
        else write({ [path]: sections.map((one, at) => `# ${at}\n${one}\n`).join("") })
      }
    }
    write({ "d.md": "# D\nripe plums\n" })
    const kept = indexAt("kept.sqlite")
    let fresh = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        text,
        async (changes, query) => {
          apply(changes)
          await synced(kept, wordEmbedder())
          const other = indexAt(`fresh${fresh++}.sqlite`)
          await synced(other, wordEmbedder())
          const hits = (index: DocumentIndex) =>
            index
              .searchBoth(query, wordVector(query), { limit: 100 })
              .hits.map(({ chars, cosine, matched, path }) => ({
                path,
                chars,
                cosine: cosine?.toFixed(5),
                matched,
              }))
              .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
          expect(hits(kept)).toEqual(hits(other))
        },
      ),
      { numRuns: cases(20), seed },
    )
  })

  it("are kept as far as they came when the sync is interrupted, and seen by other processes", async () => {
    write(
      Object.fromEntries(
        Array.from({ length: 150 }, (_, at) => [`${at}.md`, `# T\ntext number${at}\n`]),
      ),
    )
    const index = indexAt("index.sqlite")
    await index.sync({ signal })
    const stop = new AbortController()
    const all = wordEmbedder()
    const broken: PassageEmbedder = {
      ...all,
      embed: async (texts, at) => {
        if (all.sent.length > 0) stop.abort()
        return all.embed(texts, at)
      },
    }
    await expect(index.embed(broken, stop.signal)).rejects.toThrow("aborted")
    const other = indexAt("index.sqlite")
    const hit = () =>
      other.searchBoth("text number7", wordVector("T\n# T\ntext number7"), { limit: 1 }).hits[0]!
    expect(hit().path).toBe("7.md")
    const rest = wordEmbedder()
    expect(await index.embed(rest, signal)).toMatchObject({ embedded: 150, sent: rest.sent.length })
    expect(rest.sent.length).toBeLessThan(100)
    expect(hit()).toMatchObject({ path: "7.md", by: "words" })
    expect(hit().cosine).toBeCloseTo(1, 4)
  })

  it.each([
    [
      "that are not finite",
      (all: ReadonlyArray<Float32Array>) =>
        all.map((one, at) => (at === 1 ? one.fill(Number.NaN) : one)),
      "no numbers",
    ],
    ["of zeros", (all: ReadonlyArray<Float32Array>) => all.map((one) => one.fill(0)), "no numbers"],
    [
      "of another length",
      (all: ReadonlyArray<Float32Array>) => all.map((one) => one.slice(1)),
      "another length than 64",
    ],
    ["too few", (all: ReadonlyArray<Float32Array>) => all.slice(1), "gives 1 vectors for 2 texts"],
    ["none at all", () => undefined, "no vectors now"],
  ] as const)("%s are refused, and words still find", async (_, change, problem) => {
    write({ "a.md": "# A\nred apples\n", "b.md": "# B\ngreen pears\n" })
    const index = indexAt("index.sqlite")
    const report = await synced(index, wordEmbedder([], change))
    expect(report).toMatchObject({ embedded: 0, passages: 2 })
    expect(report.problem).toContain(problem)
    const { hits } = index.searchBoth("apples", wordVector("apples"), { limit: 5 })
    expect(hits.map(({ by, path }) => ({ by, path }))).toEqual([{ by: "words", path: "a.md" }])
  })

  it("of another model replace those before", async () => {
    write({ "a.md": "# A\nred apples\n" })
    const index = indexAt("index.sqlite")
    await synced(index, wordEmbedder())
    expect(await synced(index, { ...wordEmbedder(), model: "test/other" })).toMatchObject({
      sent: 1,
    })
    expect(index.embedding()).toMatchObject({ model: "test/other", dimensions: 64 })
  })
})

describe("a hit by meaning", () => {
  const same = [
    ["cost", "price", "fee"],
    ["return", "refund"],
  ]
  const corpus = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `${at}.md`,
      `# T${at}\nnote${at} about subject${at} and thing${at}\n`,
    ]),
  )

  it("is found without a word of the query, and says what is missing", async () => {
    write({ ...corpus, "fees.md": "# Fees\nthe fee of a refund\n" })
    const index = indexAt("index.sqlite")
    await synced(index, wordEmbedder(same))
    const [first] = index.searchBoth("price return", wordVector("price return", same), {
      limit: 3,
    }).hits
    expect(first).toMatchObject({
      path: "fees.md",
      by: "meaning",
      matched: [],
      missing: ["price", "return"],
      isNear: true,
    })
    expect(isFound(first!)).toBe(true)
  })

  it("counts as nothing where it is no nearer than unrelated passages are to each other", async () => {
    write(corpus)
    const index = indexAt("index.sqlite")
    await synced(index, wordEmbedder(same))
    const { hits } = index.searchBoth("quantum computing", wordVector("quantum computing"), {
      limit: 5,
    })
    expect(hits.length).toBeGreaterThan(0)
    expect(hits.filter(isFound)).toEqual([])
  })

  it("stays within the scope", async () => {
    write({ "x/a.md": "# A\nthe fee\n", "y/a.md": "# A\nthe fee again\n" })
    const index = indexAt("index.sqlite")
    await synced(index, wordEmbedder(same))
    const { hits } = index.searchBoth("price", wordVector("price", same), {
      limit: 5,
      where: [{ folder: ["y"] }],
    })
    expect(hits.map(({ path }) => path)).toEqual(["y/a.md"])
  })
})

describe("a search with a limit and a threshold", () => {
  it("gives the first hits of the whole ranking that reach it", async () => {
    const words = ["red", "green", "blue", "ripe", "sweet", "sour", "apples", "pears"]
    const some = fc.subarray(words, { minLength: 1 })
    const files = Array.from({ length: 60 }, (_, at): readonly [string, string] => [
      `${at}.md`,
      `# ${words[at % 8]}\n${words.filter((_word, bit) => (at * 37) & (1 << bit)).join(" ")} x${at}\n`,
    ])
    write(Object.fromEntries(files))
    const index = indexAt("index.sqlite")
    await synced(index, wordEmbedder())
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (query, limit, threshold, isBoth) => {
          const text = query.join(" ")
          const search = (options: { readonly limit: number; readonly threshold?: number }) =>
            isBoth
              ? index.searchBoth(text, wordVector(text), options).hits
              : index.search(text, options).hits
          const all = search({ limit: 200 }).filter(({ score }) => score >= threshold)
          expect(search({ limit, threshold })).toEqual(all.slice(0, limit))
        },
      ),
      { numRuns: cases(100), seed },
    )
  })
})

describe("codes", () => {
  it("give the nearest by bits, whatever the numbers", () => {
    const vector = fc.float32Array({
      minLength: 40,
      maxLength: 40,
      noNaN: true,
      noDefaultInfinity: true,
    })
    fc.assert(
      fc.property(
        fc.array(vector, { minLength: 1, maxLength: 30 }),
        vector,
        fc.integer({ min: 1, max: 10 }),
        (all, query, wanted) => {
          const codes = new Uint32Array(all.flatMap((one) => [...codeOf(one)]))
          const far = (one: Float32Array) =>
            [...one].filter((value, at) => value > 0 !== query[at]! > 0).length
          const found = nearestCodes(codeOf(query), codes, all.length, wanted, () => true)
          const limit = all.map(far).toSorted((a, b) => a - b)[Math.min(wanted, all.length) - 1]!
          expect(found).toEqual(all.flatMap((one, at) => (far(one) <= limit ? [at] : [])))
        },
      ),
      { numRuns: cases(200), seed },
    )
  })

  it("are used where they find as much as the exact scan on these vectors, else all are compared", async () => {
    for (const isKind of [true, false]) {
      const { file, vectors, all } = await largeIndex(isKind)
      const { candidates, recall } = vectors.embedding()!
      if (isKind) expect(recall).toBeGreaterThanOrEqual(MIN_RECALL)
      expect(candidates === undefined).toBe(recall! < MIN_RECALL)
      expect(candidates !== undefined).toBe(isKind)
      const condition = conditionOf({})
      const shares = all.slice(0, 40).map((query) => {
        const exact = vectors.exact(query, 10).map(({ id }) => id)
        const near = file.read(() => vectors.nearest(query, 10, condition)).map(({ id }) => id)
        return near.filter((id) => exact.includes(id)).length / 10
      })
      expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(
        0.93,
      )
    }
  })
})

/** Vectors around centers, of which codes keep the neighbors; or all in one narrow cone, of which they do not. */
const largeIndex = async (isKind: boolean) => {
  const file = new DocumentFile(":memory:")
  opened.push(file)
  const count = 6000
  let state = 7
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5
  const dimensions = 64
  const noise = (size: number) => Float32Array.from({ length: dimensions }, () => random() * size)
  const centers = Array.from({ length: 300 }, () => noise(1))
  const all = Array.from({ length: count }, (_, at) => {
    const center = isKind ? centers[at % centers.length]! : new Float32Array(dimensions).fill(1)
    const some = noise(isKind ? 0.3 : 0.5)
    return center.map((value, dimension) => value + some[dimension]!)
  })
  file.write(() => {
    for (let at = 0; at < count; at++)
      addPassage(
        file,
        "rows.csv",
        at,
        {
          id: `${at}`,
          headings: [],
          lines: [at, at],
          chars: [at, at + 1],
          page: 1,
          isBare: false,
          text: `${at}`,
        },
        false,
      )
  })
  const vectors = new Vectors(file)
  const embedder: PassageEmbedder = {
    model: "test/large",
    dimensions,
    embed: async (texts) => texts.map((text) => all[Number(text)]!),
  }
  await embedPassages(file, vectors, embedder, signal)
  // The memory of codes is from before: those of removed vectors must not be found.
  file.write(() => removePassages(file, "gone.csv"))
  return { file, vectors, all }
}
