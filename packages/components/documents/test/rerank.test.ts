/** A library with a reranker: it orders what is found, and its calls are counted, priced and recorded as any others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { emptyRecording, recordingJournal, run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import stages from "@planloom/stages"
import { definePlugin, ModelFailed, type Reranker, type RunEvent } from "@planloom/plugin/effect"
import plugin from "../src/index.ts"
import { rerankHits } from "../src/search/rerankHits.ts"
import { isFound, type Hit } from "../src/index/Hit.ts"

let folder: string
let sent: Array<ReadonlyArray<string>>
let fails: boolean
let scoresOf: (texts: ReadonlyArray<string>) => ReadonlyArray<number>

const longest = (texts: ReadonlyArray<string>) => texts.map(({ length }) => length)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rerank-"))
  sent = []
  fails = false
  scoresOf = longest
  for (const name of ["papers", "notes"]) mkdirSync(join(folder, name))
  write("papers/a.md", "# Fees\nrefund fee refund fee\n")
  write("papers/b.md", "# Terms\nthe fee of a refund is explained here at length\n")
  write(
    "papers/c.md",
    "# Rain\nno fee at all, but a text that is by far the longest of those in this folder\n",
  )
  write("notes/d.md", "refund fee\n")
  write("notes/e.md", "a note on the refund of a fee\n")
})

afterEach(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string) => writeFileSync(join(folder, path), text)

const reranker: Reranker = {
  id: "length",
  summary: "Orders by length.",
  model: "own/length",
  rerank: (query, texts) => {
    if (fails)
      return Effect.fail(
        new ModelFailed({ class: "unavailable", model: "own/length", message: "it is away" }),
      )
    sent.push([query, ...texts])
    return Effect.succeed({ scores: scoresOf(texts), tokens: texts.length * 10 })
  },
}

const plugins = {
  "@planloom/stages": async () => stages,
  "@planloom/documents": async () => plugin,
  length: async () =>
    definePlugin({ id: "length", summary: "Reranks.", components: { rerankers: [reranker] } }),
}

const flow = (
  libraries = "{ papers: { folder: papers, rerank: length } }",
  more = "",
  params = "",
) => {
  write(
    "facts.yaml",
    "apiVersion: planloom/v1\nkind: Models\nmodels: { own/length: { price: { input: 1000, output: 0 } } }\n",
  )
  write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [facts.yaml]\n")
  write(
    "ask.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents", length] }
libraries: ${libraries}
${more}
stages:
  - { id: found, uses: call, with: { tool: search_documents, params: { query: refund fee${params} } } }
outputs: { found: "\${{ stages.found.output }}" }
`,
  )
  return join(folder, "ask.yaml")
}

interface Found {
  readonly found: boolean
  readonly text: string
  readonly empty: ReadonlyArray<string>
  readonly passages: ReadonlyArray<{ readonly path: string; readonly score: number }>
}

const ask = (path = flow(), recording = emptyRecording()) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* load(path, { plugins })
        const events: Array<RunEvent> = []
        const result = yield* run(
          pipeline,
          {},
          { journal: recordingJournal(recording), onEvent: (event) => void events.push(event) },
        )
        const found = result.outputs["found"] as unknown as Found
        return { result, found, events, paths: found.passages.map((one) => one.path) }
      }),
    ),
  )

describe("a library with a reranker", () => {
  it("gives what is found in its order, the others after that, with the scores of the search", async () => {
    const plain = await ask(flow("{ papers: { folder: papers } }"))
    expect(plain.paths).toEqual(["a.md", "b.md", "c.md"])
    const { found, paths } = await ask()
    expect(paths).toEqual(["b.md", "a.md", "c.md"])
    expect(sent).toEqual([
      [
        "refund fee",
        "Fees\n# Fees\nrefund fee refund fee",
        "Terms\n# Terms\nthe fee of a refund is explained here at length",
      ],
    ])
    const scoreOf = ({ passages }: Found) => passages.find(({ path }) => path === "a.md")!.score
    expect(scoreOf(found)).toBe(scoreOf(plain.found))
  })

  it("chooses among more passages than the limit", async () => {
    expect((await ask(flow(undefined, "", ", limit: 1"))).paths).toEqual(["b.md"])
  })

  it("sees only what a filter and the bounds of the library allow", async () => {
    write("papers/b.md", "secret refund fee that is long, long, long\n")
    mkdirSync(join(folder, "papers/open"))
    write("papers/open/f.md", "refund fee\n")
    write("papers/open/g.md", "refund of the fee\n")
    const { paths } = await ask(
      flow("{ papers: { folder: papers, rerank: length, where: { folder: \"'open'\" } } }"),
    )
    expect(paths).toEqual(["open/g.md", "open/f.md"])
    expect(JSON.stringify(sent)).not.toContain("secret")
  })

  it("is not called where fewer than two passages count as found", async () => {
    write("papers/b.md", "another text\n")
    expect((await ask()).paths[0]).toBe("a.md")
    expect(sent).toEqual([])
  })

  it("counts its calls with their price, and a resumed run makes none again", async () => {
    const recording = emptyRecording()
    const both =
      "{ papers: { folder: papers, rerank: length }, notes: { folder: notes, rerank: length } }"
    const { events, paths, result } = await ask(flow(both), recording)
    const called = events.flatMap((event) => (event.type === "ModelCalled" ? [event] : []))
    const one = { model: "own/length", operation: "rerank", usage: { input: 20, output: 0 } }
    expect(called.map(({ model, operation, usage }) => ({ model, operation, usage }))).toEqual([
      one,
      one,
    ])
    expect(result.usage.cost).toBeCloseTo(0.04)
    sent = []
    expect((await ask(join(folder, "ask.yaml"), recording)).paths).toEqual(paths)
    expect(sent).toEqual([])
  })

  it.each([
    ["it is away", 0, () => void (fails = true), ""],
    ["it gives too few scores", 1, () => void (scoresOf = () => [1]), ""],
    ["it gives scores that are not numbers", 1, () => void (scoresOf = () => [NaN, NaN]), ""],
    ["a budget is spent", 0, () => undefined, "policies: { budget: { tokens: 5 } }"],
  ])("keeps the order of the search, and says so, while %s", async (_, calls, change, more) => {
    change()
    const { events, found, paths, result } = await ask(flow(undefined, more))
    expect(paths).toEqual(["a.md", "b.md", "c.md"])
    expect(found.text).toContain("What is found in papers was not reranked.")
    expect(events.filter(({ type }) => type === "SearchDegraded")).toMatchObject([
      { without: "rerank" },
    ])
    expect(result.degraded).toMatchObject([{ path: "found", without: "rerank" }])
    expect(sent).toHaveLength(calls)
  })

  it("is reported by check at its line where no plugin has the reranker", async () => {
    const { diagnostics } = await Effect.runPromise(
      Effect.scoped(check(flow("{ papers: { folder: papers, rerank: lenght } }"), { plugins })),
    )
    const errors = diagnostics.filter(({ severity }) => severity === "error")
    expect(errors.map(({ message, start }) => [message, start.line])).toEqual([
      [expect.stringContaining('"lenght"'), 5],
    ])
  })
})

const hit = fc
  .record({
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    by: fc.constantFrom("words" as const, "meaning" as const),
    matched: fc.array(fc.constantFrom("tea", "fee"), { maxLength: 2 }),
    missing: fc.array(fc.constantFrom("rain"), { maxLength: 1 }),
    isNear: fc.boolean(),
    text: fc.string(),
  })
  .map(({ isNear, ...one }): Hit => ({
    ...one,
    id: one.text,
    path: "a.md",
    headings: [],
    chars: [0, 1],
    read: [],
    ...(isNear && { isNear: true as const }),
  }))

describe("reranked hits", () => {
  it("are the same as before, those that count as found first, whatever the scores", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hit, { maxLength: 12 }),
        fc.array(fc.double({ noNaN: true }), { minLength: 12, maxLength: 12 }),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        async (hits, scores, threshold) => {
          const rerank = async (_: string, texts: ReadonlyArray<string>) =>
            scores.slice(0, texts.length)
          const ordered = await rerankHits(hits, { query: "q", rerank, threshold })
          expect(new Set(ordered)).toEqual(new Set(hits))
          expect(ordered).toHaveLength(hits.length)
          const isFirst = ordered!.map((one) => isFound(one, threshold))
          expect(isFirst.lastIndexOf(true)).toBe(isFirst.filter(Boolean).length - 1)
        },
      ),
      { numRuns: cases(200) },
    )
  })
})
