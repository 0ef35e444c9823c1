/** The index `faiss` against what every index promises, and FAISS against arguments that could end the process. */
import { execFile } from "node:child_process"
import { hash } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { manifestOf, type Index } from "@planloom/plugin/effect"
import { embedded, ExactRanking } from "@planloom/retrieval"
import { indexSuite } from "@planloom/testing"
import { cases, seed } from "../../../../.config/cases.ts"
import manifest from "../package.json" with { type: "json" }
import { faissIndex } from "../src/faiss.ts"
import { FaissRanking, MIN_GRAPH } from "../src/FaissRanking.ts"
import plugin from "../src/index.ts"
import { loadFaiss, type Faiss } from "../src/loadFaiss.ts"
import { native, skipped } from "./nativeFaiss.ts"

const DIMENSIONS = 32

/** The sum of directions that the words of a text have. */
const vectorOf = (text: string): Float32Array => {
  const sum = new Float32Array(DIMENSIONS)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const bytes = hash("sha256", word, "buffer")
    for (let at = 0; at < DIMENSIONS; at++) sum[at]! += bytes[at]! / 127.5 - 1
  }
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

/** An index of a workflow with an embedder. */
const embeddedBy = (index: Index): Index => ({
  ...index,
  build: (documents) =>
    index.build(documents, {
      embedder: "test/words",
      embed: (texts) => Effect.succeed(texts.map(vectorOf)),
    }),
})

describe("the index embedded with an embedder", () => {
  indexSuite({ describe, it }, embeddedBy(embedded))
})

describe("the manifest", () => {
  it("says what the plugin contributes", () => {
    expect(manifest.planloom).toEqual(manifestOf(plugin))
  })
})

describe("without FAISS", () => {
  it("the first search fails with a message that says how to install it", async () => {
    const absent = faissIndex({}, () => loadFaiss("/nowhere"))
    const failure = await Effect.runPromise(Effect.flip(absent.build([])))
    expect(failure).toMatchObject({ _tag: "ModelFailed", class: "invalid_request" })
    expect(failure.message).toMatch(
      /^faiss-node is not installed in \/nowhere: install it with `npm install faiss-node`/,
    )
  })
})

const random = (start: number) => {
  let state = start
  return () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5
}

const cloud = (count: number, start: number) => {
  const next = random(start)
  const centers = Array.from({ length: 100 }, () => Float32Array.from({ length: DIMENSIONS }, next))
  return Array.from({ length: count }, (_, at) => {
    const one = centers[at % 100]!.map((value) => value + next() * 0.3)
    const length = Math.hypot(...one)
    return one.map((value) => value / length)
  })
}

describe.skipIf(skipped !== undefined)(
  `with FAISS${skipped === undefined ? "" : ` (${skipped})`}`,
  () => {
    const faiss = native as Faiss

    for (const kind of ["flat", "hnsw"] as const) {
      const index = faissIndex({ kind }, () => faiss)
      describe(`as ${kind}`, () => {
        indexSuite({ describe, it }, index)
        describe("and an embedder", () => {
          indexSuite({ describe, it }, embeddedBy(index))
        })
      })
    }

    it("finds after any changes what a comparison of all finds", () => {
      const id = fc.constantFrom("a", "b", "c", "d", "e")
      const vector = fc.nat({ max: 500 }).map((at) => cloud(501, 3)[at]!)
      const change = fc.tuple(id, fc.option(fc.array(vector, { minLength: 1, maxLength: 3 })))
      fc.assert(
        fc.property(
          fc.array(change, { maxLength: 20 }),
          vector,
          fc.subarray(["a", "b", "c"]),
          (changes, query, some) => {
            const [ranking, exact] = [new FaissRanking(faiss, "flat"), new ExactRanking()]
            for (const [name, vectors] of changes) {
              if (vectors === null) [ranking, exact].forEach((one) => one.remove(name))
              else [ranking, exact].forEach((one) => one.put(name, vectors))
              for (const isAllowed of [undefined, (one: string) => some.includes(one)])
                expect(ranking.nearest(query, isAllowed, 3)).toEqual(
                  exact.nearest(query, isAllowed, 3),
                )
            }
          },
        ),
        { numRuns: cases(30), seed },
      )
    })

    it(
      "answers while a graph is built, and then by the graph, without what was removed meanwhile",
      { timeout: 120_000 },
      async () => {
        const all = cloud(MIN_GRAPH, 5)
        const [ranking, exact] = [new FaissRanking(faiss, "hnsw"), new ExactRanking()]
        for (const [at, vector] of all.entries())
          for (const one of [ranking, exact]) one.put(`${at}`, [vector])
        const recall = () => {
          const shares = all.slice(0, 30).map((query) => {
            const wanted = exact.nearest(query, undefined, 10).map(({ id }) => id)
            return (
              ranking.nearest(query, undefined, 10).filter(({ id }) => wanted.includes(id)).length /
              10
            )
          })
          return shares.reduce((sum, share) => sum + share, 0) / shares.length
        }
        expect(recall()).toBe(1)
        for (const one of [ranking, exact]) {
          one.remove("7")
          one.put("8", [all[9]!])
          one.put("new", [all[10]!])
        }
        expect(recall()).toBe(1)
        await ranking.settled()
        expect(recall()).toBeGreaterThanOrEqual(0.9)
        expect(ranking.nearest(all[7]!, undefined, 100).map(({ id }) => id)).not.toContain("7")
        expect(ranking.nearest(all[10]!, undefined, 2).map(({ id }) => id)).toContain("new")
      },
    )

    it("no generated argument ends the process", { timeout: 120_000 }, async () => {
      const calls = join(import.meta.dirname, "hostileCalls.ts")
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [calls, `${cases(300)}`, `${seed}`],
        {
          env: { ...process.env, OMP_NUM_THREADS: "1" },
        },
      )
      expect(stdout).toBe("alive")
    })
  },
)
