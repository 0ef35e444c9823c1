/** `--debug` with a plugin whose code throws in a run. */
import { mkdtemp, realpath, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { planloom } from "./planloom.ts"

const plugin = `const burstingStrategy = () => { throw new Error("too full") }
export default {
  apiVersion: 1, id: "bursts", summary: "Throws.",
  components: { stages: [{ id: "burst", summary: "Throws.", input: { type: "object" }, output: {}, run: burstingStrategy }] },
}
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: burst
use: { plugins: [./plugin.mjs] }
stages: [{ id: a, uses: burst }]
`

it("prints the stack of a component that throws only with --debug", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-debug-")))
  await writeFile(join(cwd, "plugin.mjs"), plugin)
  await writeFile(join(cwd, "burst.yaml"), workflow)
  const plain = await planloom(["run", "burst.yaml", "--trust"], { cwd })
  expect(plain.stderr).toContain("too full")
  expect(plain.stderr).not.toContain("burstingStrategy")
  const debugged = await planloom(["run", "burst.yaml", "--trust", "--debug"], { cwd })
  expect(debugged.stderr).toContain("burstingStrategy")
})
