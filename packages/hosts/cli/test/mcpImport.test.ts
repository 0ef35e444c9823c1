/** `planloom mcp import` as a person uses it in an empty folder. */
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

let cwd = ""

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-import-")))
})

afterEach(() => rm(cwd, { recursive: true, force: true }))

const given = (file: object | string) =>
  writeFile(join(cwd, "given.json"), typeof file === "string" ? file : JSON.stringify(file))

const importing = (...args: ReadonlyArray<string>) =>
  planloom(["mcp", "import", "given.json", ...args], { cwd })

it("writes a file that a workflow uses, once, without the secrets", async () => {
  const secrets = ["ghp_0123456789abcdef0123", "hunter2-hunter", "t0pSecretT0ken", "argSecret99"]
  await given({
    inputs: [],
    mcpServers: {
      "2 git hub": {
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-github@2026.8.31"],
        env: {
          GITHUB_TOKEN: secrets[0],
          DB_PASSWORD: secrets[1],
          MODE: "fast",
          LANG: "${env:LANG}",
        },
        disabled: false,
      },
      tickets: {
        type: "http",
        url: "https://x.example/mcp",
        headers: { Authorization: `Bearer ${secrets[2]}` },
      },
      leaking: { command: "npx", args: ["--api-key", secrets[3]] },
    },
  })
  const { code, stderr, stdout } = await importing("--out", "servers.yaml")
  const text = await readFile(join(cwd, "servers.yaml"), "utf8")
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
  expect(text).toBe(`apiVersion: planloom/v1
kind: McpServers
servers:
  git_hub:
    command: npx
    args:
      - -y
      - "@modelcontextprotocol/server-github@2026.8.31"
    env:
      GITHUB_TOKEN:
        secret: GITHUB_TOKEN
      DB_PASSWORD:
        secret: DB_PASSWORD
      MODE: fast
      LANG:
        env: LANG
  tickets:
    url: https://x.example/mcp
    headers:
      Authorization:
        secret: TICKETS_AUTHORIZATION
        prefix: "Bearer "
`)
  for (const secret of secrets) expect(stderr + text).not.toContain(secret)
  expect(stderr).toContain("secrets: [GITHUB_TOKEN, DB_PASSWORD, TICKETS_AUTHORIZATION]")
  expect(stderr).toContain('"2 git hub" is named "git_hub" here')
  expect(stderr).toMatch(/given\.json:1:\d+ "inputs" is left out/)
  expect(stderr).toContain('"disabled" is left out')
  expect(stderr).toContain('"leaking"."args" has a secret as argument 2')

  await writeFile(
    join(cwd, "w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages", "@planloom/mcp"], files: [servers.yaml] }
secrets: [GITHUB_TOKEN, DB_PASSWORD, TICKETS_AUTHORIZATION]
stages: [{ id: one, uses: set, with: { value: 1 } }]
`,
  )
  const checked = await planloom(["check", "w.yaml"], { cwd })
  expect(checked, checked.stderr).toMatchObject({ code: 0 })

  const again = await importing("--out", "servers.yaml")
  expect(again.code).toBe(1)
  expect(again.stderr).toContain("servers.yaml exists")
  expect(await readFile(join(cwd, "servers.yaml"), "utf8")).toBe(text)
  expect((await importing()).stdout).toBe(text)
}, 60_000)

it("reads the file of VS Code with comments and trailing commas, and names places in it", async () => {
  await given(`// Servers of the team
{
  "inputs": [{ "id": "key", "type": "promptString", "password": true, },],
  /* one by HTTP,
     one here */
  "servers": {
    "tickets": {
      "type": "http", // no "url": "https://other.example"
      "url": "https://x.example/mcp//v1", "headers": { "X-Api-Key": "\${input:key}" },
      "gallery": true,
    },
    "files": { "command": "npx", "args": ["-y", "server/*all*/", ], },
  },
}
`)
  const { code, stderr, stdout } = await importing()
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `apiVersion: planloom/v1
kind: McpServers
servers:
  tickets:
    url: https://x.example/mcp//v1
    headers:
      X-Api-Key:
        secret: key
  files:
    command: npx
    args:
      - -y
      - server/*all*/
`,
  })
  expect(stderr).toContain('given.json:3:3 "inputs" is left out')
  expect(stderr).toContain('given.json:10:7 "servers"."tickets"."gallery" is left out')
})

it.each([
  ['{\n  "servers": { "a": ,}\n}', "given.json:2:22 is not JSON"],
  ['{"servers": { /* "s3cr3t" }}', "given.json:1:15 is not JSON"],
  ['{"servers": {"a": {"env": {"KEY": "s3cr3t" "B": 1}}}}', "given.json:1:44 is not JSON"],
  ['{"servers": {', "given.json:1:14 is not JSON"],
  ["[]", "given.json has no servers"],
  ['{"servers": {"a": {}}}', "no server that can be imported"],
])("%s is refused", async (text, says) => {
  await given(text)
  const { code, stderr, stdout } = await importing()
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr).toContain(says)
  expect(stderr).not.toContain("s3cr3t")
})
