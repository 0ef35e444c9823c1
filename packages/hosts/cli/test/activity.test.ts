/** A command that is silent for more than a second says on a terminal what it does, and nothing of that stays. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { noTerminal, planloom, steppedInTerminal, trusting } from "./planloom.ts"

const root = join(import.meta.dirname, "../../../..")
const CLEAR_LINE = "\r\u001b[K"

/** Loads once the file `go` is there. */
const plugin = `import { existsSync, watch } from "node:fs"
await new Promise((resolve) => {
  const watcher = watch(process.cwd(), () => existsSync("go") && resolve(watcher.close()))
  if (existsSync("go")) resolve(watcher.close())
})
export default { id: "slow", summary: "Loads late.", apiVersion: 1, components: { stages: [] } }
`
const files = {
  "slow.ts": plugin,
  "workflows/a.yaml": `apiVersion: planloom/v1
kind: Workflow
name: a
use: { plugins: ["@planloom/stages", "../slow.ts"] }
stages: [{ id: s, uses: set, with: { value: done } }]
outputs: { said: "\${{ stages.s.output }}" }
`,
  "workflows/a.test.yaml": `apiVersion: planloom/v1
kind: WorkflowTest
workflow: a.yaml
tests: [{ name: says done, given: {}, expect: { outputs: { said: done } } }]
`,
}

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "planloom-activity-"))
})
afterAll(() => rm(base, { recursive: true, force: true }))

const project = async (): Promise<string> => {
  const folder = await mkdtemp(join(base, "project-"))
  await trusting(folder)
  await mkdir(join(folder, "workflows"))
  await symlink(join(root, "packages/hosts/cli/node_modules"), join(folder, "node_modules"))
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  return folder
}

/** Text that the terminal keeps: without lines that were removed, and without colors. */
const kept = (shown: string): string =>
  shown
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf(CLEAR_LINE) + 1))
    .join("\n")
    // oxlint-disable-next-line no-control-regex -- colors are control characters
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "")

describe.skipIf(noTerminal)("a command that waits for a plugin", () => {
  it.concurrent.each([
    [["check", "workflows/a.yaml"], "checking workflows/a.yaml", "no problems in 1 file"],
    [["run", "a"], "loading workflows/a.yaml", "done"],
    [["plan", "a"], "loading workflows/a.yaml", "no model calls"],
    [["list", "stages", "a"], "loading workflows/a.yaml", "approve"],
    [["doctor"], "examining the machine and the project", "Plugin ../slow.ts"],
    [["mcp", "list"], "loading workflows/a.yaml", "declare no servers"],
  ])("says so on a terminal: planloom %j", async (args, activity, result) => {
    const folder = await project()
    const go = () => writeFile(join(folder, "go"), "")
    const shown = await steppedInTerminal(args, [{ at: new RegExp(activity), answer: go }], {
      cwd: folder,
    })
    expect(shown).toContain(activity)
    expect(kept(shown)).toContain(result)
    expect(kept(shown)).not.toContain(activity)
  })
})

it("nothing is said on a pipe", async () => {
  const folder = await project()
  await writeFile(join(folder, "go"), "")
  expect(await planloom(["run", "a"], { cwd: folder })).toEqual({
    code: 0,
    stdout: "done\n",
    stderr: "",
  })
})
