/** A run on a pipe says on standard error what it survived and what its reader should know. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { wireServer } from "@planloom/testing"
import { planloom } from "./planloom.ts"

let cwd: string

const workflow = `
apiVersion: planloom/v1
kind: Workflow
name: survived
use: { plugins: ["@planloom/stages", "@planloom/tools-data"] }
inputs: { data: { type: string, format: path } }
stages:
  - { id: say, uses: emit, with: { name: reading, audience: user, message: "Reading the file." } }
  - { id: load, uses: call, with: { tool: rows, params: { path: "\${{ inputs.data }}" } } }
  - id: each
    for_each: "\${{ ['a', 'b'] }}"
    uses: call
    on_error: continue
    with: { tool: rows, params: { path: "\${{ item + '.csv' }}" } }
  - id: last
    uses: call
    on_error: fallback
    with: { tool: rows, params: { path: lost.csv } }
    fallback: { uses: set, with: { value: none } }
outputs: { rows: { value: "\${{ stages.load.output.total }}" } }
`

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "survived-"))
  await writeFile(join(cwd, "survived.yaml"), workflow)
  await writeFile(join(cwd, "days.csv"), "id,when\n1,01/02/2024\n2,03/04/2024\n")
  await writeFile(join(cwd, "ragged.csv"), "a,b\n1,2,3\n4\n")
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

const run = (file: string, ...flags: ReadonlyArray<string>) =>
  planloom(["run", "survived.yaml", "-i", `data=${file}`, ...flags], { cwd })

it("names failed items, the fallback, notes of tools and notes for the user", async () => {
  const { code, stderr } = await run("days.csv")
  expect(code).toBe(0)
  const lines = stderr.replaceAll(/\n +/g, " ")
  expect(lines).toContain("Reading the file.")
  expect(lines).toMatch(
    // Items fail in any order.
    /degraded: 2 stages failed, and the run continued \((?=.*each\[0\]: \S+ there is no file a\.csv)(?=.*each\[1\]: \S+ there is no file b\.csv)/,
  )
  expect(lines).toMatch(/degraded: 1 stage ended by the fallback \(last: .*lost\.csv/)
  expect(lines).toContain("note: load · rows: when: day and month are ambiguous")
})

it("says that a file with uneven lines was read as one column", async () => {
  const { stderr } = await run("ragged.csv")
  expect(stderr).toContain("The file was read as one column")
})

it("has the same in the result, and is silent with --quiet", async () => {
  const { stdout } = await run("days.csv", "--json")
  const result = JSON.parse(stdout.trim().split("\n").at(-1)!)
  expect(result.degraded.map((one: { after?: string }) => one.after)).toEqual([
    "continue",
    "continue",
    "fallback",
  ])
  expect(result.notes.map((one: { tool?: string }) => one.tool)).toEqual([undefined, "rows"])
  expect((await run("days.csv", "--quiet")).stderr).toBe("")
})

it("names a text that was cut", async () => {
  await using server = await wireServer({ answers: [{ text: "Half a sen", cut: true }] })
  const folder = await mkdtemp(join(tmpdir(), "survived-"))
  const file = (name: string, kind: string, body: string) =>
    writeFile(join(folder, name), `apiVersion: planloom/v1\nkind: ${kind}\n${body}`)
  await file(
    "planloom.yaml",
    "Project",
    `plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${server.url}/v1" } } } }\n`,
  )
  await file(
    "cut.yaml",
    "Workflow",
    `name: cut
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
models: { m: { try: [local/small] } }
stages: [{ id: say, uses: generate, model: m, with: { task: Say it. } }]
outputs: { text: { type: string, value: "\${{ stages.say.output.text }}" } }
`,
  )
  const { code, stderr, stdout } = await planloom(["run", "cut.yaml"], { cwd: folder })
  await rm(folder, { recursive: true })
  expect(code).toBe(0)
  expect(stdout).toContain("Half a sen")
  expect(stderr.replaceAll(/\n +/g, " ")).toContain(
    "degraded: 1 reply used unfinished (say: the reply of local/small was cut at its maximum length (max_tokens))",
  )
})
