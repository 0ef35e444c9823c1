/** `planloom serve` syncs the libraries of its workflows at their intervals: several servers read a file once, and a failed sync is seen. */
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { planloom, serve, type Server } from "./planloom.ts"

let cwd = ""
let servers: Array<Server> = []

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-served-")))
  await mkdir(join(cwd, "workflows"))
  await mkdir(join(cwd, "papers"))
  await writeFile(join(cwd, "papers/a.md"), "# A\n\nParcels arrive in two days.\n")
})

afterEach(async () => {
  for (const server of servers) await server.stop("SIGTERM")
  servers = []
  await rm(cwd, { recursive: true, force: true })
})

const workflow = (library: string) =>
  writeFile(
    join(cwd, "workflows/ask.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents"] }
libraries: { papers: ${library} }
stages: [{ id: a, uses: set, with: { value: 1 } }]
`,
  )

const started = async () => {
  const server = await serve([], { cwd })
  servers.push(server)
  return server
}

const status = async () => {
  const { stdout } = await planloom(["documents", "status", "--json"], { cwd })
  const [one] = JSON.parse(stdout) as ReadonlyArray<{
    readonly files?: number
    readonly failure?: { readonly message: string }
  }>
  return one!
}

const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 200 })

it("two servers sync a library, and one whose folder is away says so once and keeps its index", async () => {
  await workflow('{ folder: ../papers, sync: { every: "1s" } }')
  const [server] = [await started(), await started()]
  await eventually(async () => expect((await status()).files).toBe(1))
  await writeFile(join(cwd, "papers/b.md"), "# B\n\nRefunds take five days.\n")
  await eventually(async () => expect((await status()).files).toBe(2))
  await rename(join(cwd, "papers"), join(cwd, "away"))
  await eventually(async () =>
    expect((await status()).failure?.message).toContain("there is no folder"),
  )
  expect((await status()).files).toBe(2)
  await eventually(async () =>
    expect(server!.stderr()).toContain("the library papers cannot be synced: there is no folder"),
  )
  await rename(join(cwd, "away"), join(cwd, "papers"))
  await rm(join(cwd, "papers/a.md"))
  await eventually(async () => expect(await status()).toMatchObject({ files: 1 }))
  await eventually(async () => expect(await status()).not.toHaveProperty("failure"))
  expect(server!.stderr().match(/cannot be synced/g)).toHaveLength(1)
})

it("a library without an interval is synced by searches alone", async () => {
  await workflow("{ folder: ../papers }")
  await started()
  await mkdir(join(cwd, "others"))
  await writeFile(
    join(cwd, "workflows/other.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: other
use: { plugins: ["@planloom/stages", "@planloom/documents"] }
libraries: { others: { folder: ../others, sync: { every: 1s } } }
stages: [{ id: a, uses: set, with: { value: 1 } }]
`,
  )
  await started()
  const all = async () =>
    JSON.parse(
      (await planloom(["documents", "status", "--json"], { cwd })).stdout,
    ) as ReadonlyArray<{
      readonly library: string
      readonly synced: string | null
    }>
  await eventually(async () =>
    expect((await all()).find(({ library }) => library === "others")?.synced).not.toBeNull(),
  )
  expect((await all()).find(({ library }) => library === "papers")?.synced).toBeNull()
})
