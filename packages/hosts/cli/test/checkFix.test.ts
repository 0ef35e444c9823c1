/** `planloom check --fix` on the files of a folder: what it writes, and what it leaves. */
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

const draft = `# Answers questions.
name: my-flow   # kept

inputs:
  - name: question   # from the user
    type: str
steps:
  - id: answer
    uses:   generate   # spacing is kept
    with:
      prompt: "Answer: {{ question }}"
      model: openai/gpt-5
    retries: 2
outputs:
  answer: "\${{ steps.answer.outputs.text }}"
`

const fixed = `# Answers questions.
apiVersion: planloom/v1
kind: Workflow
name: my_flow   # kept
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }

inputs:
  question:   # from the user
    type: string
stages:
  - id: answer
    model: openai/gpt-5
    uses:   generate   # spacing is kept
    with:
      task: "Answer: \${{ inputs.question }}"
    retry: { max_retries: 2 }
outputs:
  answer: "\${{ stages.answer.output.text }}"
`

let folder: string
const read = (name: string) => readFile(join(folder, name), "utf8")

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-fix-"))
  await mkdir(join(folder, "app", "workflows"), { recursive: true })
  await writeFile(join(folder, "app", "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(folder, "app", "workflows", "flow.yaml"), draft)
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const check = (...args: ReadonlyArray<string>) =>
  planloom(["check", ...args], { cwd: join(folder, "app") })

describe("planloom check --fix", () => {
  it("applies what is certain, keeps comments and layout, and says what it changed", async () => {
    const { code, stderr } = await check("workflows/flow.yaml", "--fix")
    expect(await read("app/workflows/flow.yaml")).toBe(fixed)
    expect(code).toBe(0)
    expect(stderr).toContain("workflows/flow.yaml:9:1 PL0101 steps is now stages")
    expect(stderr).toContain("edits in 1 file")
    expect((await readdir(join(folder, "app", "workflows"))).toSorted()).toEqual(["flow.yaml"])
  })

  it("changes nothing in a second run", async () => {
    await check("--fix")
    const { stderr } = await check("--fix")
    expect(stderr).toContain("no edit is certain here")
    expect(await read("app/workflows/flow.yaml")).toBe(fixed)
  })

  it("keeps the line breaks of a file", async () => {
    await writeFile(join(folder, "app", "workflows", "flow.yaml"), draft.replaceAll("\n", "\r\n"))
    await check("--fix")
    expect(await read("app/workflows/flow.yaml")).toBe(fixed.replaceAll("\n", "\r\n"))
  })

  it("leaves a file outside of the project, also behind a link", async () => {
    await writeFile(join(folder, "other.yaml"), draft)
    await symlink("../../other.yaml", join(folder, "app", "workflows", "link.yaml"))
    await rm(join(folder, "app", "workflows", "flow.yaml"))
    const { code } = await check("workflows/link.yaml", "--fix")
    expect(code).not.toBe(0)
    expect(await read("other.yaml")).toBe(draft)
    expect((await lstat(join(folder, "app", "workflows", "link.yaml"))).isSymbolicLink()).toBe(true)
  })

  it("writes a classifier as a stage that asks for one of its labels, and a file by its name", async () => {
    await mkdir(join(folder, "app", "catalog"))
    await writeFile(
      join(folder, "app", "catalog", "desk.yaml"),
      "apiVersion: planloom/v1\nkind: Catalog\nname: desk\ntools: []\n",
    )
    await writeFile(
      join(folder, "app", "workflows", "flow.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages"], files: [../catalog/desks.yaml] }
inputs: { question: { type: string } }
stages:
  - id: route
    uses: classify
    input: "\${{ inputs.question }}"
    labels: [sales, support]
outputs:
  label: "\${{ stages.route.label }}"
`,
    )
    const { code } = await check("workflows/flow.yaml", "--fix")
    expect(code).toBe(0)
    const text = await read("app/workflows/flow.yaml")
    expect(text).toContain(`files: [../catalog/desk.yaml]`)
    expect(text).toContain("    uses: generate\n    with: { ")
    expect(text).toContain("task: Choose the label that fits.")
    expect(text).toContain("properties: { label: { enum: [sales, support] } }")
    expect(text).toContain("stages.route.output.value.label")
  })

  it("refuses standard input", async () => {
    const { code, stderr } = await check("-", "--fix")
    expect(code).toBe(2)
    expect(stderr).toContain("--fix writes files")
  })

  it("reports in JSON what is left, with a next step in each message", async () => {
    const before = JSON.parse((await check("--format", "json")).stdout) as ReadonlyArray<Reported>
    expect(before[0]!.fix).toEqual({
      file: "workflows/flow.yaml",
      start: { line: 2, col: 1, offset: 21 },
      end: { line: 2, col: 1, offset: 21 },
      text: "apiVersion: planloom/v1\nkind: Workflow\n",
    })
    await writeFile(
      join(folder, "app", "workflows", "flow.yaml"),
      `${fixed}timeout: 30\nnothing: 1\n`,
    )
    const left = JSON.parse(
      (await check("--fix", "--format", "json")).stdout,
    ) as ReadonlyArray<Reported>
    expect(left.map(({ code }) => code)).toEqual(["PL0105", "PL0101"])
    for (const { help } of left) expect(help).not.toBe("")
  })
})

interface Reported {
  readonly code: string
  readonly help: string
  readonly fix?: unknown
}
