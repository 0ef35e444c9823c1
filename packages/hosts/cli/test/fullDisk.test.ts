/** Recorded runs on a full disk: they can still be read. */
import { spawnSync } from "node:child_process"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { appendFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { planloom } from "./planloom.ts"

/** Fills the remaining space. */
const fill = (file: string) => {
  let size = 1024 * 1024
  while (size >= 1) {
    try {
      appendFileSync(file, Buffer.alloc(size))
    } catch {
      size = Math.floor(size / 2)
    }
  }
}

it("runs list and runs show read on a full disk; what records a run says that there is no space", async (context) => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-full-")))
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", cwd])
  onTestFinished(async () => {
    spawnSync("umount", ["--lazy", cwd])
    await rm(cwd, { recursive: true, force: true })
  })
  if (mounted.status !== 0) return context.skip("no file system to fill")
  await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(
    join(cwd, "w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ask, uses: approve, with: { message: "Go?" } }]
`,
  )
  const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd })
  await command("run", "w.yaml", "--store", "--json")
  const before = await command("runs", "list", "--json")
  const [{ run }] = JSON.parse(before.stdout) as [{ readonly run: string }]
  fill(join(cwd, "filler"))
  const after = await command("runs", "list", "--json")
  expect(after.code, after.stderr).toBe(0)
  expect(JSON.parse(after.stdout)).toEqual(JSON.parse(before.stdout))
  const shown = await command("runs", "show", run)
  expect(shown.code, shown.stderr).toBe(0)
  expect(shown.stdout).toContain("Go?")
  const refused = await command("runs", "answer", run, "--yes")
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain("no space left")
})
