/** A workflow whose names are all `constructor`, which every JavaScript object inherits. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { fixture, planloom } from "./planloom.ts"

let cwd: string

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: constructor
use: { plugins: ["../../../plugin.ts"] }
inputs:
  constructor: { type: object, properties: { constructor: { type: string } }, required: [constructor] }
flags: { constructor: true }
models: { constructor: { try: [], otherwise: mechanical } }
policies: { retry: { constructor: { max_retries: 1 } } }
stages:
  - id: constructor
    uses: give
    model: constructor
    retry: constructor
    with: { value: { constructor: "\${{ inputs.constructor.constructor + (flags.constructor ? '!' : '') }}" } }
outputs:
  constructor: { type: string, value: "\${{ string(stages.constructor.output.constructor) }}" }
`

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "prototype-"))
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "workflows/constructor.yaml"), workflow)
})

afterEach(() => rm(cwd, { recursive: true, force: true }))

it("checks and runs, with the input on the command line", async () => {
  const check = await planloom(["check"], { cwd })
  expect(check.stdout).not.toContain(" error ")
  expect(check.code).toBe(0)
  const input = 'constructor={"constructor":"built"}'
  const { code, stderr, stdout } = await planloom(["run", "constructor", "-i", input], { cwd })
  expect(stderr).not.toContain("defect")
  expect(stdout).toContain("built!")
  expect(code).toBe(0)
})

it.each([
  ["run", "constructor", "--env", "constructor", "-i", "constructor={}"],
  ["run", "constructor", "--set", "models.constructor.constructor=1", "-i", "constructor={}"],
  ["run", "constructor", "-i", "toString=1"],
])("reports a name that is not declared: %s %s %s %s", async (...words) => {
  const { code, stderr, stdout } = await planloom(words, { cwd })
  expect(`${stdout}${stderr}`).not.toMatch(/defect of planloom|native code/)
  expect([1, 2]).toContain(code)
})
