/** A fresh clone is green: the command that runs from its source needs no `--trust` for the workflows of the clone. */
import { mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { planloom, sourceBin, type Outcome } from "./planloom.ts"

const cwd = join(import.meta.dirname, "../../../..")

/** Nobody has trusted a folder here. */
const state = mkdtempSync(join(tmpdir(), "planloom-fresh-"))
afterAll(() => rm(state, { recursive: true, force: true }))

const env = { PLANLOOM_STATE_DIR: state }
const fromSource = (...args: ReadonlyArray<string>): Promise<Outcome> =>
  planloom(args, { cwd, env, bin: sourceBin })

it("doctor finds nothing broken in a clone", async () => {
  const { code, stdout } = await fromSource("doctor")
  expect(stdout).toMatch(/✓ workflows\/device_assistant\.yaml +no problems/)
  expect(stdout).not.toContain("✗")
  expect(code).toBe(0)
})

it("check accepts every workflow of a clone", async () => {
  const { code, stdout } = await fromSource("check", "workflows")
  expect(stdout).not.toContain(" error ")
  expect(code).toBe(0)
})

it("test passes for a shipped workflow whose plugin is code of the clone", async () => {
  const { code, stdout } = await fromSource("test", "workflows/device_assistant.test.yaml")
  expect(stdout).toContain(" passed, 0 failed")
  expect(code).toBe(0)
})

it("an installed command does not take the clone for its own", async () => {
  const { stdout } = await planloom(["check", "workflows/device_assistant.yaml"], { cwd, env })
  expect(stdout).toContain("PL4024")
})
