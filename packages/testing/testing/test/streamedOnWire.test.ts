/** Streamed outputs from the real SDKs over real HTTP: parts as they arrive, losses, and readers that leave. */
import { loadWorkflow } from "@planloom/embed"
import { definePlugin, type Host, type Part } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import stages from "@planloom/stages"
import { Effect } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import { wireServer, type WireServer } from "../src/double/wire/wireServer.ts"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }

const wires = {
  anthropic: (url: string) => [anthropicPlugin, { base_url: url }] as const,
  google: (url: string) => [googlePlugin, { base_url: url }] as const,
  openai: (url: string) =>
    [openaiPlugin, { servers: { openai: { base_url: `${url}/v1` } } }] as const,
}

const open: Array<{ readonly close: () => Promise<unknown> }> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const opened = async (wire: keyof typeof wires, ...answers: ReadonlyArray<WireAnswer>) => {
  const server: WireServer = await wireServer({ answers })
  const [plugin, config] = wires[wire](server.url)
  const { providers = [] } = await Effect.runPromise(
    Effect.scoped((plugin.setup as NonNullable<typeof anthropicPlugin.setup>)(config, host)),
  )
  const text = `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: [wire, stages] }
stages: [{ id: say, uses: generate, model: ${wire}/small, with: { task: Say it. } }]
outputs: { answer: { type: string, value: "\${{ stages.say.output.text }}", stream: true } }
`
  const workflow = await loadWorkflow("w.yaml", {
    plugins: {
      stages: async () => stages,
      wire: async () =>
        definePlugin({ id: "wire", summary: "One provider.", components: { providers } }),
    },
    texts: new Map([["w.yaml", text]]),
  })
  open.push(server, workflow)
  return { server, workflow }
}

const chunks = ["<thi", "nk>hm</think>", "The key is s3c", "r3t-key", ", they", " say."]
const secrets = ["s3cr3t-key"]

const textOf = (parts: ReadonlyArray<Part>): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("")

describe.each(Object.keys(wires) as Array<keyof typeof wires>)("a reply of %s", (wire) => {
  it("arrives in parts, without reasoning and secrets, and is the output", async () => {
    const { server, workflow } = await opened(wire, { chunks })
    const stream = workflow.stream({}, { secrets })
    const parts: Array<Part> = []
    for await (const part of stream) parts.push(part)
    const { outputs, usage } = await stream.result
    assert.strictEqual(textOf(parts), "The key is [secret], they say.")
    assert.deepStrictEqual(outputs, { answer: textOf(parts) })
    assert.strictEqual(parts.at(-1)?.type, "settled")
    assert.strictEqual(usage.outputTokens, 3)
    assert.isTrue(server.requests[0]!.stream)
  })

  it("that is cut off ends in a failure, after the text that had arrived", async () => {
    const { workflow } = await opened(wire, {
      chunks: ["One two", " three", " four", " five"],
      fault: "cut",
    })
    const parts: Array<Part> = []
    const failure = await (async () => {
      for await (const part of workflow.stream({})) parts.push(part)
      return assert.fail("it looks finished")
    })().catch((error: unknown) => error)
    assert.deepInclude(failure as object, { _tag: "RunFailed" })
    assert.notInclude(
      parts.map(({ type }) => type),
      "settled",
    )
    assert.isTrue("One two three four five".startsWith(textOf(parts)))
    assert.isNotEmpty(textOf(parts))
  })

  it("is given up when its reader leaves, and counts as an estimate at once", async () => {
    const { server, workflow } = await opened(wire, {
      chunks: ["One two", " three", " four", " five"],
      fault: "stall",
    })
    const called: Array<unknown> = []
    const onEvent = (event: { readonly type: string }) => {
      if (event.type === "ModelCalled") called.push(event)
    }
    for await (const _part of workflow.stream({}, { onEvent })) break
    assert.lengthOf(called, 1)
    const { usage } = called[0] as {
      readonly usage: { readonly estimated?: true; readonly output: number }
    }
    assert.isTrue(usage.estimated)
    assert.isAbove(usage.output, 0)
    await server.abandoned(1)
  })
})
