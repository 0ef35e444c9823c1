/** The stage kind `search` against what every kind promises, and in a workflow. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import type { Declared, JsonObject } from "@planloom/plugin/effect"
import { stageKindSuite, type StageKindCase } from "@planloom/testing"
import { search } from "../src/search/search.ts"
import { DocumentTools } from "../src/source.ts"

const folder = mkdtempSync(join(tmpdir(), "search-"))
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}
write("talks/mon/edge.md", "# Edge\n\nComputing at the edge of the network.\n")
write("talks/tue/vision.md", "# Vision\n\nCameras that see computing at work.\n")
write("shops/robots.md", "# Robots\n\nWe deploy machine learning to robots.\n")

const source = new DocumentTools((): Declared => ({
  root: folder,
  roots: [],
  files: () => [],
  sections: () => [
    {
      path: join(folder, "planloom.yaml"),
      value: { talks: { folder: "talks" }, shops: { folder: "shops" } },
    },
  ],
}))

afterAll(() => {
  source.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Output {
  readonly found: boolean
  readonly text: string
  readonly empty: ReadonlyArray<string>
  readonly passages: ReadonlyArray<{ readonly path: string }>
  readonly results: ReadonlyArray<{
    readonly id: string
    readonly error?: string
    readonly unknown: ReadonlyArray<string>
    readonly passages: ReadonlyArray<{ readonly path: string }>
  }>
}

const one = (name: string, given: JsonObject, check: (output: Output) => void): StageKindCase => ({
  name,
  components: { tools: [source] },
  with: given,
  check: (output) => check(output as unknown as Output),
})

const paths = ({ passages }: Pick<Output, "passages">) => passages.map(({ path }) => path)

const cases: ReadonlyArray<StageKindCase> = [
  one(
    "searches once for each query and lists the libraries without a hit",
    { queries: ["computing network", { id: "need", query: "edge network", library: "talks" }] },
    (output) => {
      assert.isTrue(output.found)
      assert.deepStrictEqual(output.empty, ["shops"])
      assert.deepStrictEqual(
        output.results.map(({ id }) => id),
        ["1", "need"],
      )
      assert.deepStrictEqual(paths(output), ["mon/edge.md", "tue/vision.md"])
      assert.deepStrictEqual(paths(output.results[1]!), ["mon/edge.md"])
    },
  ),
  one(
    "finds nothing where no passage has the word",
    { queries: ["quantum computing"] },
    (output) => {
      assert.isFalse(output.found)
      assert.deepStrictEqual(output.empty, ["talks", "shops"])
      assert.deepStrictEqual(output.results[0]!.unknown, ["quantum"])
      assert.strictEqual(
        output.text,
        'Nothing is found for "quantum computing": no passage has enough of its words. No document has "quantum". Nothing is found in talks, shops.',
      )
    },
  ),
  one(
    "joins the passages of the queries that find something",
    { queries: ["quantum computing", "robots"] },
    (output) => {
      assert.deepStrictEqual(paths(output), ["robots.md"])
      assert.isNotEmpty(output.results[0]!.passages)
    },
  ),
  one(
    "finds nothing outside of its `where`, whatever the filter of a query",
    {
      queries: [
        { query: "computing", filter: { folder: ["mon", "tue"] } },
        { query: "computing", filter: { folder: "mon" } },
      ],
      library: "talks",
      where: { folder: "tue" },
    },
    ({ results }) => assert.deepStrictEqual(results.map(paths), [["tue/vision.md"], []]),
  ),
  one(
    "takes what a query lacks from the stage",
    { queries: ["computing", { query: "computing", limit: 2 }], limit: 1, library: "talks" },
    ({ results }) =>
      assert.deepStrictEqual(
        results.map(({ passages }) => passages.length),
        [1, 2],
      ),
  ),
  one(
    "leaves out what is below the threshold",
    { queries: [{ query: "computing network", threshold: 0.9 }] },
    (output) => assert.deepStrictEqual(paths(output), ["mon/edge.md"]),
  ),
  one("searches nothing without queries", { queries: [] }, ({ empty, found }) => {
    assert.isFalse(found)
    assert.deepStrictEqual(empty, [])
  }),
  one(
    "keeps the reason of a query that cannot be searched",
    { queries: [{ query: "a", filter: { speaker: "x" } }, "robots"], on_query_error: "keep" },
    ({ found, results }) => {
      assert.isTrue(found)
      assert.strictEqual(
        results[0]!.error,
        "no library has the facet speaker: talks has folder; shops has folder",
      )
    },
  ),
  {
    components: { tools: [source] },
    name: "refuses a facet that no library has",
    with: { queries: [{ query: "a", filter: { speaker: "x" } }] },
    fails: "invalid_request",
  },
]

stageKindSuite({ describe, it }, search, cases)
