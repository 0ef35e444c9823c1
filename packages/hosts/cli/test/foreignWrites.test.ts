/** A folder that a stranger wrote, whose links and paths lead out of it: no command writes there, unless the folder is trusted. */
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

const CANARY = "the person's own file\n"

const homes: Array<string> = []
let home = ""
let cwd = ""
let env: { readonly [name: string]: string } = {}

afterAll(async () => {
  for (const folder of homes) await rm(folder, { recursive: true, force: true })
})

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages"] }
stages: [{ id: one, uses: set, with: { value: 1 } }]
outputs: { out: "\${{ stages.one.output }}" }
`

const test = `apiVersion: planloom/v1
kind: WorkflowTest
workflow: w.yaml
tests:
  - { name: kept, expect: { snapshot: out } }
`

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "planloom-home-")))
  homes.push(home)
  cwd = join(home, "clone")
  env = { PLANLOOM_STATE_DIR: join(home, "state") }
  await mkdir(join(cwd, "workflows"), { recursive: true })
  await mkdir(join(home, "own"))
  await writeFile(join(home, "own", "file"), CANARY)
  await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(cwd, "workflows/w.yaml"), workflow)
})

const own = (name = "") => join(home, "own", name)

/** Nothing of the person has changed, and nothing was added. */
const untouched = async () => {
  expect(await readdir(own())).toEqual(["file"])
  expect(await readFile(own("file"), "utf8")).toBe(CANARY)
}

/** In the clone: a link to a file or the folder of the person. */
const link = async (path: string, target: string) => {
  await mkdir(join(cwd, path, ".."), { recursive: true })
  await symlink(target, join(cwd, path))
}

const project = (rest: string) =>
  writeFile(join(cwd, "planloom.yaml"), `apiVersion: planloom/v1\nkind: Project\n${rest}\n`)

const store = (file: string) => project(`plugins: { "@planloom/store-sqlite": { file: ${file} } }`)

const run = ["run", "w", "--store", "--out", "out"]

const traps: ReadonlyArray<
  readonly [what: string, set: () => Promise<unknown>, command: ReadonlyArray<string>]
> = [
  ["the state folder as a link", () => link(".planloom", own()), run],
  ["the state folder as a link to nothing", () => link(".planloom", own("new")), run],
  ["the store as a link", () => link(".planloom/runs.db", own("new.db")), run],
  ["the store as a link to a file", () => link(".planloom/runs.db", own("file")), run],
  ["the store by an absolute path", () => store(own("runs.db")), run],
  ["the store by ..", () => store("../own/runs.db"), run],
  ["the folder of outputs as a link", () => link("out", own()), run],
  ["the files of runs as a link", () => link(".planloom/work", own()), run],
  ["the schemas as a link", () => link(".planloom/schema", own()), ["schema"]],
  ["dist as a link", () => link("dist", own()), ["build", "w"]],
  ["dist as a link to nothing", () => link("dist", own("new")), ["build", "w"]],
  ["the keys as a link", () => link(".planloom/keys.json", own("file")), ["keys", "create", "k"]],
  ["types as a link", () => link("w.ts", own("file")), ["types", "w", "--out", "w.ts"]],
  [
    "a catalog as a link",
    () => link("g.svg", own("file")),
    ["graph", "w", "--format", "svg", "--out", "g.svg"],
  ],
  [
    "an evaluation as a link",
    async () => {
      await writeFile(
        join(cwd, "workflows/w.eval.yaml"),
        "apiVersion: planloom/v1\nkind: Evaluation\nworkflow: w.yaml\ncases: [{ inputs: {} }]\nexpect: { status: succeeded }\n",
      )
      await link("runs.jsonl", own("file"))
    },
    ["eval", "workflows/w.eval.yaml", "--out", "runs.jsonl"],
  ],
  [
    "a snapshot as a link",
    async () => {
      await writeFile(join(cwd, "workflows/w.test.yaml"), test)
      await link("workflows/snapshots", own())
      await link("workflows/__snapshots__", own())
    },
    ["test", "--update"],
  ],
  [
    "a cassette by ..",
    () =>
      writeFile(
        join(cwd, "workflows/w.test.yaml"),
        test
          .replace("expect:", "given: { cassette: ../../own/calls }, expect:")
          .replace("snapshot: out", "status: succeeded"),
      ),
    ["test", "--record", "calls"],
  ],
]

describe("a path that leads out of an untrusted folder", () => {
  it.each(traps)("is not written: %s", async (_, set, command) => {
    await set()
    const { code, stderr, stdout } = await planloom(command, { cwd, env })
    await untouched()
    expect(code, stderr).not.toBe(0)
    expect(stdout + stderr).toMatch(/outside of the project|leads to|is a link/)
  })

  it("is replaced where a schema is a link to a file", async () => {
    await link(".planloom/schema/workflow.json", own("file"))
    const { code, stderr } = await planloom(["schema"], { cwd, env })
    expect(code, stderr).toBe(0)
    await untouched()
    const written = await readFile(join(cwd, ".planloom/schema/workflow.json"), "utf8")
    expect(JSON.parse(written)).toHaveProperty("title")
  })
})

describe("a path outside of the project", () => {
  it("is written where a person types it", async () => {
    const { code, stderr } = await planloom(["types", "w", "--out", own("w.ts")], { cwd, env })
    expect(code, stderr).toBe(0)
    expect(await readdir(own())).toEqual(["file", "w.ts"])
  })

  it("is written by the files of a trusted folder, and with --trust", async () => {
    await store(own("runs.db"))
    const { code, stderr } = await planloom([...run, "--trust"], { cwd, env })
    expect(code, stderr).toBe(0)
    expect(await readdir(own())).toContain("runs.db")
  })

  it("is written behind a link inside of the project", async () => {
    await mkdir(join(cwd, "elsewhere"))
    await link("dist", join(cwd, "elsewhere"))
    const { code, stderr } = await planloom(["build", "w"], { cwd, env })
    expect(code, stderr).toBe(0)
    expect(await readdir(join(cwd, "elsewhere"))).toHaveLength(1)
  })
})
