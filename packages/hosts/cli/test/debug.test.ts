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

const broken = `const brokenSetup = () => { throw new Error("no bursts today") }
brokenSetup()
export default {}
`

const talking = `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: [./plugin.mjs] }
inputs: { message: { type: string } }
stages: [{ id: a, uses: burst }]
session: { request: "\${{ inputs.message }}", assistant: none }
`

it("prints the stack of a plugin that throws while it is loaded only with --debug", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-debug-")))
  await writeFile(join(cwd, "plugin.mjs"), broken)
  await writeFile(join(cwd, "burst.yaml"), workflow)
  for (const command of ["check", "run"]) {
    const plain = await planloom([command, "burst.yaml", "--trust"], { cwd })
    expect(plain.stdout + plain.stderr).toContain("no bursts today")
    expect(plain.stdout + plain.stderr).not.toContain("brokenSetup")
    const debugged = await planloom([command, "burst.yaml", "--trust", "--debug"], { cwd })
    expect(debugged.stdout + debugged.stderr).toContain("plugin.mjs:1")
  }
  const report = await planloom(["check", "burst.yaml", "--trust", "--format", "json"], { cwd })
  expect(report.stdout).not.toContain("brokenSetup")
})

it("prints the stack of a component that threw in a recorded run and in a chat only with --debug", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-debug-")))
  await writeFile(join(cwd, "plugin.mjs"), plugin)
  await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(cwd, "talk.yaml"), talking)
  await planloom(["run", "talk.yaml", "--trust", "-i", "message=hi"], { cwd })
  const listed = await planloom(["runs", "list", "--json", "--trust"], { cwd })
  const [{ run }] = JSON.parse(listed.stdout) as [{ readonly run: string }]
  for (const [args, input] of [
    [["runs", "show", run], ""],
    [["chat", "talk.yaml"], "hi\n"],
  ] as const) {
    const plain = await planloom([...args, "--trust"], { cwd, input })
    expect(plain.stdout + plain.stderr).toContain("too full")
    expect(plain.stderr).not.toContain("burstingStrategy")
    const debugged = await planloom([...args, "--trust", "--debug"], { cwd, input })
    expect(debugged.stderr).toContain("burstingStrategy")
  }
})

const components = `const burstingTool = () => { throw new Error("too full") }
const burstingHook = () => { throw new Error("too full") }
const burstingValidator = (text) => { throw new Error("cannot read " + text) }
export default {
  apiVersion: 1, id: "bursts", summary: "Throws.",
  components: {
    tools: [{ id: "t", summary: "Throws.", list: LIST, call: burstingTool }],
    hooks: [{ id: "bursting", summary: "Throws.", point: "before_tool", kind: "observe", run: burstingHook }],
    stages: [{ id: "judge", summary: "Reviews.", input: { type: "object" }, output: {}, run: (_, context) => context.review(["strict"], { text: "a letter" }) }],
    validators: [{ id: "strict", summary: "Throws.", validate: burstingValidator }],
  },
}
`

const surviving = `apiVersion: planloom/v1
kind: Workflow
name: survive
use: { plugins: ["@planloom/stages", "@planloom/hooks", ./plugin.mjs] }
hooks: [{ use: bursting }]
stages:
  - { id: a, uses: call, with: { tool: burst }, on_error: fallback, fallback: { uses: set, with: { value: none } } }
  - { id: b, uses: judge }
`

it("prints the stacks of tools, hooks and validators whose failures a run survived, without what they read", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-debug-")))
  const effect = import.meta.resolve("effect/Effect")
  const tool = `{ name: "burst", summary: "Throws.", capabilities: [], inputs: {}, outputs: [], params: true }`
  const list = `(await import(${JSON.stringify(effect)})).succeed({ tools: [${tool}] })`
  await writeFile(join(cwd, "plugin.mjs"), components.replace("LIST", list))
  await writeFile(join(cwd, "survive.yaml"), surviving)
  const args = ["run", "survive.yaml", "--trust", "--debug"]
  const { stderr } = await planloom(args, { cwd })
  for (const component of ["burstingTool", "burstingHook", "burstingValidator"]) {
    expect(stderr).toContain(component)
  }
  expect(stderr).not.toContain("cannot read")
})

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
