/** The words people ask with are content: the general vocabulary, and a project's own beside it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { check, load } from "@planloom/embed"
import { run } from "@planloom/core"
import { checkFile, pluginFileKind } from "@planloom/language"
import { analyses, askedGrains, outputs } from "../src/index.ts"
import type { Vocabulary, VocabularyFile } from "../src/index.ts"
import analyst, { defaultVocabulary, vocabularyKind, vocabularyOf } from "../src/index.ts"

const root = join(import.meta.dirname, "../../../..")
const options = { plugins: { "@planloom/analyst": async () => analyst }, roots: [root] }
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

const vocabulary = (name: string, words: JsonObject): string =>
  write(`${name}.yaml`, { kind: "Vocabulary", name, ...words })

/** The general English words as a file of their own. */
const generalWords = (): string =>
  vocabulary("general", { base: "none", ...(defaultVocabulary() as unknown as JsonObject) })

const workflow = (files: ReadonlyArray<string>): string =>
  write("asks.yaml", {
    kind: "Workflow",
    name: "asks",
    use: { plugins: ["@planloom/analyst"], files },
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

const read = (question: string, files: ReadonlyArray<string>): Promise<JsonObject> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* load(workflow(files), options)
        const { outputs: given } = yield* run(pipeline, { question })
        return given?.requirements as JsonObject
      }),
    ),
  )

const filesOf = (files: ReadonlyArray<string>): Promise<ReadonlyArray<VocabularyFile>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(
        load(workflow(files), options),
        ({ resources }) =>
          (resources.files.get("Vocabulary") ?? []) as ReadonlyArray<VocabularyFile>,
      ),
    ),
  )

describe("a vocabulary", () => {
  it("with base: none and the general words is read as the general words", async () => {
    const whole = generalWords()
    assert.deepStrictEqual<Vocabulary>(vocabularyOf(await filesOf([whole])), defaultVocabulary())
    const { diagnostics } = await Effect.runPromise(check(workflow([whole]), options))
    assert.deepStrictEqual(diagnostics, [])
  })

  it("may list words for every analysis, grain and output", async () => {
    const all = (labels: ReadonlyArray<string>) =>
      Object.fromEntries(labels.map((label) => [label, [`word for ${label}`]]))
    const everything = vocabulary("everything", {
      analysis: all(analyses),
      grains: all(askedGrains.filter((grain) => grain !== "unknown")),
      outputs: all(outputs),
    })
    const { diagnostics } = await Effect.runPromise(check(workflow([everything]), options))
    assert.deepStrictEqual(diagnostics, [])
  })
})

describe("a project's own vocabulary", () => {
  it("adds synonyms, outputs and negations to the general words", async () => {
    const own = vocabulary("own", {
      synonyms: [["revenue", "Umsatz"]],
      negations: ["ohne"],
      outputs: { chart: ["Schaubild"] },
    })
    const question = "total Umsatz by region, ohne Schaubild"
    const general = generalWords()
    for (const files of [[own], [general, own], [own, general]]) {
      const found = await read(question, files)
      assert.deepInclude(found, {
        metrics: ["revenue"],
        group_by: ["region"],
        analysis: ["total"],
        constraints: [{ kind: "exclude", output: "chart" }],
        unknown: [],
      })
    }
    const without = await read(question, [])
    assert.deepStrictEqual(without.metrics, [])
    assert.include(without.unknown as ReadonlyArray<string>, "umsatz")
  })

  it("replaces the general words with base: none", async () => {
    const whole = vocabulary("whole", {
      base: "none",
      analysis: { total: ["summa"] },
      silent: ["by"],
    })
    const found = await read("summa revenue by region", [whole])
    assert.deepInclude(found, { metrics: ["revenue"], group_by: ["region"], analysis: ["total"] })
    assert.deepInclude(await read("total revenue", [whole]), { unknown: ["total"], analysis: [] })
  })

  it("may use an inherited property name such as constructor for a chart", () => {
    const file = JSON.parse('{ "charts": { "constructor": ["builder"] } }') as VocabularyFile
    assert.deepStrictEqual(vocabularyOf([file]).charts["constructor"], ["builder"])
  })

  it("is merged with the others in declared order", async () => {
    const first = vocabulary("first", { base: "none", rows: ["order"], most: { dearest: "price" } })
    const second = vocabulary("second", { rows: ["order", "visit"], most: { dearest: "cost" } })
    assert.deepInclude(vocabularyOf(await filesOf([first, second])), {
      analysis: {},
      rows: ["order", "visit"],
      most: { dearest: "cost" },
    })
    assert.strictEqual(vocabularyOf(await filesOf([])), defaultVocabulary())
  })

  it.each<readonly [string, string, string, string]>([
    ["an unknown key", "synonims: []", "4:1 PL0101", 'did you mean "synonyms"?'],
    ["an unknown analysis", "analysis: { avarage: [x] }", "4:13 PL0101", 'did you mean "average"?'],
    ["an unknown base", "base: english2", "4:7 PL0104", 'did you mean "english"?'],
    ["a word where a list belongs", "rows: order", "4:7 PL0103", '"rows" must be array'],
    ["a word twice", "rows: [visit, Visit]", "4:15 VOC001", '"Visit" is listed twice'],
    ["a synonym twice", "synonyms: [[a, b, a]]", "4:19 VOC001", '"a" is listed twice'],
    [
      "a word with two meanings",
      "grains: { day: [d], week: [d] }",
      "4:28 VOC001",
      '"d" already means day',
    ],
    [
      "an extreme that is most and least",
      "most: { dear: price }\nleast: { dear: cost }",
      "5:16 VOC001",
      '"dear" already means most',
    ],
  ])("with %s is an error at its position", async (_, text, position, words) => {
    const path = join(folder, "wrong.yaml")
    writeFileSync(path, `apiVersion: planloom/v1\nkind: Vocabulary\nname: wrong\n${text}\n`)
    const checked = await Effect.runPromise(check(workflow([path]), options))
    assert.strictEqual(checked.workflow, undefined)
    const alone = await Effect.runPromise(
      checkFile(path, { kinds: [pluginFileKind(vocabularyKind)] }),
    )
    for (const { diagnostics } of [checked, alone]) {
      const [found] = diagnostics
      assert.strictEqual(diagnostics.length, 1)
      assert.strictEqual(found?.file, path)
      assert.strictEqual(`${found?.start.line}:${found?.start.col} ${found?.code}`, position)
      assert.include(`${found?.message} ${found?.help}`, words)
    }
  })
})
