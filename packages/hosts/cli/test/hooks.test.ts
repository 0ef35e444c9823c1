/** Hooks of a plugin outside of the project, bound by the key `hooks` and seen on the command line. */
import { mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin/effect"
import { beforeEach, expect, it } from "vitest"
import { planloom, trusting } from "./planloom.ts"

const plugin = `
import { definePlugin, hook, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

const text = { type: "string" }
const summary = "A part of a test."

export default definePlugin({
  id: "acme/polite",
  summary,
  components: {
    stages: [
      stageKind({
        id: "say", summary, output: text,
        input: { type: "object", properties: { text }, required: ["text"] },
        run: ({ text }) => Effect.succeed(text),
      }),
    ],
    hooks: [
      hook({
        id: "greet", summary: "Greets first.", point: "before_stage", kind: "transform",
        input: { type: "object", properties: { words: text }, required: ["words"] },
        run: (draft, { with: { words } }) => ({ with: { text: words + " " + draft.with.text } }),
      }),
      hook({
        id: "sign", summary: "Signs.", point: "before_response", kind: "transform",
        run: ({ text }) => ({ text: text + " (signed)" }),
      }),
      hook({
        id: "broken", summary: "Throws.", point: "after_stage", kind: "observe",
        run: () => { throw new Error("boom") },
      }),
    ],
  },
})
`

let folder: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-hooks-")))
  await symlink(
    join(import.meta.dirname, "../../../../examples/plugin/node_modules"),
    join(folder, "node_modules"),
  )
  await writeFile(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(folder, "polite.ts"), plugin)
  await trusting(folder)
})

const command = async (hooks: string, ...args: ReadonlyArray<string>) => {
  await writeFile(
    join(folder, "hello.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: hello
use: { plugins: ["@planloom/hooks", ./polite.ts] }
inputs: { name: { type: string } }
hooks: [${hooks}]
stages: [{ id: hello, uses: say, with: { text: "\${{ inputs.name }}" } }]
outputs: { said: { type: string, value: "\${{ stages.hello.output }}" } }
`,
  )
  return planloom(args, { cwd: folder })
}

it("hooks of a workflow change its stages and its response, and are events", async () => {
  const { stderr, stdout } = await command(
    `{ use: greet, with: { words: Dear } }, { use: sign, when: "draft.text.startsWith('Dear')" }`,
    "run",
    "hello.yaml",
    "--input",
    "name=Ada",
    "--json",
  )
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent)
  const last = events.find((event) => event.type === "RunFinished")
  expect(last?.outputs, stderr).toEqual({ said: "Dear Ada (signed)" })
  expect(
    events.flatMap((event) => (event.type === "HookRan" ? [[event.hook, event.point]] : [])),
  ).toEqual([
    ["greet", "before_stage"],
    ["sign", "before_response"],
  ])
})

it("a hook that fails is named with its reason after the run", async () => {
  const { code, stderr } = await command(
    "{ use: broken }",
    "run",
    "hello.yaml",
    "--input",
    "name=Ada",
  )
  expect(stderr.replace(/\s+/g, " ")).toContain(
    'degraded: 1 hook skipped after a failure (hello: the hook "broken" failed at after_stage: boom)',
  )
  expect(code).toBe(0)
})

it("check reports a hook that does not exist, and options that do not fit, where they stand", async () => {
  const { code, stdout } = await command(
    "{ use: gret }, { use: greet, with: { wrds: Dear } }, { use: sign, onerror: fail }",
    "check",
    "hello.yaml",
  )
  expect(stdout).toContain('hello.yaml:6:75 error PL0101 unknown key "onerror"')
  expect(code).toBe(1)
  const { stdout: found } = await command("{ use: gret }", "check", "hello.yaml")
  expect(found).toMatch(/hello.yaml:6:16 error PL4025 there is no hook "gret"\s[\s\S]*greet/)
})

it("list hooks shows hooks with their points", async () => {
  const { stdout } = await command("", "list", "hooks", "hello.yaml")
  expect(stdout).toMatch(/greet before_stage\s+Greets first\./)
  expect(stdout).toMatch(/sign before_response\s+Signs\./)
})

it("list hooks --order prints the hooks of each point in the order in which they run", async () => {
  const uses =
    "{ use: sign }, { use: greet, with: { words: Dear } }, { use: broken, priority: 20 }, { use: broken, on_error: fail }"
  const { code, stdout } = await command(uses, "list", "hooks", "hello.yaml", "--order")
  expect(stdout.replace(/ +/g, " ")).toBe(`before_stage hello
 1 greet transform, priority 100, within 5s or skip

after_stage hello
 1 broken observe, priority 20, within 5s or skip
 2 broken observe, priority 100, within 5s or fail

before_response the run
 1 sign transform, priority 100, within 5s or skip
`)
  expect(code).toBe(0)
  const { stdout: data } = await command(uses, "list", "hooks", "hello.yaml", "--order", "--json")
  const points = JSON.parse(data) as ReadonlyArray<{ readonly point: string }>
  expect(points.map(({ point }) => point)).toEqual([
    "before_stage",
    "after_stage",
    "before_response",
  ])
  const { code: refused, stderr } = await planloom(["list", "stages", "--order"], { cwd: folder })
  expect(stderr).toContain("--order prints the hooks of a workflow")
  expect(refused).not.toBe(0)
})
