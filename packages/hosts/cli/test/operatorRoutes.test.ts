/** Reviews and erasure over HTTP: what a key of each scope may do, and that the audit list has it. */
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { planloom, serve, trusting } from "./planloom.ts"

const plugin = `
import { definePlugin, stageKind, validator } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
const finish = { type: "finish", reason: "stop", usage: { input: 3, output: 5 } }
const provider = {
  id: "echo",
  summary: "Replies with the request.",
  stream: ({ messages }) => Stream.make({ type: "text", text: messages.at(-1).content }, finish),
}
const reply = stageKind({
  id: "reply",
  summary: "Replies.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: ({ text }, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: text }], parts: "reply" }), ({ text }) => ({ text })),
})
const promise = validator({
  id: "promise",
  summary: "Finds a word.",
  validate: (text) => /guaranteed/.test(text)
    ? { verdict: "block", confidence: 1, reason: "found" }
    : { verdict: "pass", confidence: 1, reason: "fine" },
})
export default definePlugin({
  id: "words",
  summary: "Words.",
  components: { providers: [provider], stages: [reply], validators: [promise] },
})
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: ["@planloom/shadow", ./words.ts] }
inputs: { message: { type: string } }
user: { type: object, properties: { id: { type: string } } }
session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.say.output.text }}" }
shadow: { gate: [promise] }
stages: [{ id: say, uses: reply, model: echo/any, with: { text: "\${{ inputs.message }}" } }]
outputs: { said: { type: string, stream: true, value: "\${{ stages.say.output.text }}" } }
`

let folder: string

const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })

const say = async (user: string, message: string) => {
  const given = ["--user", JSON.stringify({ id: user }), "-i", `message=${message}`]
  const { code, stderr } = await command("run", "talk.yaml", ...given)
  expect(code, stderr).toBe(0)
}

const keyOf = async (name: string, scope: string, ...more: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await command("keys", "create", name, "--scope", scope, ...more)
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-operators-")))
  const modules = join(import.meta.dirname, "../../../../examples/plugin/node_modules")
  await symlink(modules, join(folder, "node_modules"))
  await writeFile(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(folder, "words.ts"), plugin)
  await writeFile(join(folder, "talk.yaml"), workflow)
  await trusting(folder)
  await say("ada", "Your gain is guaranteed.")
  await say("bob", "A win is guaranteed.")
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it("reviews are listed, claimed and decided, and users erased, by keys of their scopes alone", async () => {
  const reader = await keyOf("reader", "reviews:read")
  const writer = await keyOf("writer", "reviews:write")
  const eraser = await keyOf("eraser", "users:erase")
  const limited = await keyOf("limited", "admin", "--workflow", "talk")
  const server = await serve(["talk.yaml"], { cwd: folder })
  onTestFinished(async () => void (await server.stop("SIGTERM")))
  const ask = async (key: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const { body: all, status } = await ask(reader, "GET", "/reviews?state=open")
  expect(status).toBe(200)
  const [first, second] = all as ReadonlyArray<{ readonly id: string }>
  expect(all.map(({ item }: any) => item.written)).toEqual([
    "Your gain is guaranteed.",
    "A win is guaranteed.",
  ])
  expect((await ask(reader, "GET", "/reviews?limit=1")).body).toHaveLength(1)
  expect((await ask(reader, "GET", `/reviews/${first!.id}`)).body.id).toBe(first!.id)
  expect((await ask(reader, "GET", "/reviews/none")).status).toBe(404)
  expect((await ask(reader, "GET", "/reviews?state=gone")).status).toBe(422)

  // No scope reaches what another one is for.
  const decision = { verdict: "pass", note: "it is true", by: "ann" }
  expect((await ask(reader, "POST", `/reviews/decide/${first!.id}`, decision)).status).toBe(403)
  expect((await ask(writer, "GET", "/reviews")).status).toBe(403)
  expect((await ask(writer, "DELETE", "/users/ada")).status).toBe(403)
  expect((await ask(eraser, "GET", "/reviews")).status).toBe(403)
  expect((await ask(limited, "GET", "/reviews")).status).toBe(403)
  expect((await ask(limited, "DELETE", "/users/ada")).status).toBe(403)

  const claim = (by: string) =>
    ask(writer, "POST", `/reviews/claim/${first!.id}`, { by, for: "5m" })
  expect((await claim("ann")).body.state).toBe("claimed")
  expect((await claim("bob")).status).toBe(409)
  const wrong = { ...decision, text: "It is." }
  expect((await ask(writer, "POST", `/reviews/decide/${first!.id}`, wrong)).status).toBe(422)
  const decided = await ask(writer, "POST", `/reviews/decide/${first!.id}`, decision)
  expect(decided.body).toMatchObject({
    state: "decided",
    item: { decision: { by: "ann", via: "key:writer" } },
  })
  expect((await ask(writer, "POST", `/reviews/decide/${first!.id}`, decision)).status).toBe(409)

  expect((await ask(eraser, "DELETE", "/users/bob?runs=maybe")).status).toBe(422)
  const erased = await ask(eraser, "DELETE", "/users/bob?runs=true")
  expect(erased.body).toMatchObject({ user: "bob", reviews: [second!.id], active_runs: [] })
  expect(erased.body.runs).toHaveLength(1)
  expect((await ask(reader, "GET", "/reviews?state=open")).body).toEqual([])

  const { stdout } = await command("audit", "--json")
  const entries = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as any)
  expect(entries.map(({ action, via }) => [action, via])).toEqual(
    expect.arrayContaining([
      ["review_decided", "key:writer"],
      ["user_erased", "key:eraser"],
    ]),
  )
  expect(stdout).not.toContain('"bob"')
})
