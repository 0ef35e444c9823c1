/** The store that planloom.yaml chooses records, lists and resumes runs through the command line. */
import { existsSync, readdirSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lines, planloom, serve, trusting } from "./planloom.ts"

const files = join(import.meta.dirname, "../../../../examples/store/plugin.ts")

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "planloom-stores-")))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: sign
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ok, uses: approve, with: { message: Ship it? } }]
outputs: { ok: { type: boolean, value: "\${{ stages.ok.output.approved }}" } }
`

/** A project whose planloom.yaml ends with this text. */
const project = async (name: string, settings: string): Promise<string> => {
  const folder = join(root, name)
  await mkdir(join(folder, "workflows"), { recursive: true })
  await writeFile(
    join(folder, "planloom.yaml"),
    `apiVersion: planloom/v1\nkind: Project\n${settings}`,
  )
  await writeFile(join(folder, "workflows/sign.yaml"), workflow)
  return folder
}

const chosen = (store: string) =>
  `plugins: { ${JSON.stringify(files)}: { folder: recorded } }\nruns: { store: ${store} }\n`

describe("a store of a plugin, chosen in planloom.yaml", () => {
  it("records, lists, answers and prunes runs, and no SQLite file is made", async () => {
    const cwd = await project("chosen", chosen("files"))
    await trusting(cwd)
    const waiting = await planloom(["run", "sign", "--json"], { cwd })
    expect(waiting.stderr).toBe("")
    expect(waiting.code).toBe(4)
    const run = String(lines(waiting).at(-1)!["run"])
    const listed = await planloom(["runs", "list", "--json"], { cwd })
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { run, workflow: "sign", status: "suspended" },
    ])
    const answered = await planloom(["runs", "answer", run, "--yes", "--json"], { cwd })
    expect(lines(answered).at(-1)).toMatchObject({ status: "succeeded", outputs: { ok: true } })
    const shown = await planloom(["runs", "show", run, "--json"], { cwd })
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: "succeeded" })
    expect(
      readdirSync(join(cwd, "recorded")).filter((name) => name.startsWith("run-")),
    ).toHaveLength(1)
    await planloom(["runs", "prune", "--keep", "0"], { cwd })
    expect(readdirSync(join(cwd, "recorded"))).toEqual([])
    expect(existsSync(join(cwd, ".planloom/runs.db"))).toBe(false)
  })

  it("is that of the workflow's project when the workflow is in another folder", async () => {
    const cwd = await project("below", chosen("files"))
    await trusting(cwd)
    const { code } = await planloom(["run", "below/workflows/sign.yaml", "--yes"], { cwd: root })
    expect(code).toBe(0)
    const listed = await planloom(["runs", "list", "--json"], { cwd })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ status: "succeeded" }])
    expect(existsSync(join(root, ".planloom/runs.db"))).toBe(false)
  })

  it("serves its runs over HTTP", async () => {
    const cwd = await project("served", chosen("files"))
    await trusting(cwd)
    const server = await serve(["sign"], { cwd })
    const response = await fetch(`${server.url}/workflows/sign/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ inputs: {} }),
    })
    const { run } = (await response.json()) as { readonly run: string }
    const listed = await planloom(["runs", "list", "--json"], { cwd })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ run }])
    expect(await server.stop("SIGTERM")).toBe(0)
  })

  it("prunes by runs.keep after each run", async () => {
    const cwd = await project(
      "kept",
      `plugins: { ${JSON.stringify(files)}: { folder: recorded } }\nruns: { store: files, keep: { count: 1 } }\n`,
    )
    await trusting(cwd)
    for (const _ of [1, 2, 3])
      expect((await planloom(["run", "sign", "--yes"], { cwd })).code).toBe(0)
    const listed = await planloom(["runs", "list", "--json"], { cwd })
    expect(JSON.parse(listed.stdout)).toHaveLength(1)
  })

  it("is not loaded while the folder is not trusted, and no run starts unrecorded instead", async () => {
    const cwd = await project("untrusted", chosen("files"))
    for (const args of [
      ["run", "sign"],
      ["runs", "list"],
      ["sessions", "list"],
    ]) {
      const { code, stderr } = await planloom(args, { cwd })
      expect(stderr).toContain("planloom.yaml:3:12 PL4024")
      expect(code).toBe(1)
    }
    expect(existsSync(join(cwd, "recorded"))).toBe(false)
  })

  it("is the SQLite store with another file, by the config of its plugin", async () => {
    const cwd = await project(
      "sqlite",
      `plugins: { "@planloom/store-sqlite": { file: data/runs.db } }\nruns: { store: sqlite }\n`,
    )
    expect((await planloom(["run", "sign", "--yes"], { cwd })).code).toBe(0)
    const listed = await planloom(["runs", "list", "--json"], { cwd: join(cwd, "workflows") })
    expect(JSON.parse(listed.stdout)).toHaveLength(1)
    expect(existsSync(join(cwd, "data/runs.db"))).toBe(true)
    expect(existsSync(join(cwd, ".planloom/runs.db"))).toBe(false)
  })
})

describe("a store that no plugin has", () => {
  it("is reported at its line with the name that was meant, by check and by each command that opens it", async () => {
    const cwd = await project("unknown", chosen("file"))
    await trusting(cwd)
    const checked = await planloom(["check", "planloom.yaml"], { cwd })
    expect(checked.code).toBe(1)
    expect(checked.stdout + checked.stderr).toContain(
      'planloom.yaml:4:16 error PL4031 there is no store "file"',
    )
    expect(checked.stdout + checked.stderr).toContain('did you mean "files"?')
    for (const args of [["run", "sign"], ["runs", "list"], ["sessions", "list"], ["serve"]]) {
      const { code, stderr } = await planloom(args, { cwd })
      expect(stderr).toContain('planloom.yaml:4:16 PL4031 there is no store "file"')
      expect(code).toBe(1)
    }
  })
})

describe("a store whose plugin cannot be set up", () => {
  it("warns and runs unrecorded, and refuses with --store", async () => {
    const cwd = await project("broken", chosen("files"))
    await trusting(cwd)
    await writeFile(join(cwd, "recorded"), "a file")
    const { code, stderr } = await planloom(["run", "sign", "--yes"], { cwd })
    expect(stderr).toContain("the run is not recorded:")
    expect(stderr).toContain("planloom.yaml:3:")
    expect(code).toBe(0)
    expect((await planloom(["run", "sign", "--yes", "--store"], { cwd })).code).toBe(1)
    const doctor = await planloom(["doctor"], { cwd })
    expect(doctor.stdout).toMatch(/✗ Store files\s+cannot be opened: planloom\.yaml:3:/)
    expect(doctor.code).toBe(1)
    await rm(join(cwd, "recorded"))
    expect((await planloom(["doctor"], { cwd })).stdout).toMatch(/✓ Store files\s+\S+ can be read/)
  })
})
