/**
 * An agent and a streamed output of a local model through the command line. The wire server always answers; the real server at
 * `PLANLOOM_LIVE_SERVER` only where there is one, and the run says so otherwise.
 */
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer } from "@planloom/testing"
import { afterAll, describe, expect, it } from "vitest"
import { lines, planloom, trusting } from "./planloom.ts"

const folders: Array<string> = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const plugin = `
import { definePlugin, tool, toolSource } from "@planloom/plugin"

const weather = tool({
  name: "weather",
  summary: "Tells the weather of a city.",
  effect: "read",
  params: {
    type: "object",
    properties: { city: { enum: ["Oslo", "Rome"] } },
    required: ["city"],
    additionalProperties: false,
  },
  run: async ({ city }) => ({ city, degrees: 31 }),
})

export default definePlugin({
  id: "weather",
  summary: "Weather.",
  components: { tools: [toolSource({ id: "weather", summary: "Weather.", tools: [weather] })] },
})
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: ["@planloom/stages", "@planloom/provider-openai", ./weather.ts] }
defaults: { model: talker }
models: { talker: { try: [MODEL], temperature: 0, max_tokens: 300 } }
stages:
  - id: work
    uses: agent
    with: { task: What is the weather in Oslo? Use the tool., tools: [weather], max_turns: 3 }
  - { id: reply, uses: generate, with: { task: Say hello in one sentence. } }
outputs:
  calls: { value: "\${{ stages.work.output.calls }}" }
  text: { type: string, stream: true, value: "\${{ stages.reply.output.text }}" }
`

/** Runs the workflow with the local server at `url`; the model calls tools in its text, under the server's grammar. */
const talk = async (url: string, name: string) => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-local-")))
  folders.push(cwd)
  await symlink(
    join(import.meta.dirname, "../../../../examples/plugin/node_modules"),
    join(cwd, "node_modules"),
  )
  const local = { base_url: url, structured: ["json_schema"] }
  const files = {
    "planloom.yaml": {
      apiVersion: "planloom/v1",
      kind: "Project",
      model_facts: ["models.yaml"],
      plugins: { "@planloom/provider-openai": { servers: { local } } },
    },
    "models.yaml": {
      apiVersion: "planloom/v1",
      kind: "Models",
      models: { [`local/${name}`]: { capabilities: ["json_schema"] } },
    },
  }
  for (const [file, value] of Object.entries(files)) {
    await writeFile(join(cwd, file), JSON.stringify(value))
  }
  await writeFile(join(cwd, "weather.ts"), plugin)
  await writeFile(join(cwd, "talk.yaml"), workflow.replace("MODEL", `local/${name}`))
  await trusting(cwd)
  const said = await planloom(["run", "talk.yaml", "--json"], { cwd })
  expect(said.code, said.stdout + said.stderr).toBe(0)
  return lines(said)
}

/** What a run has written: calls of its agent, text parts of the streamed reply, and the reply. */
const readIn = (written: ReadonlyArray<Record<string, unknown>>) => {
  const { outputs } = written.at(-1) as {
    readonly outputs: { readonly calls: ReadonlyArray<unknown>; readonly text: string }
  }
  const parts = written.flatMap(({ part, type }) =>
    type === "Part" ? [part as { readonly type: string; readonly text?: string }] : [],
  )
  const texts = parts.flatMap(({ text, type }) => (type === "text" ? [text!] : []))
  return { ...outputs, texts, last: parts.at(-1)?.type }
}

const weather = expect.objectContaining({ tool: "weather", ok: true }) as unknown

it("an agent calls a tool in the text of a local model, and the reply is streamed", async () => {
  await using server = await wireServer({
    answers: [
      { when: "degrees", json: { answer: "31 degrees" } },
      { when: "Use the tool", json: { calls: [{ tool: "weather", params: { city: "Oslo" } }] } },
      { text: "Hello, how are you?" },
    ],
  })
  const { calls, last, text, texts } = readIn(await talk(`${server.url}/v1`, "small"))
  expect(calls).toEqual([weather])
  expect(text).toBe("Hello, how are you?")
  expect(texts.join("")).toBe(text)
  expect([texts.length > 1, last]).toEqual([true, "settled"])
  expect(server.requests[0]?.body).toMatchObject({ response_format: { type: "json_schema" } })
})

const live = process.env["PLANLOOM_LIVE_SERVER"] ?? ""

describe.skipIf(live === "")("a local model, live (PLANLOOM_LIVE_SERVER)", () => {
  it("calls a tool for an agent, and its reply is streamed", async () => {
    const model = process.env["PLANLOOM_LIVE_MODEL"] ?? "default"
    const { calls, last, text, texts } = readIn(await talk(live, model))
    expect(calls).toContainEqual(weather)
    expect(texts.join("")).toBe(text)
    expect([texts.length > 1, last]).toEqual([true, "settled"])
  })
})
