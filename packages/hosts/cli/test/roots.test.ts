/** Files that runs may read: those of the project and its `roots`, and those that a person names. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { planloom, serve, sourceBin, type Server } from "./planloom.ts"

const CANARY = "ZQX_canary_value"
let folder: string
let cwd: string
let server: Server

const workflow = (name: string, path: string) => `apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: ["@planloom/stages", "@planloom/tools-data"] }
inputs: { data: { type: string, default: none } }
stages:
  - { id: open, uses: call, with: { tool: describe, params: { path: "${path}" } } }
  - { id: sure, uses: approve, with: { message: Again? } }
  - { id: again, uses: call, with: { tool: top_n, inputs: { table: "\${{ stages.open.output.table }}" }, params: { order_by: ${CANARY}, limit: 1 } } }
outputs: { rows: { value: "\${{ stages.again.output.rows }}" } }
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-roots-"))
  cwd = join(folder, "project")
  await mkdir(join(cwd, "workflows"), { recursive: true })
  await mkdir(join(cwd, "data"))
  const files = {
    "secret.csv": `${CANARY}\n1\n`,
    "project/planloom.yaml": "apiVersion: planloom/v1\nkind: Project\nroots: [data]\n",
    "project/data/in.csv": `${CANARY}\n1\n`,
    "project/other.csv": `${CANARY}\n1\n`,
    "project/workflows/profile.yaml": workflow("profile", "${{ inputs.data }}"),
    "project/workflows/literal.yaml": workflow("literal", "../secret.csv"),
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  await symlink(join(folder, "secret.csv"), join(cwd, "data/link.csv"))
  server = await serve([], { cwd, bin: sourceBin })
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Starts a run over HTTP and reads its events to the end of the stream, or to its question. */
const overHttp = async (data: string): Promise<string> => {
  const response = await fetch(`${server.url}/workflows/profile/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ inputs: { data } }),
  })
  let text = ""
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (/event: end|WaitRequested|Suspended/.test(text)) break
  }
  return text
}

describe("a file that an HTTP client names", () => {
  it("is read inside the roots", async () => {
    expect(await overHttp("data/in.csv")).toContain(CANARY)
  })

  it.each([
    "../secret.csv",
    "data/../../secret.csv",
    "data/link.csv",
    "other.csv",
    "/etc/hostname.csv",
  ])("is refused when it is %s, and nothing of it is shown", async (name) => {
    const text = await overHttp(name)
    expect(text).toContain("outside the folders that this run may read")
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(folder)
  })
})

describe("a file outside the roots", () => {
  // A server on the same store would resume the run that is answered here.
  beforeAll(() => server.stop("SIGKILL"))

  it("is read when a person names it, also after the run was resumed", async () => {
    const asked = await planloom(["run", "profile", "-i", "data=../secret.csv", "--json"], { cwd })
    const [line] = asked.stdout.trimEnd().split("\n").slice(-1)
    const { run } = JSON.parse(line!)
    const answered = await planloom(["runs", "answer", run, "--yes", "-q"], { cwd })
    expect(answered.stderr).toBe("")
    expect(answered.stdout).toContain("1")
  })

  it("is refused when a workflow names it", async () => {
    const { code, stderr } = await planloom(["run", "literal", "--no-store"], { cwd })
    expect(code).not.toBe(0)
    expect(stderr).toContain("../secret.csv is outside the folders that this run may read")
    expect(stderr).not.toContain(CANARY)
  })
})
