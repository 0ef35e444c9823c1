/** The audit list of the command: keys, answers and erasures, printed and exported. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { fixture, planloom } from "./planloom.ts"

let cwd: string

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "audit-"))
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(
    join(cwd, "workflows/w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ask, uses: approve, with: { message: "Go?" } }]
`,
  )
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd })

it("lists keys, answers and erasures with the shell they came through, and exports them as lines", async () => {
  await command("keys", "create", "job")
  await command("keys", "revoke", "job")
  const { stdout } = await command("run", "w", "--store", "--json")
  const { run } = JSON.parse(stdout.split("\n", 1)[0]!) as { readonly run: string }
  const answered = await command("runs", "answer", run, "--yes", "--by", "boss")
  expect(answered.code, answered.stderr).toBe(0)
  await command("users", "forget", "u_17")
  const listed = await command("audit")
  for (const word of ["key_created", "key_revoked", "answered", "boss", "user_erased", "shell:"]) {
    expect(listed.stdout).toContain(word)
  }
  await command("audit", "--out", "audit.jsonl")
  const lines = (await readFile(join(cwd, "audit.jsonl"), "utf8")).trim().split("\n")
  expect((await command("audit", "--json")).stdout.trim().split("\n")).toEqual(lines)
  const entries = lines.map((line) => JSON.parse(line) as any)
  expect(entries.map(({ action }) => action)).toEqual([
    "key_created",
    "key_revoked",
    "answered",
    "user_erased",
  ])
  expect(entries[2]).toMatchObject({ by: "boss", about: { run, workflow: "w" } })
  expect(JSON.stringify(entries)).not.toContain("u_17")
  const some = await command("audit", "--action", "answered", "--since", "1h", "--json")
  expect(some.stdout.trim().split("\n")).toHaveLength(1)
  expect(await command("audit", "--action", "answer")).toMatchObject({ code: 2 })
})
