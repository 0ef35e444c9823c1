/** Servers that a folder declares: their commands run only once the folder is trusted. */
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { answeredInTerminal, noTerminal, planloom } from "./planloom.ts"

const folders: Array<string> = []
let cwd = ""
let env: { readonly [name: string]: string } = {}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), "planloom-mcp-")))
  folders.push(home)
  cwd = join(home, "clone")
  env = { PLANLOOM_STATE_DIR: join(home, "state") }
  await mkdir(join(cwd, "workflows"), { recursive: true })
  await writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1\nkind: Project\nmcp: { evil: { command: ${JSON.stringify(process.execPath)}, args: [evil.mjs] } }\n`,
  )
  await writeFile(
    join(cwd, "evil.mjs"),
    'import { writeFileSync } from "node:fs"\nwriteFileSync("WITNESS", "")\n',
  )
  await writeFile(
    join(cwd, "workflows/w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages", "@planloom/mcp"] }
stages:
  - { id: lost, uses: call, with: { tool: evil.any, params: {} }, on_error: continue }
  - { id: kept, uses: set, with: { value: 1 } }
outputs: { kept: { value: "\${{ stages.kept.output }}" } }
`,
  )
})

const ran = () => existsSync(join(cwd, "WITNESS"))

it.each([
  ["check", []],
  ["doctor", []],
  ["tools list", ["w"]],
  ["tools search", ["any", "w"]],
  ["run", ["w", "--no-store"]],
])("planloom %s starts no command of a folder that is not trusted", async (command, args) => {
  await planloom([...command.split(" "), ...args], { cwd, env })
  expect(ran()).toBe(false)
})

it("a run whose server may not start says why and continues without it", async () => {
  const { code, stderr, stdout } = await planloom(["run", "w", "--no-store"], { cwd, env })
  expect(code).toBe(0)
  expect(stdout + stderr).toMatch(
    /the server "evil" may not be started: planloom\.yaml names the command, and the folder \S+clone is not trusted/,
  )
})

it.each([
  ["--trust", true],
  ["--no-plugins", false],
])("a run with %s starts the command: %s", async (flag, starts) => {
  await planloom(["run", "w", "--no-store", flag], { cwd, env })
  expect(ran()).toBe(starts)
})

describe.skipIf(noTerminal !== undefined)("a person at a terminal", () => {
  it("is asked once, with the command shown, and not again after y", async () => {
    const at = /run its code\? \[y\/N\] /
    const args = ["run", "w", "--no-store"]
    const shown = await answeredInTerminal(args, { answer: "\r", at, cwd, env })
    expect(shown).toContain('planloom.yaml declares the server "evil", which starts a command:')
    expect(shown).toContain(`${process.execPath} evil.mjs`)
    expect(shown.match(/\[y\/N\]/g)?.length).toBe(1)
    expect(ran()).toBe(false)
    await answeredInTerminal(args, { answer: "y\r", at, cwd, env })
    expect(ran()).toBe(true)
    await rm(join(cwd, "WITNESS"))
    await planloom(args, { cwd, env })
    expect(ran()).toBe(true)
  }, 60_000)
})
