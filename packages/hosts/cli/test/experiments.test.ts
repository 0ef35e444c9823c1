/** Experiments and users on the command line: reports over recorded runs, and what is erased of a user. */
import { mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { planloom, trusting } from "./planloom.ts"

const plugin = `
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
export default definePlugin({
  id: "say", summary: "Says a text.",
  components: {
    stages: [
      stageKind({
        id: "say", summary: "Says a text.", output: true,
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        run: ({ text }) => Effect.succeed(text),
      }),
    ],
  },
})
`
const workflow = `apiVersion: planloom/v1
kind: Workflow
name: hello
use: { plugins: ["@planloom/hooks", ./say.ts] }
user: { type: object, properties: { id: { type: string } } }
session: { request: "\${{ 'hi' }}", assistant: "\${{ stages.say.output }}" }
experiments:
  tone: { variants: { plain: 50, warm: 50 }, sticky: true, outcome: outputs.said == 'warm' }
  pace: { unit: session, variants: { slow: 50, fast: 50 }, sticky: true }
stages: [{ id: say, uses: say, with: { text: "\${{ experiments.tone }}" } }]
outputs: { said: { type: string, value: "\${{ stages.say.output }}" } }
`
const users = ["ada", "bob", "eve", "joe"]

let folder: string

const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-experiments-")))
  await symlink(
    join(import.meta.dirname, "../../../../examples/plugin/node_modules"),
    join(folder, "node_modules"),
  )
  await writeFile(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(folder, "say.ts"), plugin)
  await writeFile(join(folder, "hello.yaml"), workflow)
  await trusting(folder)
  for (const id of users) {
    const args = ["run", "hello.yaml", "--user", JSON.stringify({ id }), "--session", `talk-${id}`]
    const { code, stderr } = await command(...args)
    expect(code, stderr).toBe(0)
  }
})

it("experiments list shows the experiments of a workflow", async () => {
  const { stdout } = await command("experiments", "list", "hello.yaml")
  expect(stdout).toMatch(/tone\s+user\s+100%\s+plain 50 %, warm 50 %\s+outputs\.said == 'warm'/)
})

it("experiments report compares the variants over the recorded runs", async () => {
  const { code, stdout } = await command("experiments", "report", "hello.yaml", "--json")
  expect(code).toBe(0)
  const [tone] = JSON.parse(stdout) as ReadonlyArray<{
    readonly experiment: string
    readonly variants: ReadonlyArray<{
      readonly variant: string
      readonly units: number
      readonly outcome?: { readonly value: number }
    }>
  }>
  expect(tone!.variants.reduce((sum, { units }) => sum + units, 0)).toBe(users.length)
  for (const { outcome, units, variant } of tone!.variants) {
    if (units > 0) expect(outcome!.value).toBe(variant === "warm" ? 1 : 0)
  }
  const { stdout: text } = await command("experiments", "report", "hello.yaml", "tone")
  expect(text).toContain("tone by user")
  expect(text).toContain("sample ratio: too few units to check")
  const { stderr } = await command("experiments", "report", "hello.yaml", "ton")
  expect(stderr).toContain('there is no experiment "ton"')
})

it("users forget erases the sessions and assignments of one user, and nothing when it is repeated", async () => {
  const { stdout } = await command("users", "forget", "ada", "--json")
  expect(JSON.parse(stdout)).toEqual({
    user: "ada",
    sessions: ["talk-ada"],
    assignments: ["pace", "tone"],
    reviews: [],
    personal_inputs: [],
    runs: [],
    active_runs: [],
    libraries: [],
  })
  const { stdout: left } = await command("sessions", "list", "--json")
  const sessions = JSON.parse(left) as ReadonlyArray<{ readonly session: string }>
  expect(sessions.map(({ session }) => session).toSorted()).toEqual([
    "talk-bob",
    "talk-eve",
    "talk-joe",
  ])
  const { stderr } = await command("users", "forget", "ada")
  expect(stderr).toContain("0 reviews and the digests of personal inputs in 0 runs of the user ada")
})

it("users forget erases the sessions and assignments of a user whose runs were pruned", async () => {
  const { code, stderr } = await command("runs", "prune", "--keep", "1")
  expect(code, stderr).toBe(0)
  const { stdout: kept } = await command("runs", "list", "--json")
  expect(JSON.parse(kept)).toHaveLength(1)
  const { stdout } = await command("users", "forget", "bob", "--json")
  expect(JSON.parse(stdout)).toEqual({
    user: "bob",
    sessions: ["talk-bob"],
    assignments: ["pace", "tone"],
    reviews: [],
    personal_inputs: [],
    runs: [],
    active_runs: [],
    libraries: [],
  })
})
