/** `planloom models`: swaps that a running server and later commands take at their next call, and refused ones. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { planloom, serve, trusting } from "./planloom.ts"

let cwd: string
let model: WireServer

const project = (url: string) => `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${url}/v1" } } } }
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: letters
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
models: { writer: { try: [local/small] } }
stages:
  - { id: draft, uses: generate, model: writer, with: { task: Write. } }
  - { id: polish, uses: generate, model: writer, with: { task: Polish. } }
outputs: { text: "\${{ stages.polish.output.text }}" }
`

const models = (...args: ReadonlyArray<string>) => planloom(["models", ...args], { cwd })
const asked = () => model.requests.map(({ body }) => body["model"])
const run = async () => {
  const before = model.requests.length
  const { code, stderr } = await planloom(["run", "letters.yaml", "--quiet"], { cwd })
  expect(stderr).toBe("")
  expect(code).toBe(0)
  return asked().slice(before)
}

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-swaps-")))
  model = await wireServer({ models: ["small", "large"], answers: [{ text: "hello" }] })
  await writeFile(join(cwd, "planloom.yaml"), project(model.url))
  await writeFile(join(cwd, "letters.yaml"), workflow)
  await trusting(cwd)
})

afterAll(async () => {
  await model.close()
  await rm(cwd, { recursive: true, force: true })
})

it("models are read without creating a store", async () => {
  const { code, stdout } = await models("list", "letters.yaml")
  expect(code).toBe(0)
  expect(stdout).toMatch(/alias writer +local\/small/)
  expect(stdout).toMatch(/stage draft +as writer/)
  expect((await models("history", "letters.yaml")).stderr).toContain("no model of letters")
  expect((await models("undo", "letters.yaml")).code).toBe(1)
  expect(existsSync(join(cwd, ".planloom"))).toBe(false)
})

it.each([
  [
    "a model that its server does not list",
    "local/none",
    /does not list it; it lists small, large/,
  ],
  ["a model of no provider", "vendor/large", /no provider for "vendor\/large"/],
  ["a model without its key", "openai/gpt-5-mini", /not available: .*OPENAI_API_KEY/],
])("%s is refused, and nothing changes", async (_, name, says) => {
  const { code, stderr } = await models("swap", "letters.yaml", "writer", "local/large", name)
  expect(code).toBe(1)
  expect(stderr).toMatch(says)
  expect((await models("list", "letters.yaml")).stdout).not.toContain("local/large")
})

it("an unknown target is refused with those that there are", async () => {
  const { code, stderr } = await models("swap", "letters.yaml", "reader", "local/large")
  expect(code).toBe(1)
  expect(stderr).toContain("writer, draft, polish")
})

it("a swap is taken by the next run, an undo by the one after it, and both are in the history", async () => {
  const swapped = await models("swap", "letters.yaml", "draft", "local/large", "--by", "ann")
  expect(swapped.stderr).toContain("stage draft asks local/large from the next call on")
  expect(await run()).toEqual(["large", "small"])
  expect((await models("undo", "letters.yaml", "--by", "bob")).code).toBe(0)
  expect(await run()).toEqual(["small", "small"])
  const { stdout } = await models("history", "letters.yaml", "--json")
  expect(JSON.parse(stdout)).toMatchObject([
    { number: 2, stage: "draft", after: ["local/small"], by: "bob", undoes: 1 },
    { number: 1, stage: "draft", before: ["local/small"], after: ["local/large"], by: "ann" },
  ])
})

it("a running server takes a swap at the next call of a run in progress, and its API shows it", async () => {
  const server = await serve(["letters.yaml"], { cwd })
  try {
    const before = model.requests.length
    model.answer({ text: "slow", delay: 1, when: "Write." }, { text: "hello" })
    const started = await fetch(`${server.url}/workflows/letters/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    })
    const { run: id } = (await started.json()) as { readonly run: string }
    await model.received(before + 1)
    expect((await models("swap", "letters.yaml", "writer", "local/large")).code).toBe(0)
    model.release()
    const events = await fetch(`${server.url}/runs/${id}/events`, {
      headers: { accept: "text/event-stream" },
    })
    const text = await events.text()
    expect(asked().slice(before)).toEqual(["small", "large"])
    expect(text).toContain('"model":"local/large"')
    const shown = await fetch(`${server.url}/workflows/letters/models`)
    const { aliases, history } = (await shown.json()) as {
      readonly aliases: ReadonlyArray<object>
      readonly history: ReadonlyArray<object>
    }
    expect(aliases).toMatchObject([{ alias: "writer", models: ["local/large"], swapped: true }])
    expect(history).toHaveLength(3)
    const undone = await fetch(`${server.url}/workflows/letters/models/undo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ by: "ada", why: "a test" }),
    })
    expect(undone.status).toBe(200)
    expect(await run()).toEqual(["small", "small"])
  } finally {
    await server.stop("SIGTERM")
  }
})

it("a swap that no longer fits the workflow is not in force, and the list says so", async () => {
  expect((await models("swap", "letters.yaml", "writer", "local/large")).code).toBe(0)
  await writeFile(join(cwd, "letters.yaml"), workflow.replaceAll("writer", "author"))
  expect(await run()).toEqual(["small", "small"])
  const { stderr } = await models("list", "letters.yaml")
  expect(stderr).toMatch(/swap of alias writer to local\/large is not in force: .*no alias/)
})
