/** The tool source against what every source promises, and the plugin in a workflow. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, assert, describe, it } from "vitest"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import stages from "@planloom/stages"
import type { Declared, JsonObject } from "@planloom/plugin/effect"
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

const plugins = {
  "@planloom/stages": async () => stages,
  "@planloom/documents": async () => plugin,
}

const workflow = (name: string, head: string) => {
  writeFileSync(
    join(folder, `${name}.yaml`),
    `apiVersion: planloom/v1
kind: Workflow
name: ${name}
${head}
inputs: { question: { type: string }, area: { type: string, default: "" } }
stages:
  - { id: found, uses: call, with: { tool: search_documents, params: { query: "\${{ inputs.question }}" } } }
outputs: { found: "\${{ stages.found.output }}" }
`,
  )
  return (question: string, user?: JsonObject, area = "") =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const loaded = yield* load(join(folder, `${name}.yaml`), {
            plugins,
          })
          const result = yield* run(
            loaded.pipeline,
            { question, area },
            { workspace: folder, ...(user !== undefined && { user }) },
          )
          return result.outputs["found"] as {
            found: boolean
            text: string
            passages: ReadonlyArray<{ path: string; text: string; modified?: string }>
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
    const time = new Date(Date.UTC(2026, 4, 1, 12))
    utimesSync(join(papers, "gone.md"), time, time)
    assert.strictEqual((await ask("vouchers")).passages[0]?.modified, "2026-05-01T12:00:00.000Z")
    rmSync(join(papers, "gone.md"))
    rmSync(join(papers, "scan.pdf"))
    const without = await ask("vouchers")
    assert.deepStrictEqual(without.passages, [])
    assert.isFalse(without.found)
    assert.strictEqual(
      without.text,
      'Nothing is found for "vouchers": no passage has enough of its words. No document has "vouchers".',
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

it("a library that is not declared is reported before the run", async () => {
  const problems = async (stage: string) => {
    const path = join(folder, "named.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: named
use: { ${PLUGINS} }
libraries: { shop: { folder: ./papers } }
stages: [{ id: found, ${stage} }]
`,
    )
    const checked = await Effect.runPromise(Effect.scoped(check(path, { plugins })))
    return checked.diagnostics.map(({ message }) => message).join()
  }
  const called = (library: string) =>
    problems(
      `uses: call, with: { tool: search_documents, params: { query: a, library: ${library} } }`,
    )
  const searched = (library: string) =>
    problems(`uses: search, with: { queries: [{ query: a, library: ${library} }] }`)
  const shared = (library: string) =>
    problems(`uses: search, with: { queries: [a], library: ${library} }`)
  for (const checked of [called, searched, shared]) {
    assert.strictEqual(await checked("shop"), "")
    assert.match(await checked("shops"), /shop/)
  }
})

describe("a library with bounds", () => {
  const head = (where: string) =>
    `use: { ${PLUGINS} }
user: { type: object, properties: { teams: { type: array, items: { type: string } } } }
libraries: { notes: { folder: ./notes, where: ${where} } }`
  for (const [team, file] of [
    ["hr", "pay.md"],
    ["law", "deals.md"],
  ] as const) {
    mkdirSync(join(folder, "notes", team), { recursive: true })
    writeFileSync(join(folder, "notes", team, file), `Secret vouchers of ${team}.\n`)
    writeFileSync(join(folder, "notes", team, "scan.pdf"), "no PDF")
  }

  it("shows a user what is theirs, and no name, word or count of the rest", async () => {
    const ask = workflow("bounded", head('{ folder: "user.teams" }'))
    const paths = async (user: JsonObject) => {
      const found = await ask("secret vouchers law", user)
      return [found.passages.map(({ path }) => path), found.unreadable.length, found.text]
    }
    assert.deepStrictEqual(await paths({ teams: ["hr"] }), [
      ["hr/pay.md"],
      1,
      '1 passage for "secret vouchers law". No document has "law".',
    ])
    assert.deepStrictEqual((await paths({ teams: ["hr", "law"] }))[0], [
      "law/deals.md",
      "hr/pay.md",
    ])
    assert.deepStrictEqual((await paths({ teams: [] }))[0], [])
  })

  it("reads the inputs of the run", async () => {
    const ask = workflow("by_input", head('{ folder: "inputs.area" }'))
    assert.deepStrictEqual(
      (await ask("vouchers", {}, "law")).passages.map(({ path }) => path),
      ["law/deals.md"],
    )
  })

  it("finds nothing for a user without the value, and names it", async () => {
    const ask = workflow("without", head('{ folder: "user.teams" }'))
    const failure = await ask("vouchers", {}).then(String, String)
    assert.match(failure, /where\.folder of the library notes: .*teams/)
  })

  it("is checked: names, types and syntax, and its inputs count as used", async () => {
    const problems = async (name: string, where: string) => {
      workflow(name, head(where))
      const checked = await Effect.runPromise(
        Effect.scoped(check(join(folder, `${name}.yaml`), { plugins })),
      )
      return checked.diagnostics
        .filter(({ code }) => code !== "PL1207")
        .map(({ code, message }) => `${code} ${message}`)
    }
    assert.deepStrictEqual(await problems("used", '{ folder: "inputs.area" }'), [])
    assert.match((await problems("misspelt", '{ folder: "user.team" }')).join(), /team/)
    assert.match((await problems("other", '{ folder: "session.id" }')).join(), /session/)
    assert.match((await problems("shape", '{ folder: "inputs" }')).join(), /PL/)
  })
})

it("a library of rows is searched row by row, within its facets, beside a folder", async () => {
  writeFileSync(
    join(folder, "talks.csv"),
    "id,title,day,secret\n1,Refunds of tickets,mon,x\n2,Refunds of hotels,tue,y\n",
  )
  const ask = workflow(
    "rows",
    `use: { ${PLUGINS} }
libraries:
  talks: { rows: { file: talks.csv, key: id, columns: [title] }, facets: [day], where: { day: "'tue'" } }
  shop: { folder: ./papers }`,
  )
  const { passages } = await ask("refunds")
  assert.deepStrictEqual(
    passages.filter(({ path }) => path === "talks.csv").map(({ text }) => text),
    ["title: Refunds of hotels"],
  )
  assert.isAbove(passages.length, 1)
})

it("bounds in a file are checked: syntax and names", async () => {
  const path = join(folder, "checked.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: checked
use: { ${PLUGINS}, files: [bounds.yaml] }
stages: [{ id: one, uses: search, with: { queries: [a] } }]
`,
  )
  const problems = async (bound: string) => {
    writeFileSync(
      join(folder, "bounds.yaml"),
      `apiVersion: planloom/v1
kind: Documents
libraries: { notes: { folder: ./notes, where: { folder: "${bound}" } } }
`,
    )
    const checked = await Effect.runPromise(Effect.scoped(check(path, { plugins })))
    return checked.diagnostics.map(({ code, message }) => `${code} ${message}`).join()
  }
  assert.strictEqual(await problems("user.teams + inputs.more"), "")
  assert.match(await problems("session.id"), /DOCUMENTS1 "session" is not known here/)
  assert.notStrictEqual(await problems("user."), "")
})

it.each([
  "[{ query: a, threshhold: 0.5 }]",
  '[{ query: "${{ inputs.asked }}", threshhold: 0.5 }]',
  '["${{ inputs.asked }}", { query: a, threshhold: 0.5 }]',
])("a key that a query does not have is reported: %s", async (queries) => {
  const problems = async (written: string) => {
    const path = join(folder, "queries.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: queries
use: { ${PLUGINS} }
libraries: { shop: { folder: ./papers } }
inputs: { asked: { type: string } }
stages: [{ id: found, uses: search, with: { queries: ${written} } }]
outputs: { found: "\${{ stages.found.output.text + inputs.asked }}" }
`,
    )
    const checked = await Effect.runPromise(Effect.scoped(check(path, { plugins })))
    return checked.diagnostics.map(({ message, start }) => `${start.line} ${message}`)
  }
  const [problem, ...others] = await problems(queries)
  assert.match(problem!, /^7 .*"threshhold"/)
  assert.deepStrictEqual(others, [])
  assert.deepStrictEqual(await problems(queries.replace("threshhold", "threshold")), [])
})
