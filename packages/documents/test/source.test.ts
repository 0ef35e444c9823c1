/** The tool source against what every source promises, and the plugin in a workflow. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, assert, describe, it } from "vitest"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import stages from "@planloom/stages"
import { manifestOf, type Declared } from "@planloom/plugin/effect"
import { toolSourceSuite } from "@planloom/testing"
import plugin from "../src/index.ts"
import { DocumentTools } from "../src/source.ts"

const folder = mkdtempSync(join(tmpdir(), "documents-"))
const papers = join(folder, "papers")
mkdirSync(papers)
writeFileSync(
  join(papers, "returns.md"),
  "# Shop\n\n## Refunds\n\nRefunds take five working days.\n\n## Returns\n\nWithin 30 days.\n",
)

const declared = (sets: object): Declared => ({
  root: folder,
  roots: [],
  files: () => [],
  sections: () => [{ path: join(folder, "planloom.yaml"), value: sets as never }],
})

const source = new DocumentTools(() =>
  declared({ shop: { folder: "papers" }, away: { folder: "no" } }),
)
const nothing = new DocumentTools(() => declared({}))

afterAll(() => {
  source.close()
  rmSync(folder, { recursive: true, force: true })
})

toolSourceSuite(
  { describe, it },
  source,
  [
    {
      name: "finds a passage with its place",
      tool: "search_documents",
      params: { query: "How long do refunds take?", library: "shop" },
      check: (value) => {
        const { found, passages } = value as unknown as {
          found: boolean
          passages: ReadonlyArray<object>
        }
        assert.isTrue(found)
        assert.containSubset(passages[0], {
          library: "shop",
          path: "returns.md",
          heading: "Shop › Refunds",
          first_line: 3,
          last_line: 5,
          matched: ["refunds", "take"],
          missing: ["long"],
        })
      },
    },
  ],
  { workspace: folder },
)

const call = (tools: DocumentTools, params: object) =>
  Effect.runPromise(Effect.flip(tools.call({ tool: "search_documents", params } as never)))

describe("a search", () => {
  it("of a folder that is away, of an unknown library, or of none fails with the reason", async () => {
    assert.match(
      (await call(source, { query: "a", library: "away" })).message,
      /^there is no folder/,
    )
    assert.strictEqual(
      (await call(source, { query: "a", library: "shops" })).message,
      "no library has the name shops; there are shop, away",
    )
    assert.match((await call(nothing, { query: "a" })).message, /^no library is declared/)
  })
})

const workflow = (name: string, head: string) => {
  writeFileSync(
    join(folder, `${name}.yaml`),
    `apiVersion: planloom/v1
kind: Workflow
name: ${name}
${head}
inputs: { question: { type: string } }
stages:
  - { id: found, uses: call, with: { tool: search_documents, params: { query: "\${{ inputs.question }}" } } }
outputs: { found: "\${{ stages.found.output }}" }
`,
  )
  return (question: string) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const loaded = yield* load(join(folder, `${name}.yaml`), {
            plugins: {
              "@planloom/stages": async () => stages,
              "@planloom/documents": async () => plugin,
            },
          })
          const result = yield* run(loaded.pipeline, { question }, { workspace: folder })
          return result.outputs["found"] as {
            found: boolean
            text: string
            passages: ReadonlyArray<{ path: string; text: string }>
            complete: boolean
            unreadable: ReadonlyArray<unknown>
          }
        }),
      ),
    )
}

const PLUGINS = `plugins: ["@planloom/stages", "@planloom/documents"]`

describe("a workflow", () => {
  it("searches the documents it declares, as they are at the time of each search", async () => {
    const ask = workflow("ask", `use: { ${PLUGINS} }\nlibraries: { shop: { folder: ./papers } }`)
    assert.strictEqual((await ask("refunds")).passages[0]?.path, "returns.md")
    writeFileSync(join(papers, "gone.md"), "Vouchers never expire.\n")
    writeFileSync(join(papers, "scan.pdf"), "no PDF")
    const during = await ask("vouchers")
    assert.isTrue(during.found)
    assert.isFalse(during.complete)
    assert.deepStrictEqual(during.unreadable, [{ path: "scan.pdf", reason: "it is damaged" }])
    rmSync(join(papers, "gone.md"))
    rmSync(join(papers, "scan.pdf"))
    const without = await ask("vouchers")
    assert.deepStrictEqual(without.passages, [])
    assert.isFalse(without.found)
    assert.strictEqual(
      without.text,
      'Nothing is found for "vouchers": no passage has more than half of its words. No document has "vouchers".',
    )
  })

  it("searches the documents of a file, with its patterns and its limit of files", async () => {
    const file = (set: string) =>
      writeFileSync(
        join(folder, "documents.yaml"),
        `apiVersion: planloom/v1\nkind: Documents\nlibraries: { shop: ${set} }\n`,
      )
    writeFileSync(join(papers, "a.txt"), "Refunds in a note.\n")
    const ask = workflow("filed", `use: { ${PLUGINS}, files: [documents.yaml] }`)
    const paths = async () => (await ask("refunds")).passages.map(({ path }) => path).toSorted()
    file("{ folder: papers }")
    assert.deepStrictEqual(await paths(), ["a.txt", "returns.md"])
    file("{ folder: papers, include: ['*.md'] }")
    assert.deepStrictEqual(await paths(), ["returns.md"])
    file("{ folder: papers, exclude: ['*.md'] }")
    assert.deepStrictEqual(await paths(), ["a.txt"])
    file("{ folder: papers, max_files: 1 }")
    assert.deepStrictEqual(await paths(), ["a.txt"])
    assert.isFalse((await ask("refunds")).complete)
  })
})

it("the manifest of the package is that of the plugin", () => {
  const { planloom } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
  ) as { readonly planloom: object }
  assert.deepStrictEqual(planloom, JSON.parse(JSON.stringify(manifestOf(plugin))))
})
