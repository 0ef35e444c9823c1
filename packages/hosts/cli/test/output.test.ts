/** Output that cannot be written, end to end: a device that is always full, and a file system that is full in the middle. */
import { spawnSync } from "node:child_process"
import { closeSync, existsSync, openSync } from "node:fs"
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fixture, planloom, type Outcome } from "./planloom.ts"

const full = "/dev/full"
const mounted: Array<string> = []
let cwd: string
let run: string

const large = `
apiVersion: planloom/v1
kind: Workflow
name: large
use: { plugins: [../plugin.ts] }
inputs: { text: { type: string } }
stages: [{ id: give, uses: give, with: { value: "\${{ inputs.text }}" } }]
outputs: { text: { type: string, value: "\${{ stages.give.output }}" } }
`

const tests = `
apiVersion: planloom/v1
kind: WorkflowTest
workflow: ./ends.yaml
tests:
  - { name: ends well, given: { inputs: { how: well } }, expect: { status: succeeded } }
`

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "output-"))
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await mkdir(join(cwd, "workflows"))
  await cp(join(fixture, "workflows/ends.yaml"), join(cwd, "workflows/ends.yaml"))
  await writeFile(join(cwd, "workflows/large.yaml"), large)
  await writeFile(join(cwd, "workflows/ends.test.yaml"), tests)
  await writeFile(join(cwd, "wrong.yaml"), "apiVersion: planloom/v1\nkind: Workflow\nnme: x\n")
  await writeFile(join(cwd, "long.txt"), "word ".repeat(40_000))
  await planloom(["run", "ends", "-i", "how=well"], { cwd })
  const { stdout } = await planloom(["runs", "list", "--json"], { cwd })
  run = JSON.parse(stdout)[0].run
})

afterAll(async () => {
  for (const folder of mounted) spawnSync("umount", [folder])
  await rm(cwd, { recursive: true, force: true })
})

/** Runs the command with its standard output in a file. */
const into = async (path: string, args: ReadonlyArray<string>): Promise<Outcome> => {
  const file = openSync(path, "w")
  try {
    return await planloom(args, { cwd, stdoutTo: file })
  } finally {
    closeSync(file)
  }
}

/** A file system of 64 KiB, or why there is none. */
const disk = async () => {
  const folder = await mkdtemp(join(cwd, "disk-"))
  const size = "size=64k"
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", folder], {
    encoding: "utf8",
  })
  if (made.status !== 0) return { why: `no file system to fill: ${made.error ?? made.stderr}` }
  mounted.push(folder)
  return { folder }
}

const failed = { code: 3, stdout: "", stderr: "planloom: write error: no space left on device\n" }

describe.skipIf(!existsSync(full))("standard output on a full device", () => {
  it.each([
    "--version",
    "--help",
    "--completions bash",
    "run ends -i how=well -q",
    "run ends -i how=well",
    "run ends -i how=well --json",
    "runs list",
    "runs list --json",
    "runs show RUN",
    "runs events RUN",
    "runs export RUN",
    "check wrong.yaml --format json",
    "check wrong.yaml",
    "list stages",
    "list stages --json",
    "schema workflow",
    "graph ends",
    "plan ends -i how=well",
    "types ends",
    "explain PL0001",
    "test workflows/ends.test.yaml",
    "test workflows/ends.test.yaml --reporter json",
  ])("ends planloom %s with one line and exit code 3", async (command) => {
    const said = await into(full, command.replace("RUN", run).split(" "))
    const lines = said.stderr.split("\n").filter((line) => /error|fault/.test(line))
    expect({ ...said, stderr: `${lines.join("\n")}\n` }).toEqual(failed)
  })

  it("does not stop the run, so that its record contains what was not printed", async () => {
    await into(full, ["run", "ends", "-i", "how=well", "--json"])
    const { stdout } = await planloom(["runs", "list", "--json"], { cwd })
    expect(JSON.parse(stdout)[0]).toMatchObject({ status: "succeeded" })
  })

  it("does not change the exit code if it is standard error", async () => {
    const file = openSync(full, "w")
    const said = await planloom(["run", "ends", "-i", "how=well"], { cwd, stderrTo: file })
    const failing = await planloom(["run", "ends", "-i", "how=fail"], { cwd, stderrTo: file })
    closeSync(file)
    expect(said).toEqual({ code: 0, stdout: "well\n", stderr: "" })
    expect(failing).toEqual({ code: 3, stdout: "", stderr: "" })
  })
})

describe("a file system that is full before the output is written", () => {
  const long = ["run", "large", "-i", "text=@long.txt", "-q"]

  it("ends a command whose standard output fits in part with exit code 3", async (context) => {
    const { folder, why } = await disk()
    if (folder === undefined) return context.skip(why)
    const path = join(folder, "out.txt")
    expect(await into(path, long)).toEqual(failed)
    expect((await stat(path)).size).toBe(64 * 1024)
    expect(await readFile(path, "utf8")).toMatch(/^word word/)
  })

  it.for([
    "run large -i text=@long.txt -q --out DISK",
    "graph large --out DISK/graph.mmd",
    "types large --out DISK/types.ts",
    "runs export RUN --out DISK/run.json",
    "schema --out DISK",
  ])("ends planloom %s with exit code 3", async (command, context) => {
    const { folder, why } = await disk()
    if (folder === undefined) return context.skip(why)
    await writeFile(join(folder, "filler"), Buffer.alloc(64 * 1024))
    const args = command.replace("DISK", folder).replace("RUN", run).split(" ")
    const said = await planloom(args, { cwd })
    expect(said).toMatchObject({ code: 3 })
    expect(said.stderr).toMatch(/cannot be written.*no space left/)
    expect(said.stderr).not.toContain("defect")
  })
})
