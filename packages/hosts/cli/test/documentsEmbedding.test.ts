/** A library with an embedder by command: nothing is embedded before a person agrees to its cost, and a search goes by meaning. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer, type WireServer } from "@planloom/testing"
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest"
import { answeredInTerminal, noTerminal, planloom, serve, trusting } from "./planloom.ts"

const folders: Array<string> = []
let cwd = ""
let server: WireServer

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-embedded-")))
  folders.push(cwd)
  server = await wireServer({ answers: [{ text: "done" }] })
  for (const folder of ["papers", "workflows"]) await mkdir(join(cwd, folder))
  await project(1000)
  await write("papers/a.md", "# Fees\n\nDelivery is free.\n")
  await write("papers/b.md", "# Parcels\n\nParcels arrive in two days.\n")
  await flow("{ folder: ../papers, embedder: openai }")
})

afterEach(() => server.close())
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const write = (path: string, text: string) => writeFile(join(cwd, path), text)

/** `price` is that of a million tokens; undefined leaves it unknown. */
const project = async (price: number | undefined) => {
  await write(
    "planloom.yaml",
    `apiVersion: planloom/v1
kind: Project
model_facts: [facts.yaml]
plugins:
  "@planloom/provider-openai":
    servers: { vllm: { base_url: "${server.url}/v1" } }
    embeddings: { server: vllm, model: small, dimensions: 8 }
`,
  )
  const facts = price === undefined ? "{}" : `{ price: { input: ${price}, output: 0 } }`
  await write(
    "facts.yaml",
    `apiVersion: planloom/v1\nkind: Models\nmodels: { vllm/small: ${facts} }\n`,
  )
}

const flow = (library: string, more = "") =>
  write(
    "workflows/ask.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents", "@planloom/provider-openai"] }
libraries: { papers: ${library}${more} }
inputs: { question: { type: string } }
stages: [{ id: search, uses: search, with: { queries: ["\${{ inputs.question }}"] } }]
outputs: { text: "\${{ stages.search.output.text }}" }
`,
  )

const documents = (...args: ReadonlyArray<string>) => planloom(["documents", ...args], { cwd })
const sent = () => server.requests.flatMap(({ body }) => body["input"] as ReadonlyArray<string>)
const many = (count: number) =>
  write(
    "papers/many.md",
    Array.from({ length: count }, (_, at) => `# Number ${at}\n\nOf ${at} parcels.\n`).join("\n"),
  )

it("the first sync states passages, tokens and cost, and embeds nothing without an agreement", async () => {
  const refused = await documents("sync")
  expect(refused.code).toBe(3)
  expect(refused.stderr).toBe(
    "papers: 2 passages of about 20 tokens are to be embedded by vllm/small, for the first time, for about $0.0200\n",
  )
  expect(refused.stdout).toContain("papers: 2 added")
  expect(refused.stdout).toContain(
    "0 of 2 passages have a vector: not agreed to: --yes agrees without a question\n",
  )
  const { code, stdout } = await documents("sync", "--json")
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject([
    {
      embedding: {
        model: "vllm/small",
        open_texts: 2,
        open_tokens: 20,
        estimated_cost: 0.02,
        sent: 0,
        embedded: 0,
        problem: expect.stringContaining("--yes"),
      },
    },
  ])
  expect(sent()).toEqual([])
  const agreed = await documents("sync", "--yes")
  expect(agreed.code).toBe(0)
  expect(agreed.stdout).toMatch(/2 of 2 passages have a vector; 2 texts embedded now, \$0\.0\d+\n/)
  expect(sent()).toHaveLength(2)
})

it("a later sync counts what has changed, and asks only for more than was agreed to", async () => {
  await documents("sync", "--yes")
  await write("papers/a.md", "# Fees\n\nDelivery costs five.\n")
  const changed = await documents("sync")
  expect(changed.code).toBe(0)
  expect(changed.stderr).toContain("papers: 1 passage of about 9 tokens are to be embedded")
  expect(sent().slice(2)).toEqual(["Fees\n# Fees\n\nDelivery costs five."])
  expect((await documents("sync")).stderr).toBe("")
  await many(70)
  const more = await documents("sync")
  expect(more.code).toBe(3)
  expect(more.stdout).toContain("2 of 72 passages have a vector: not agreed to")
  expect(sent()).toHaveLength(3)
})

it("a sync of an empty library is no agreement to what comes into it later", async () => {
  for (const name of ["a.md", "b.md"]) await rm(join(cwd, "papers", name))
  expect(await documents("sync")).toMatchObject({ code: 0 })
  await write("papers/a.md", "# Fees\n\nDelivery is free.\n")
  expect((await documents("sync")).code).toBe(3)
  expect(sent()).toEqual([])
})

it("two libraries with one embedder have costs of their own", async () => {
  await mkdir(join(cwd, "notes"))
  await write("notes/c.md", "# Notes\n\nA parcel is brown.\n")
  await flow(
    "{ folder: ../papers, embedder: openai }",
    ", notes: { folder: ../notes, embedder: openai }",
  )
  const { stdout } = await documents("sync", "--yes", "--json")
  // The server counts a token for each text.
  expect(JSON.parse(stdout)).toMatchObject([
    { embedding: { sent: 2, cost: 0.002 } },
    { embedding: { sent: 1, cost: 0.001 } },
  ])
})

it("an unknown price needs an agreement, and a free embedder none", async () => {
  await project(undefined)
  const unknown = await documents("sync")
  expect(unknown).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("for the first time, at an unknown price"),
  })
  await project(0)
  expect(await documents("sync")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 of 2 passages have a vector; 2 texts embedded now, $0\n"),
  })
})

it.skipIf(noTerminal).each([
  ["yes", "2 of 2 passages have a vector", 2],
  ["", "not agreed to", 0],
])("at a terminal it asks, and the answer '%s' decides", async (answer, shown, texts) => {
  const at = /Embed them\? \[y\/N\]/
  const screen = await answeredInTerminal(["documents", "sync"], { at, answer: `${answer}\r`, cwd })
  expect(screen).toContain("for about $0.0200")
  expect(screen).toContain(shown)
  expect(sent()).toHaveLength(texts)
})

it("a run embeds little by itself, and nothing of a library without an agreement", async () => {
  const run = async () => (await planloom(["run", "ask", "-i", "question=parcels"], { cwd })).stderr
  expect(await run()).not.toContain("words alone")
  expect(sent().slice(0, 2)).toHaveLength(2)
  await rm(join(cwd, ".planloom"), { recursive: true })
  const before = sent().length
  await many(70)
  expect(await run()).toContain(
    "degraded: 1 stage searched by words alone (search: vllm/small: budget: planloom documents sync states what embedding it costs, and asks)",
  )
  expect(sent()).toHaveLength(before)
  await documents("sync", "--yes")
  await many(75)
  await run()
  // The changed passages, and the query.
  expect(sent().slice(before + 72)).toHaveLength(6)
})

it("search goes by meaning as a run does, and by words with the reason where the embedder is away", async () => {
  await documents("sync", "--yes")
  const found = async () => JSON.parse((await documents("search", "arrive", "--json")).stdout)
  expect(await found()).toMatchObject({ passages: [{ cosine: expect.any(Number) }, {}] })
  expect(sent().slice(2)).toEqual(["arrive"])
  await server.close()
  const { text, passages } = await found()
  expect(passages).toMatchObject([{ path: "b.md", by: "words" }])
  expect(text).toMatch(/papers was searched by words alone: .*ECONNREFUSED/)
})

it("a library of the project or of a file has the embedders of bundled plugins", async () => {
  const library = "libraries: { papers: { folder: papers, embedder: openai } }\n"
  await write("planloom.yaml", `apiVersion: planloom/v1\nkind: Project\n${library}`)
  await rm(join(cwd, "workflows/ask.yaml"))
  expect((await documents("sync")).stderr).toContain("openai/text-embedding-3-small")
  await write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\n")
  await write("libraries.yaml", `apiVersion: planloom/v1\nkind: Documents\n${library}`)
  expect((await documents("sync", "--from", "libraries.yaml")).stderr).toContain(
    "openai/text-embedding-3-small",
  )
})

it("a project's library whose embedder only a workflow's plugin has is found by that workflow", async () => {
  await write(
    "plugin.mjs",
    `export default { id: "own", summary: "Own.", apiVersion: 1, components: { embedders: [{ id: "own", summary: "Own.", model: "own/e", dimensions: 8, embed: () => { throw new Error("unused") } }] } }`,
  )
  await trusting(cwd)
  await write(
    "planloom.yaml",
    "apiVersion: planloom/v1\nkind: Project\nlibraries: { papers: { folder: papers, embedder: own } }\n",
  )
  await write(
    "workflows/ask.yaml",
    'apiVersion: planloom/v1\nkind: Workflow\nname: ask\nuse: { plugins: ["@planloom/stages", "@planloom/documents", ../plugin.mjs] }\nstages: [{ id: a, uses: set, with: { value: 1 } }]\n',
  )
  expect((await documents("sync")).stderr).toContain("own/e")
  await rm(join(cwd, "workflows/ask.yaml"))
  expect(await documents("status")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no embedder "own"'),
  })
})

it("serve embeds nothing at its intervals, and names a library that waits for an agreement", async () => {
  await many(70)
  await flow('{ folder: ../papers, embedder: openai, sync: { every: "1s" } }')
  const served = await serve([], { cwd })
  await vi.waitFor(
    () =>
      expect(served.stderr()).toContain(
        "the library papers has many passages without a vector: planloom documents sync",
      ),
    { timeout: 20_000, interval: 200 },
  )
  await served.stop("SIGTERM")
  expect(sent()).toEqual([])
})
