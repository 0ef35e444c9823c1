/** JSON Schemas of a workflow, from its file to a run: patterns, dialects, references. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fixture, planloom, serve, type Server } from "./planloom.ts"

let cwd: string
let server: Server | undefined

const workflow = (inputs: string) => `apiVersion: planloom/v1
kind: Workflow
name: echo
use: { plugins: ["../../../plugin.ts"] }
inputs:
${inputs.replaceAll(/^/gm, "  ")}
stages: [{ id: all, uses: give, with: { value: "\${{ inputs }}" } }]
outputs: { all: "\${{ stages.all.output }}" }
`

const write = (inputs: string) => writeFile(join(cwd, "workflows/echo.yaml"), workflow(inputs))

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "schemas-"))
  await mkdir(join(cwd, "workflows"))
})

afterEach(async () => {
  await server?.stop("SIGKILL")
  server = undefined
  await rm(cwd, { recursive: true, force: true })
})

/** Takes years in JavaScript's own RegExp. */
const hostile = `${"a".repeat(50_000)}!`

describe("an input with a pattern", () => {
  it("rejects a hostile text on the command line with exit code 2", async () => {
    await write("code: { type: string, pattern: '^(a+)+$' }")
    const { code, stderr } = await planloom(["run", "echo", "-i", `code=${hostile}`], { cwd })
    expect(stderr).toContain('code must match pattern "^(a+)+$"')
    expect(code).toBe(2)
  })

  it("rejects a hostile request, and the server keeps answering", async () => {
    await write("code: { type: string, pattern: '^(a+)+$' }")
    server = await serve([], { cwd })
    const start = (code: string) =>
      fetch(`${server!.url}/workflows/echo/runs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ inputs: { code } }),
      })
    const refused = await start(hostile)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      issues: [{ path: "/inputs/code", message: 'must match pattern "^(a+)+$"' }],
    })
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect((await start("aaa")).status).toBe(202)
  })
})

describe("an input schema with its own dialect and references", () => {
  const inputs = `point:
  $schema: http://json-schema.org/draft-07/schema#
  type: array
  items: [{ type: number }, { type: number }]
  additionalItems: false
trip:
  $schema: https://json-schema.org/draft/2020-12/schema
  type: object
  properties: { from: { $ref: "#/$defs/city" }, to: { $ref: "#/definitions/city" } }
  unevaluatedProperties: false
  $defs: { city: { type: string, minLength: 1 } }
  definitions: { city: { $ref: "#/$defs/city" } }
`

  it("is checked, and accepts valid values", async () => {
    await write(inputs)
    const check = await planloom(["check"], { cwd })
    expect(check.stdout).not.toContain("PL")
    expect(check.code).toBe(0)
    const given = ["-i", "point=[1,2]", "-i", 'trip={"from":"Oslo","to":"Bergen"}']
    const { code, stdout } = await planloom(["run", "echo", ...given, "--json"], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain("Bergen")
  })

  it.each([
    ["point=[1,2,3]", 'trip={"from":"Oslo"}', "point"],
    ["point=[1,2]", 'trip={"from":""}', "trip/from must not be empty"],
    ["point=[1,2]", 'trip={"via":"Oslo"}', "unevaluated"],
  ])("rejects %s %s", async (point, trip, why) => {
    await write(inputs)
    const { code, stderr } = await planloom(["run", "echo", "-i", point, "-i", trip], { cwd })
    expect(stderr).toContain(why)
    expect(code).toBe(2)
  })
})
