/** A tool source that cannot list its tools is named by a run and by the doctor. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

let cwd: string

const plugin = `import * as Effect from "${import.meta.resolve("effect/Effect")}"
import { definePlugin, ToolFailed } from "${import.meta.resolve("@planloom/plugin/effect")}"
export default definePlugin({ id: "own", summary: "Own.", components: { tools: [{
  id: "gone",
  summary: "Cannot list.",
  list: Effect.fail(new ToolFailed({ class: "unavailable", tool: "gone", message: "the server is down" })),
  call: () => Effect.succeed({ value: 1 }),
}] } })
`
const workflow = `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages", ../plugin.ts] }
stages: [{ id: s, uses: set, with: { value: 1 } }]
outputs: { a: { value: "\${{ stages.s.output }}" } }
`

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "planloom-silent-"))
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "plugin.ts"), plugin)
  await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(cwd, "workflows/flow.yaml"), workflow)
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

const reason = "cannot list its tools: the server is down"
const said = `the tool source "gone" ${reason}`

it("a run names it in one line, beside its outputs", async () => {
  const { code, stderr, stdout } = await planloom(["run", "flow", "--trust"], { cwd })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("gone") })
  expect(stderr.split("\n").filter((line) => line.includes(said))).toHaveLength(1)
})

it("the doctor names it with the reason", async () => {
  const { stdout } = await planloom(["doctor", "--trust"], { cwd })
  expect(stdout).toMatch(new RegExp(`! Tool source gone +${reason}`))
})
