/** Files of runs end to end: every run has a folder of its own, for as long as the run is recorded. */
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { fixture, lines, planloom, serve, type Outcome, type Server } from "./planloom.ts"

const folders: Array<string> = []
const servers: Array<Server> = []
let cwd: string

/** Exports a data file, pauses, then reads the exported file again. */
const exporting = (name: string, pause: string) => `
apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: ["@planloom/stages", "@planloom/tools-data"] }
inputs: { data: { type: string } }
stages:
  - { id: open, uses: call, with: { tool: describe, params: { path: "\${{ inputs.data }}" } } }
  - id: save
    uses: call
    with: { tool: export, params: { name: x }, inputs: { table: "\${{ stages.open.output.table }}" } }
  - ${pause}
  - id: read
    uses: call
    with: { tool: describe, params: { path: "\${{ stages.save.output.path }}" } }
outputs:
  rows: { type: integer, value: "\${{ stages.read.output.rows }}" }
  path: { type: string, value: "\${{ stages.save.output.path }}" }
`

const asks = "{ id: pause, uses: approve, with: { message: Read it? } }"
const waits = "{ id: pause, uses: wait, with: { for: 2s } }"

const chart = `
apiVersion: planloom/v1
kind: Workflow
name: chart
use: { plugins: [../plugin.ts] }
inputs: { title: { type: string } }
stages: [{ id: draw, uses: give, with: { value: drawn } }]
outputs: { chart: { type: string, value: "<svg>\${{ inputs.title }}</svg>" } }
`

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "folders-"))
  folders.push(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "workflows/exports.yaml"), exporting("exports", asks))
  await writeFile(join(cwd, "workflows/slow.yaml"), exporting("slow", waits))
  await writeFile(join(cwd, "workflows/chart.yaml"), chart)
  await writeFile(join(cwd, "two.csv"), "region,amount\nnorth,1\nsouth,2\n")
  await writeFile(join(cwd, "three.csv"), "region,amount\nnorth,1\nsouth,2\nwest,3\n")
})

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop("SIGKILL")
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const resultIn = (said: Outcome): any => {
  expect(said.code, said.stderr).toBe(0)
  return lines(said).at(-1)
}

describe("the folder of a run", () => {
  it("separates files of one name from two runs of one server, whatever their ids", async () => {
    const server = await serve([], { cwd })
    servers.push(server)
    const until = async (run: string, status: string): Promise<any> => {
      for (const deadline = Date.now() + 20_000; ;) {
        const record: any = await (await fetch(`${server.url}/runs/${run}`)).json()
        if (record.status === status) return record
        if (Date.now() > deadline) throw new Error(`${JSON.stringify(record)}\n${server.stderr()}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const post = async (path: string, body: unknown, key = "") => {
      const said = await fetch(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(body),
      })
      expect(said.ok, await said.text()).toBe(true)
    }
    const runs = [
      { run: "orders", data: "two.csv", rows: 2 },
      { run: "Orders", data: "three.csv", rows: 3 },
      { run: "...", data: "two.csv", rows: 2 },
    ]
    await Promise.all(
      runs.map(({ data, run }) => post("/workflows/exports/runs", { inputs: { data } }, run)),
    )
    for (const { run } of runs) await until(run, "suspended")
    for (const { run } of runs) {
      await post(`/runs/${run}/answers/pause`, { value: { approved: true } })
    }
    const paths = new Set<string>()
    for (const { rows, run } of runs) {
      const { outputs } = (await until(run, "succeeded")).result
      expect(outputs.rows, run).toBe(rows)
      paths.add(outputs.path.toLowerCase())
      expect(outputs.path.startsWith(join(cwd, ".planloom/work/"))).toBe(true)
    }
    expect(paths.size).toBe(runs.length)
  })

  it("separates the charts of two commands that run one workflow at the same time", async () => {
    const titles = ["one", "two"]
    const said = await Promise.all(
      titles.map((title) => planloom(["run", "chart", "-i", `title=${title}`], { cwd })),
    )
    for (const [index, { code, stderr, stdout }] of said.entries()) {
      expect(code, stderr).toBe(0)
      const path = /^chart {2}(\S+\.svg)$/m.exec(stdout)?.[1]
      expect(await readFile(join(cwd, path!), "utf8")).toBe(`<svg>${titles[index]}</svg>`)
    }
  })

  it("is the same when the run is resumed after kill -9", async () => {
    const killed = await planloom(["run", "slow", "-i", "data=three.csv", "--json"], {
      cwd,
      interruptAt: /"path":"pause"/,
      signal: "SIGKILL",
    })
    const [first] = lines(killed) as ReadonlyArray<{ readonly run?: string }>
    await planloom(["run", "slow", "-i", "data=two.csv"], { cwd })
    const resumed = await planloom(["runs", "resume", first!.run!, "--json"], { cwd })
    expect(resultIn(resumed).outputs).toMatchObject({ rows: 3 })
  })

  it("stays while a fork of the run is recorded, and is removed when both are pruned", async () => {
    const made = resultIn(
      await planloom(["run", "exports", "--yes", "-i", "data=three.csv", "--json"], { cwd }),
    )
    const fork = ["runs", "fork", made.run, "--from", "read", "--json"]
    const forked = resultIn(await planloom(fork, { cwd }))
    expect(forked.outputs).toEqual(made.outputs)
    const again = ["runs", "fork", forked.run, "--from", "read", "--json"]
    const last = resultIn(await planloom(again, { cwd }))
    const prune = async (keep: string) =>
      JSON.parse((await planloom(["runs", "prune", "--keep", keep, "--json"], { cwd })).stdout)
    expect(await prune("1")).toEqual([])
    expect(existsSync(made.outputs.path)).toBe(true)
    expect((await prune("0")).toSorted()).toEqual([made.run, forked.run, last.run].toSorted())
    expect(existsSync(made.outputs.path)).toBe(false)
    expect(await readdir(join(cwd, ".planloom/work"))).toEqual([])
  })

  it("is not removed through a symbolic link in place of its parent", async () => {
    const made = resultIn(
      await planloom(["run", "exports", "--yes", "-i", "data=two.csv", "--json"], { cwd }),
    )
    const elsewhere = join(cwd, "elsewhere")
    const work = join(cwd, ".planloom/work")
    await cp(work, elsewhere, { recursive: true })
    await rm(work, { recursive: true })
    await symlink(elsewhere, work)
    const pruned = await planloom(["runs", "prune", "--keep", "0"], { cwd })
    expect(pruned.code).toBe(0)
    expect(pruned.stderr).toContain(".planloom/work is a symbolic link")
    expect(await readdir(join(elsewhere, made.run))).toEqual(["x.csv"])
  })
})
