/** A library with an embedder: passages are found by meaning, and its calls are counted, priced and recorded as any others. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { emptyRecording, recordingJournal, run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import stages from "@planloom/stages"
import {
  definePlugin,
  ModelFailed,
  type BudgetLedger,
  type Embedder,
  type JsonObject,
  type RunEvent,
} from "@planloom/plugin/effect"
import plugin from "../src/index.ts"
import { wordVector } from "./WordEmbedder.ts"

const same = [
  ["price", "fee"],
  ["return", "refund"],
]
let folder: string
let sent: Array<string>
let fails: boolean

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "meaning-"))
  mkdirSync(join(folder, "papers"))
  sent = []
  fails = false
  write("papers/fees.md", "# Fees\nthe fee of a refund\n")
  write("papers/rain.md", "# Weather\nclouds and wind\n")
})

afterEach(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string) => writeFileSync(join(folder, path), text)

const embedder: Embedder = {
  id: "words",
  summary: "Knows words that mean the same.",
  model: "own/words",
  dimensions: 64,
  embed: (texts) => {
    if (fails)
      return Effect.fail(
        new ModelFailed({ class: "unavailable", model: "own/words", message: "it is away" }),
      )
    sent.push(...texts)
    return Effect.succeed({
      vectors: texts.map((text) => wordVector(text, same)),
      tokens: texts.length * 10,
    })
  },
}

const plugins = {
  "@planloom/stages": async () => stages,
  "@planloom/documents": async () => plugin,
  words: async () =>
    definePlugin({ id: "words", summary: "Embeds.", components: { embedders: [embedder] } }),
}

const flow = (more = "", id = "words") => {
  write(
    "facts.yaml",
    "apiVersion: planloom/v1\nkind: Models\nmodels: { own/words: { price: { input: 1000, output: 0 } } }\n",
  )
  write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [facts.yaml]\n")
  write(
    "ask.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents", words] }
libraries: { papers: { folder: papers, embedder: ${id} } }
inputs: { question: { type: string } }
${more}
stages:
  - { id: found, uses: call, with: { tool: search_documents, params: { query: "\${{ inputs.question }}", limit: 1 } } }
outputs: { found: "\${{ stages.found.output }}" }
`,
  )
  return join(folder, "ask.yaml")
}

const ask = (question: string, path = flow(), recording = emptyRecording()) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* load(path, { plugins })
        const events: Array<RunEvent> = []
        const result = yield* run(
          pipeline,
          { question },
          { journal: recordingJournal(recording), onEvent: (event) => void events.push(event) },
        )
        const found = result.outputs["found"] as unknown as {
          readonly found: boolean
          readonly text: string
          readonly passages: ReadonlyArray<JsonObject>
        }
        return { result, found, events }
      }),
    ),
  )

describe("a library with an embedder", () => {
  it("is found by meaning, with the words that are missing", async () => {
    const { found } = await ask("price return")
    expect(found).toMatchObject({
      found: true,
      passages: [{ path: "fees.md", by: "meaning", matched: [], missing: ["price", "return"] }],
    })
  })

  it("embeds each passage once, over all runs, and each query", async () => {
    await ask("price return")
    expect(sent).toHaveLength(3)
    await ask("price return")
    expect(sent.slice(3)).toEqual(["price return"])
    write("papers/fees.md", "# Fees\nthe fee of a refund\n# More\na new one\n")
    await ask("price return")
    expect(sent.slice(4)).toEqual(["More\n# More\na new one", "price return"])
  })

  it("counts its calls with their price, and a resumed run makes none again", async () => {
    const recording = emptyRecording()
    const { events, result } = await ask("price return", flow(), recording)
    const called = events.flatMap((event) => (event.type === "ModelCalled" ? [event] : []))
    expect(called.map(({ model, operation, usage }) => ({ model, operation, usage }))).toEqual([
      { model: "own/words", operation: "embeddings", usage: { input: 20, output: 0 } },
      { model: "own/words", operation: "embeddings", usage: { input: 10, output: 0 } },
    ])
    expect(result.usage.cost).toBeCloseTo(0.03)
    sent = []
    expect((await ask("price return", join(folder, "ask.yaml"), recording)).found.found).toBe(true)
    expect(sent).toEqual([])
  })

  it("goes by words alone, and says so, while the embedder is away or a budget is spent", async () => {
    fails = true
    const away = await ask("fee")
    expect(away.found).toMatchObject({ found: true, passages: [{ path: "fees.md", by: "words" }] })
    expect(away.found.text).toContain("papers was searched by words alone")
    expect(away.events.some(({ type }) => type === "SearchDegraded")).toBe(true)
    fails = false
    const poor = await ask("fee", flow("policies: { budget: { tokens: 5 } }"))
    expect(poor.found.passages[0]).toMatchObject({ by: "words" })
    expect(sent).toEqual([])
  })

  it("counts the calls of two libraries with one embedder apart", async () => {
    mkdirSync(join(folder, "notes"))
    write("notes/more.md", "# More\na fee of another kind\n")
    const path = flow()
    const both =
      "libraries: { papers: { folder: papers, embedder: words }, notes: { folder: notes, embedder: words } }"
    write("ask.yaml", readFileSync(path, "utf8").replace(/^libraries: .*$/m, both))
    const ids: Array<string> = []
    const budget: BudgetLedger = {
      measures: false,
      modelCall: ({ id }, call) => {
        ids.push(id)
        return call({ book: () => undefined, again: () => Effect.void })
      },
      toolCall: () => Effect.void,
      spentBefore: () => undefined,
    }
    await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(load(path, { plugins }), ({ pipeline }) =>
          run(pipeline, { question: "price return" }, { budget }),
        ),
      ),
    )
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })

  it("is reported by check at its line where no plugin has the embedder", async () => {
    const { diagnostics } = await Effect.runPromise(
      Effect.scoped(check(flow("", "word"), { plugins })),
    )

    const errors = diagnostics.filter(({ severity }) => severity === "error")
    expect(errors.map(({ message, start }) => [message, start.line])).toEqual([
      [expect.stringContaining('"word"'), 5],
    ])
  })
})
