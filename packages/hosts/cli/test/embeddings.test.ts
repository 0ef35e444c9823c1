/** A workflow with embeddings through the command line, with a server that speaks OpenAI's protocol. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { lines, planloom } from "./planloom.ts"

let cwd: string
let server: WireServer
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-embeddings-")))
  server = await wireServer({
    answers: [{ when: '"input":["a broken waltz"', status: 503 }, { text: "done" }],
  })
  await writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1
kind: Project
plugins:
  "@planloom/provider-openai":
    servers: { llamacpp: { base_url: "${server.url}/v1" } }
    embeddings: { server: llamacpp, model: small, dimensions: 8 }
`,
  )
  await writeFile(
    join(cwd, "examples.yaml"),
    `apiVersion: planloom/v1
kind: Examples
examples:
  - { inputs: { text: dim the lights }, output: { text: lights } }
  - { inputs: { text: play a waltz }, output: { text: music } }
`,
  )
  await writeFile(
    join(cwd, "say.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: say
use: { plugins: ["@planloom/stages", "@planloom/retrieval", "@planloom/provider-openai"] }
embeddings: openai
defaults: { model: llamacpp/chat }
inputs: { text: { type: string } }
stages:
  - id: s
    uses: generate
    with: { task: Say what it is about., context: "\${{ inputs.text }}" }
    examples: { file: examples.yaml, user: "\${{ inputs.text }}", max_tokens: 10 }
outputs: { s: { type: string, value: "\${{ stages.s.output.text }}" } }
`,
  )
})
afterAll(async () => {
  await server.close()
  await rm(cwd, { recursive: true, force: true })
})

it("planloom run calls the embedder to choose examples, and counts the call", async () => {
  const said = await planloom(["run", "say.yaml", "--input", "text=play a waltz", "--json"], {
    cwd,
  })
  expect(said.code).toBe(0)
  const [embedding, chat] = server.requests
  expect(embedding).toMatchObject({
    path: "/v1/embeddings",
    body: { input: ["play a waltz", "dim the lights"] },
  })
  expect(JSON.stringify(chat?.body["messages"])).toContain("music")
  expect(JSON.stringify(chat?.body["messages"])).not.toContain("dim the lights")
  const models = lines(said).filter(({ type }) => type === "ModelCalled")
  expect(models.map(({ model }) => model)).toEqual(["llamacpp/small", "llamacpp/chat"])
  expect(lines(said).at(-1)).toMatchObject({ usage: { modelCalls: 2 }, degraded: [] })
})

it("planloom plan counts calls of the embedder", async () => {
  const { stdout } = await planloom(["plan", "say.yaml", "--input", "text=a"], { cwd })
  expect(stdout).toContain("at most 1 call: calls of embedders and rerankers for searches")
})

it("planloom prompt chooses examples by words, and does not call the embedder", async () => {
  const before = server.requests.length
  const { code, stderr, stdout } = await planloom(
    ["prompt", "say.yaml", "--stage", "s", "--input", "text=play a waltz"],
    { cwd },
  )
  expect(code).toBe(0)
  expect(stdout).toContain("music")
  expect(stdout).not.toContain("dim the lights")
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    'found by words; a run also uses the embedder "openai"',
  )
  expect(server.requests).toHaveLength(before)
})

it("planloom run says when searches went by words alone", async () => {
  const said = await planloom(["run", "say.yaml", "--input", "text=a broken waltz"], { cwd })
  expect(said.code).toBe(0)
  expect(said.stderr).toContain("degraded: 1 stage searched by words alone (s: llamacpp/small:")
  expect(JSON.stringify(server.requests.at(-1)?.body["messages"])).toContain("music")
})
