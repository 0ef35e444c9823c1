/** The tool source against what every source promises, its catalog, and the plugin in a workflow. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, assert, describe, it } from "vitest"
import { parse } from "yaml"
import { StageFailed, type JsonObject } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { embedded } from "@planloom/retrieval"
import stages from "@planloom/stages"
import { toolSourceSuite } from "@planloom/testing"
import { fileTools, FilesFailed } from "../src/index.ts"
import plugin from "../src/plugin.ts"
import { listedTools } from "../src/source.ts"
import { pdfOf } from "./pdfBytes.ts"

const folder = mkdtempSync(join(tmpdir(), "files-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const root = join(folder, "papers")

const put = (path: string, content: string | Uint8Array, day = "2026-03-02") => {
  mkdirSync(join(root, path, ".."), { recursive: true })
  writeFileSync(join(root, path), content)
  const time = new Date(`${day}T12:00:00`)
  utimesSync(join(root, path), time, time)
}
put("bills/gas.txt", "Gas bill for the lighthouse, 84 euros.")
put("bills/water.pdf", pdfOf({ pages: [["Water bill of the harbour"]] }), "2026-04-02")
put("notes/soup.md", "# Soup\nLeeks and potatoes.", "2026-05-02")
put("pictures/a.jpg", "", "2026-06-02")
put("pictures/a.jpg.txt", "a dog on a sofa", "2026-06-02")
put("index.json", "{}")

const source = await fileTools({ root, exclude: ["index.json"], cache: join(folder, "cache") })
const says = (text: string) => (result: unknown) =>
  assert.strictEqual((result as JsonObject)["text"], text)

toolSourceSuite(
  { describe, it },
  source,
  [
    {
      name: "finds a file by its words",
      tool: "search_files_semantic",
      params: { query: "lighthouse", limit: 1 },
      check: says('The nearest 1 file for "lighthouse": bills/gas.txt.'),
    },
    {
      name: "finds a PDF by words inside it",
      tool: "search_files_semantic",
      params: { query: "harbour" },
      check: says('The nearest 1 file for "harbour": bills/water.pdf.'),
    },
    {
      name: "reports that nothing is near",
      tool: "search_files_semantic",
      params: { query: "xylophone" },
      check: says("No file is about xylophone."),
    },
    {
      name: "lists the files of some days",
      tool: "search_files_recent",
      params: { from: "2026-04-01", to: "2026-05-31" },
      check: says("The 2 files changed last: notes/soup.md, bills/water.pdf."),
    },
    {
      name: "refuses a folder outside",
      tool: "search_files_recent",
      params: { folder: "../.." },
      fails: "invalid_request",
    },
    {
      name: "leaves excluded files out",
      tool: "search_files_by_type",
      params: { type: "data" },
      check: says("There is no data file."),
    },
    {
      name: "finds a photo by its caption",
      tool: "search_photos_semantic",
      params: { query: "dog" },
      check: says('The nearest 1 photo for "dog": pictures/a.jpg.'),
    },
    {
      name: "counts a photo without EXIF data for the day of its file",
      tool: "search_photos_by_date",
      params: { from: "2026-06-02" },
      check: says("1 photo from 2026-06-02: pictures/a.jpg."),
    },
    {
      name: "reads a PDF",
      tool: "read_document",
      params: { path: "bills/water.pdf" },
      check: (result) =>
        assert.strictEqual((result as JsonObject)["content"], "Water bill of the harbour"),
    },
    {
      name: "refuses a path outside",
      tool: "read_document",
      params: { path: "../secret.txt" },
      fails: "invalid_request",
    },
    {
      name: "refuses an excluded file",
      tool: "read_document",
      params: { path: "index.json" },
      fails: "invalid_request",
    },
    {
      name: "fails for a file without words",
      tool: "read_document",
      params: { path: "pictures/a.jpg" },
      fails: "tool_error",
    },
  ],
  { workspace: folder, index: embedded },
)

it("fails with the reason where the workflow has no index", async () => {
  const bare = await fileTools({ root })
  const failure = await Effect.runPromise(
    Effect.flip(
      bare.call({
        tool: "search_files_recent",
        params: {},
        inputs: {},
        key: "k",
        workspace: folder,
        roots: [],
        user: {},
        index: () => Effect.fail(new StageFailed({ class: "unavailable", message: "no index" })),
        variant: () => undefined,
        askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
        note: () => Effect.void,
        progress: () => Effect.void,
      }),
    ),
  )
  assert.strictEqual(failure.class, "unavailable")
  assert.strictEqual(failure.message, "no index")
})

it("refuses a root that does not exist", async () => {
  const refused = await fileTools({ root: join(folder, "none") }).catch((error: unknown) => error)
  assert.instanceOf(refused, FilesFailed)
})

describe("catalog/files.yaml", () => {
  interface Entry {
    readonly name: string
    readonly summary: string
    readonly group: string
    readonly examples: ReadonlyArray<string>
    readonly when_to_use: string
  }
  const path = join(import.meta.dirname, "../../../../catalog/files")
  const { tools: entries } = parse(readFileSync(`${path}.yaml`, "utf8")) as {
    readonly tools: ReadonlyArray<Entry>
  }

  it("has each tool of the source, with the source's words and examples", () => {
    assert.deepStrictEqual(
      entries.map(({ group, name, summary }) => ({ name, summary, group })),
      listedTools.map(({ group, name, summary }) => ({ name, summary, group: group! })),
    )
    for (const { examples, name, when_to_use: when } of entries) {
      assert.isAtLeast(examples.length, 5, name)
      assert.isAbove(when.length, 20, name)
    }
  })

  it("has a TOOL.md for each tool that names its parameters, and no other", () => {
    for (const { name, params } of listedTools) {
      const file = join(path, name, "TOOL.md")
      assert.isTrue(existsSync(file), name)
      const text = readFileSync(file, "utf8")
      assert.isTrue(text.startsWith(`# ${name}\n`))
      for (const param of Object.keys((params as { properties: object }).properties))
        assert.include(text, `\`${param}\``, `${name}: ${param}`)
    }
    assert.deepStrictEqual(
      readdirSync(path).toSorted(),
      listedTools.map(({ name }) => name).toSorted(),
    )
  })
})

describe("the README", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
  const [project, workflow] = [...readme.matchAll(/```yaml\n# .*\n([^]*?)```/g)].map(
    ([, text]) => text!,
  )

  it("has an example that finds a file", async () => {
    writeFileSync(join(folder, "planloom.yaml"), project!)
    writeFileSync(join(folder, "find.yaml"), workflow!)
    const result = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const loaded = yield* load(join(folder, "find.yaml"), {
            plugins: {
              "@planloom/stages": async () => stages,
              "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
              "@planloom/tools-files": async () => plugin,
            },
          })
          return yield* run(loaded.pipeline, { about: "gas bill" }, { workspace: folder })
        }),
      ),
    )
    assert.match(
      String(result.outputs["found"]),
      /^The nearest 2 files for "gas bill": bills\/gas\.txt/,
    )
  })
})
