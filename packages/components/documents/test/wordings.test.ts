/** Other wordings of a query: passages are ranked by the words of all, and each rests on those of one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentIndex, isFound, type Hit } from "../src/index.ts"
import { wordEmbedder, wordVector } from "./WordEmbedder.ts"

const { signal } = new AbortController()

/** An index of texts, one a file. */
const using = async (
  texts: ReadonlyArray<string>,
  work: (index: DocumentIndex) => void | Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "wordings-"))
  const root = join(folder, "docs")
  mkdirSync(root)
  for (const [at, one] of texts.entries()) writeFileSync(join(root, `${at}.txt`), one)
  const index = new DocumentIndex(join(folder, "index.sqlite"), { folder: { root } })
  try {
    await index.sync({ signal })
    await work(index)
  } finally {
    index.close()
    rmSync(folder, { recursive: true })
  }
}

const LIMIT = 50

/** Not spelled nearly the same, so that none is read as another. */
const words = ["apple", "banjo", "cedar", "drum", "ember", "fjord", "glove", "hinge"]
const word = fc.constantFrom(...words)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(" "))

const evidenceOf = ({ matched, missing, score }: Hit) => ({ matched, missing, score })

describe("a query with other wordings", () => {
  it("finds each passage by the query or the wording that it answers best, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.array(text, { minLength: 1, maxLength: 4 }),
        (passages, asked) =>
          using(passages, (index) => {
            const [query = "", ...wordings] = asked
            const together = index.search(query, { limit: LIMIT, wordings })
            const apart = asked.map((one) => index.search(one, { limit: LIMIT }))
            const all = new Set(apart.flatMap(({ hits }) => hits.map(({ id }) => id)))
            expect(new Set(together.hits.map(({ id }) => id))).toEqual(all)
            expect(together.unknown).toEqual(apart[0]!.unknown)
            for (const hit of together.hits) {
              const own = apart.map(({ hits }) => hits.find(({ id }) => id === hit.id))
              for (const threshold of [0, 0.2, 0.4, 0.7, 1])
                expect(isFound(hit, threshold)).toBe(
                  own.some((one) => one !== undefined && isFound(one, threshold)),
                )
              const by = hit.wording === undefined ? 0 : 1 + wordings.indexOf(hit.wording)
              expect(evidenceOf(hit)).toEqual(evidenceOf(own[by]!))
            }
          }),
      ),
      { numRuns: cases(40), seed },
    )
  })

  it("finds in the words of a document what the query says in others, and reports by which wording", () =>
    using(["Images are PNG or JPEG, up to 5 MB each.", "A picture of the harbor."], (index) => {
      const asked = "which photo formats are allowed"
      expect(index.search(asked, { limit: 5 }).hits).toEqual([])
      const { hits, unknown } = index.search(asked, { limit: 5, wordings: ["images png jpeg"] })
      expect(hits.map(({ path, wording }) => [path, wording])).toEqual([
        ["0.txt", "images png jpeg"],
      ])
      expect(hits.every((hit) => isFound(hit))).toBe(true)
      expect(unknown).toEqual(["photo", "formats", "allowed"])
    }))

  it("is ranked by the words of all: a passage with those of two is before one with those of the query", () =>
    using(["an engine", "a motor that turns the wheels of cars", "a wheel"], (index) => {
      const first = (wordings: ReadonlyArray<string>) =>
        index.search("engine", { limit: 1, wordings }).hits.map(({ path }) => path)
      expect(first([])).toEqual(["0.txt"])
      expect(first(["motor of a car", "turning wheels"])).toEqual(["1.txt"])
    }))

  it("is no evidence by one word of several of a wording", () =>
    using(["Computing at the edge."], (index) => {
      const { hits } = index.search("qubits", { limit: 5, wordings: ["quantum computing"] })
      expect(hits.map((hit) => [hit.missing, isFound(hit)])).toEqual([[["quantum"], false]])
    }))

  it("is found without any word, by its meaning", () =>
    using(["An apple a day.", "Drums and banjos."], async (index) => {
      await index.embed(wordEmbedder(), signal)
      const { hits } = index.searchBoth("?", wordVector("apple"), { limit: 5, wordings: ["!"] })
      expect(hits.map(({ by, missing, path }) => [path, by, missing])[0]).toEqual([
        "0.txt",
        "meaning",
        [],
      ])
    }))
})
