/** Questions at a terminal that are answered from another one. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answeredInTerminal, fixture, noTerminal, planloom } from "./planloom.ts"

let cwd: string

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "prompts-"))
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await cp(join(fixture, "workflows"), join(cwd, "workflows"), { recursive: true })
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

describe.skipIf(noTerminal !== undefined)("a question at a terminal", () => {
  it("ends with the answer from another terminal, which is reported with its author", async () => {
    const answer = async () => {
      const { stdout } = await planloom(["runs", "list", "--json"], { cwd })
      const [{ run }] = JSON.parse(stdout)
      const args = ["runs", "answer", run, "--no", "--comment", "not today", "--by", "bob"]
      answered = await planloom(args, { cwd })
    }
    let answered: unknown
    const shown = await answeredInTerminal(["run", "ends", "-i", "how=approve"], {
      answer,
      at: /yes, or no with a reason/,
      cwd,
    })
    expect(answered).toMatchObject({ code: 0 })
    expect(shown).toContain('answered elsewhere by bob: {"approved":false,"comment":"not today"}')
    expect(shown).toContain("not today")
    const { stdout } = await planloom(["runs", "list"], { cwd })
    expect(stdout).not.toContain("waits")
  })
})
