/** The steps of the GitHub Action, run as a runner does, on a project with the command from source. */
import { execFile } from "node:child_process"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { parse } from "yaml"

const action = join(import.meta.dirname, "../../../../action")
const bin = join(import.meta.dirname, "../src/bin.ts")

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: {
    readonly steps: ReadonlyArray<{
      readonly run: string
      readonly env: Readonly<Record<string, string>>
    }>
  }
}

const workflow = (task: string) => `apiVersion: planloom/v1
kind: Workflow
name: report
use: { plugins: ["@planloom/stages", "@planloom/provider-anthropic"] }
models: { writer: { try: [anthropic/claude-haiku-4-5], max_tokens: 500 } }
inputs: { topic: { type: string } }
stages: [{ id: write, uses: generate, model: writer, with: { task: "${task}", context: "\${{ inputs.topic }}" } }]
outputs: { text: "\${{ stages.write.output.text }}" }
`

const test = (reply: string) => `apiVersion: planloom/v1
kind: WorkflowTest
workflow: ./report.yaml
tests:
  - name: writes
    given: { inputs: { topic: tea }, models: { writer: [{ text: "${reply}" }] } }
    expect: { assert: ["outputs.text == 'Fine.'"] }
`

let folder: string
let service: Server
let comments: Array<{
  readonly id: number
  body: string
  readonly user: { readonly type: string }
}> = []
let mayWrite = true

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-action-"))
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true })
  await mkdir(join(folder, "workflows"))
  const own = join(folder, "node_modules/.bin/planloom")
  await writeFile(own, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  await chmod(own, 0o755)
  await writeFile(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(folder, "event.json"), '{ "pull_request": { "number": 7 } }')
  service = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += String(chunk)
    if (request.headers.authorization !== "Bearer key" || (!mayWrite && request.method !== "GET")) {
      response.writeHead(403).end("{}")
      return
    }
    const { body: text } = body === "" ? { body: "" } : (JSON.parse(body) as { body: string })
    if (request.method === "POST" && request.url === "/repos/ann/desk/issues/7/comments")
      comments.push({ id: comments.length + 1, body: text, user: { type: "Bot" } })
    const edited = /^\/repos\/ann\/desk\/issues\/comments\/(\d+)$/.exec(request.url!)?.[1]
    if (request.method === "PATCH") comments.find(({ id }) => `${id}` === edited)!.body = text
    response.end(JSON.stringify(request.method === "GET" ? comments : {}))
  }).listen(0, "127.0.0.1")
  await once(service, "listening")
})

afterAll(async () => {
  service.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  comments = []
  mayWrite = true
  await writeFile(join(folder, "workflows/report.yaml"), workflow("About tea."))
  await writeFile(join(folder, "workflows/report.test.yaml"), test("Fine."))
  await rm(join(folder, "summary.md"), { force: true })
})

/** Runs the steps of the action with these inputs. */
const act = async (inputs: Readonly<Record<string, string>> = {}) => {
  const { inputs: declared, runs } = parse(
    await readFile(join(action, "action.yml"), "utf8"),
  ) as Action
  const valueOf = (name: string) =>
    inputs[name] ?? (name === "token" ? "key" : declared[name]!.default)
  const said = { code: 0, stdout: "", stderr: "" }
  for (const { env, run } of runs.steps) {
    const settings = Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => valueOf(input)),
    ])
    await new Promise<void>((resolve) => {
      execFile(
        "bash",
        ["-e", "-c", run],
        {
          cwd: folder,
          env: {
            PATH: process.env["PATH"],
            HOME: folder,
            GITHUB_ACTION_PATH: action,
            GITHUB_API_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
            GITHUB_EVENT_PATH: join(folder, "event.json"),
            GITHUB_REPOSITORY: "ann/desk",
            GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
            ...Object.fromEntries(settings),
          },
        },
        (error, stdout, stderr) => {
          said.code ||= error === null ? 0 : Number(error.code ?? 1)
          said.stdout += stdout
          said.stderr += stderr
          resolve()
        },
      )
    })
  }
  return said
}

const plan = "report --input 'topic=green tea'"

describe("the action", () => {
  it("checks, tests and plans, and keeps one comment up to date", async () => {
    const first = await act({ plan, "max-cost": "0.10" })
    expect(first.code).toBe(0)
    expect(comments).toHaveLength(1)
    expect(comments[0]!.body).toMatch(/\*\*Planloom\*\* ✓ check · ✓ test · ✓ plan/)
    expect(comments[0]!.body).toMatch(/\| report \| \$0\.0\d+ \| 1 \| 0 \|/)
    expect(await readFile(join(folder, "summary.md"), "utf8")).toContain("| report |")

    const second = await act({ plan, "max-cost": "0.0001" })
    expect(second.code).toBe(1)
    expect(comments).toHaveLength(1)
    expect(comments[0]!.body).toContain("✗ plan")
    expect(comments[0]!.body).toContain("| ✗ report |")
    expect(second.stderr).toContain("--max-cost $0.00010 does not hold: a run may cost $")
  })

  it("annotates the line of a problem", async () => {
    await writeFile(
      join(folder, "workflows/report.yaml"),
      workflow("About tea.").replace("uses: generate", "uses: generat"),
    )
    const { code, stdout } = await act({ comment: "false" })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^::error file=workflows\/report\.yaml,line=7,/m)
    expect(comments).toEqual([])
  })

  it("fails with a test, whose texts are no commands to the runner", async () => {
    await writeFile(join(folder, "workflows/report.test.yaml"), test("::error::forged"))
    const { code, stdout } = await act()
    expect(code).toBe(1)
    const [, end, within] = /^::stop-commands::(\S+)\n([^]*forged[^]*?)^::\1::$/m.exec(
      stdout.slice(stdout.indexOf("::group::test")),
    )!
    expect(end).toMatch(/^[\da-f-]{36}$/)
    expect(within).toContain("forged")
    expect(comments[0]!.body).toContain("✓ check · ✗ test")
  })

  it("reports in the summary where it may not comment", async () => {
    mayWrite = false
    const { code, stdout } = await act()
    expect(code).toBe(0)
    expect(stdout).toContain("::notice::no comment was written: POST")
    expect(await readFile(join(folder, "summary.md"), "utf8")).toContain("✓ check · ✓ test")
  })

  it("does not edit a comment of a person that looks like its own", async () => {
    comments = [{ id: 1, body: "<!-- planloom --> mine", user: { type: "User" } }]
    await act()
    expect(comments.map(({ body }) => body.split("\n")[0])).toEqual([
      "<!-- planloom --> mine",
      "<!-- planloom -->",
    ])
  })

  it("names the missing command", async () => {
    const { code, stdout } = await act({ "working-directory": "workflows" })
    expect(code).toBe(1)
    expect(stdout).toMatch(/::error::.* has no node_modules\/\.bin\/planloom: install the project/)
  })
})
