/** The words people ask with are content: the shipped catalog, and a project's own beside it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { analyses, askedGrains, outputs } from "@planloom/analyst"
import type { Vocabulary, WrittenVocabulary } from "@planloom/analyst"
import analyst, { defaultVocabulary, vocabularyOf } from "@planloom/analyst"
import type { JsonObject } from "@planloom/plugin"
import { check, load } from "@planloom/embed"
import { run } from "@planloom/core"

const root = join(import.meta.dirname, "../../..")
const shipped = join(root, "catalog/vocabulary.yaml")
const options = { plugins: { "@planloom/analyst": async () => analyst } }
const profile = {
  rows: 3,
  columns: [
    { name: "region", type: "string", distinct: ["North", "South"] },
    { name: "revenue", type: "number" },
  ],
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vocabulary-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** JSON is YAML, too. */
const write = (name: string, value: JsonObject): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ apiVersion: "planloom/v1", ...value }))
  return path
}

const catalog = (name: string, vocabulary: JsonObject): string =>
  write(`${name}.yaml`, { kind: "Catalog", name, vocabulary })

const workflow = (catalogs: ReadonlyArray<string>): string =>
  write("asks.yaml", {
    kind: "Workflow",
    name: "asks",
    use: { plugins: ["@planloom/analyst"], files: catalogs },
    inputs: { question: { type: "string" } },
    stages: [
      {
        id: "read",
        uses: "extract",
        with: { text: "${{ inputs.question }}", profile, confidence: { threshold: 0 } },
      },
    ],
    outputs: { requirements: { value: "${{ stages.read.output.requirements }}" } },
  })

const read = (question: string, catalogs: ReadonlyArray<string>): Promise<JsonObject> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* load(workflow(catalogs), options)
        const { outputs: given } = yield* run(pipeline, { question })
        return given?.requirements as JsonObject
      }),
    ),
  )

const loadedWords = (catalogs: ReadonlyArray<string>): Promise<WrittenVocabulary | undefined> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(
        load(workflow(catalogs), options),
        ({ resources }) => resources.vocabulary as WrittenVocabulary | undefined,
      ),
    ),
  )

describe("the shipped vocabulary", () => {
  it("is read as what is built in", async () => {
    const words = await loadedWords([shipped])
    assert.strictEqual(words?.base, "none")
    assert.deepStrictEqual<Vocabulary>(vocabularyOf(words), defaultVocabulary())
  })

  it("may name every analysis, interval and output there is", async () => {
    const all = (labels: ReadonlyArray<string>) =>
      Object.fromEntries(labels.map((label) => [label, [`word for ${label}`]]))
    const everything = catalog("everything", {
      analysis: all(analyses),
      grains: all(askedGrains.filter((grain) => grain !== "unknown")),
      outputs: all(outputs),
    })
    const { diagnostics } = await Effect.runPromise(check(workflow([everything]), options))
    assert.deepStrictEqual(diagnostics, [])
  })

  it("is named by the data analyst", () => {
    const text = readFileSync(join(root, "workflows/data_analyst.yaml"), "utf8")
    assert.include(text, "../catalog/vocabulary.yaml")
  })
})

describe("a project's own catalog", () => {
  it("adds a synonym, a grain and a word of refusal without code", async () => {
    const own = catalog("own", {
      synonyms: [["revenue", "Umsatz"]],
      negations: ["ohne"],
      outputs: { chart: ["Schaubild"] },
    })
    const question = "total Umsatz by region, ohne Schaubild"
    for (const catalogs of [[own], [shipped, own], [own, shipped]]) {
      const found = await read(question, catalogs)
      assert.deepInclude(found, {
        metrics: ["revenue"],
        group_by: ["region"],
        analysis: ["total"],
        constraints: [{ kind: "exclude", output: "chart" }],
        unknown: [],
      })
    }
    const without = await read(question, [shipped])
    assert.deepStrictEqual(without.metrics, [])
    assert.include(without.unknown as ReadonlyArray<string>, "Umsatz")
  })

  it("may be the whole vocabulary", async () => {
    const whole = catalog("whole", { base: "none", analysis: { total: ["summa"] }, silent: ["by"] })
    const found = await read("summa revenue by region", [whole])
    assert.deepInclude(found, { metrics: ["revenue"], group_by: ["region"], analysis: ["total"] })
    assert.deepInclude(await read("total revenue", [whole]), { unknown: ["total"], analysis: [] })
  })

  it("is merged with the others in declared order", async () => {
    const first = catalog("first", { rows: ["order"], most: { dearest: "price" } })
    const second = catalog("second", { rows: ["order", "visit"], most: { dearest: "cost" } })
    assert.deepStrictEqual(await loadedWords([first, second]), {
      rows: ["order", "visit"],
      most: { dearest: "cost" },
    })
    assert.strictEqual(await loadedWords([]), undefined)
  })

  it.each<readonly [string, JsonObject, string, RegExp]>([
    ["an unknown key", { synonims: [] }, "PL0101", /did you mean "synonyms"/],
    ["an unknown analysis", { analysis: { avarage: ["x"] } }, "PL0101", /did you mean "average"/],
    ["a word where a list belongs", { rows: "order" }, "PL0103", /write a list: \[order\]/],
    ["a word twice", { rows: ["visit", "Visit"] }, "PL0112", /keep one/],
    ["a word of two meanings", { grains: { day: ["d"], week: ["d"] } }, "PL0112", /one thing/],
    ["an unknown base", { base: "english2" }, "PL0104", /did you mean "english"/],
  ])("is told of %s at its place", async (_, vocabulary, code, help) => {
    const path = catalog("faulty", vocabulary)
    const { diagnostics, workflow: usable } = await Effect.runPromise(
      check(workflow([path]), options),
    )
    assert.deepStrictEqual(
      diagnostics.map((one) => one.code),
      [code],
    )
    assert.strictEqual(diagnostics[0]?.file, path)
    assert.match(diagnostics[0]?.help ?? "", help)
    assert.strictEqual(usable, undefined)
  })
})
