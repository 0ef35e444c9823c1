/** Test cases of decided reviews for workflows with a user, and what the command says of decisions that differ. */
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { QueuedReview } from "@planloom/shadow/queue"
import { wireServer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { planloom, trusting } from "./planloom.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: advisor
use: { plugins: ["@planloom/stages", "@planloom/shadow", "@planloom/validators", "@planloom/provider-openai"] }
user: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string } } }
inputs: { question: { type: string }, place: { type: string, personal: true, default: Springfield } }
defaults: { model: ollama/qwen3 }
shadow: { gate: [promises, pii] }
stages: [{ id: reply, uses: generate, with: { task: "\${{ inputs.question }} \${{ inputs.place }}" } }]
outputs: { reply: "\${{ stages.reply.output.text }}" }
`

let folder: string
let server: WireServer

const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })

/** Asks for a reply, and decides on it. */
const decided = async (text: string, ...decision: ReadonlyArray<string>) => {
  server.answer({ text })
  const question = "question=I am Ada Lovelace. Is it safe?"
  const args = ["-i", question, "--user", '{"id":"u_17","name":"Ada Lovelace"}']
  const ran = await command("run", "advisor.yaml", ...args)
  expect(ran.code, ran.stderr).toBe(0)
  const { stdout } = await command("review", "list", "--state", "open", "--json")
  const [{ id }] = JSON.parse(stdout) as [{ readonly id: string }]
  const { code, stderr } = await command("review", "decide", id, ...decision)
  expect(code, stderr).toBe(0)
}

beforeAll(async () => {
  server = await wireServer()
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-review-cases-")))
  await symlink(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"))
  const providers = `plugins: { "@planloom/provider-openai": { servers: { ollama: { base_url: "${server.url}/v1" } } } }`
  await writeFile(
    join(folder, "planloom.yaml"),
    `apiVersion: planloom/v1\nkind: Project\n${providers}\n`,
  )
  await writeFile(join(folder, "advisor.yaml"), workflow)
  await trusting(folder)
  await decided(
    "Ada Lovelace of Springfield, we guarantee you a return of 8 percent.",
    "--verdict",
    "block",
  )
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it("the queue holds placeholders of personal inputs and of the user's texts", async () => {
  const { stdout } = await command("review", "list", "--json")
  const [{ item }] = JSON.parse(stdout) as ReadonlyArray<QueuedReview> as [QueuedReview]
  expect(item.request).toContain("I am [user:name]. Is it safe?")
  expect(item.written).toContain("[user:name] of [personal:place], we guarantee")
  expect(stdout).not.toMatch(/Lovelace|Springfield/)
})

it("review cases give each case the user of --user, and ask for one that is not recorded", async () => {
  const without = await command("review", "cases", "--out", "cases.test.yaml")
  expect(without.code, without.stderr).toBe(0)
  expect(without.stderr).toContain("--user @user.json")
  await writeFile(join(folder, "user.json"), '{ "id": "made-up", "name": "Rosa Diaz" }')
  const args = ["--out", "cases.test.yaml", "--user", "@user.json"]
  const { code, stderr } = await command("review", "cases", ...args)
  expect(code, stderr).toBe(0)
  expect(stderr).not.toContain("--user")
  const text = await readFile(join(folder, "cases.test.yaml"), "utf8")
  expect(text).toContain("id: made-up")
  expect(text).toContain("question: I am Rosa Diaz. Is it safe?")
  expect(text).toContain("Rosa Diaz of [personal:place], we guarantee you a return")
  const tested = await command("test", "cases.test.yaml")
  expect(tested.stdout + tested.stderr).toContain("1 passed, 0 failed")
  const odd = await command("review", "cases", "--user", "[]")
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("is not a JSON object")])
})

it("review cases say whether the verdict or the text of a decision differs from the review", async () => {
  await decided("We guarantee you a return of 9 percent.", "--verdict", "pass")
  await decided("Write to ada@bank.com.", "--verdict", "replace", "--text", "Write to us.")
  const { stderr } = await command("review", "cases", "--user", '{"id":"made-up","name":"Rosa"}')
  expect(stderr).toContain(": the decision (pass) differs from the review (block)")
  expect(stderr).toContain(": the text of the decision is not what the user got")
})
