/** Parts of a run for applications: what is read, what waits, and what becomes of a reader that leaves. */
import { assert, describe, it } from "@effect/vitest"
import {
  definePlugin,
  ModelFailed,
  stageKind,
  type ModelPart,
  type Part,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { loadWorkflow } from "./loadWorkflow.ts"

/** A provider that gives numbered parts as fast as they are read, and counts them. */
class Source {
  made = 0
  cancelled = 0
  readonly count: number
  readonly end: "finish" | "fail" | "never"

  constructor(count: number, end: "finish" | "fail" | "never" = "finish") {
    this.count = count
    this.end = end
  }

  readonly provider = {
    id: "vendor",
    summary: "Counts.",
    stream: () =>
      Stream.fromAsyncIterable(this.parts(), () => lost).pipe(
        Stream.ensuring(Effect.sync(() => void this.cancelled++)),
      ),
  }

  private async *parts(): AsyncGenerator<ModelPart> {
    while (this.made < this.count) yield { type: "text", text: ` ${++this.made}` }
    if (this.end === "never") await new Promise(() => undefined)
    if (this.end === "fail") throw new Error("gone")
    yield { type: "finish", reason: "stop", usage: { input: 1, output: this.made } }
  }
}

const lost = new ModelFailed({ class: "unavailable", model: "vendor/any", message: "gone" })

const reply = stageKind<object>({
  id: "reply",
  summary: "Replies as its model does.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

const workflowOf = async (...sources: ReadonlyArray<Source>) => {
  const names = sources.map((_, index) => `s${index}`)
  const text = `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: [p] }
stages:
${names.map((name) => `  - { id: ${name}, uses: reply, model: ${name}/any, needs: [] }`).join("\n")}
outputs:
${names.map((name) => `  ${name}: { type: string, value: "\${{ stages.${name}.output.text }}", stream: true }`).join("\n")}
`
  const providers = sources.map(({ provider }, index) => ({ ...provider, id: `s${index}` }))
  return loadWorkflow("w.yaml", {
    plugins: {
      p: async () =>
        definePlugin({ id: "p", summary: "Test.", components: { stages: [reply], providers } }),
    },
    texts: new Map([["w.yaml", text]]),
  })
}

const textOf = (parts: ReadonlyArray<Part>, output = "s0"): string =>
  parts.map((part) => (part.output === output && part.type === "text" ? part.text : "")).join("")

/** Lets everything that can run without more reading run. */
const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe("the parts of a run", () => {
  it("are read in order, end with the run and are the output", async () => {
    const workflow = await workflowOf(new Source(100))
    const stream = workflow.stream({})
    const parts = []
    for await (const part of stream) parts.push(part)
    const { outputs } = await stream.result
    assert.deepStrictEqual(outputs, { s0: textOf(parts) })
    assert.deepInclude(parts.at(-1), { type: "settled", revision: 1 })
    await workflow.close()
  })

  it("of two outputs are complete, each in order", async () => {
    const workflow = await workflowOf(new Source(50), new Source(60))
    const stream = workflow.stream({})
    const parts = []
    for await (const part of stream) parts.push(part)
    const { outputs } = await stream.result
    assert.deepStrictEqual(outputs, { s0: textOf(parts, "s0"), s1: textOf(parts, "s1") })
    assert.lengthOf(
      parts.filter(({ type }) => type === "settled"),
      2,
    )
    await workflow.close()
  })

  it("are made at most 16 ahead of a slow reader", async () => {
    const source = new Source(300)
    const workflow = await workflowOf(source)
    let read = 0
    let most = 0
    for await (const part of workflow.stream({})) {
      if (part.type !== "text") continue
      read++
      if (read % 50 === 1) await idle()
      most = Math.max(most, source.made - read)
    }
    assert.strictEqual(read, 300)
    assert.isAtMost(most, 17)
    await workflow.close()
  })

  it("wait with the model when nothing is read, and leave the rest unread", async () => {
    const source = new Source(20_000, "never")
    const workflow = await workflowOf(source)
    const cancel = new AbortController()
    const stream = workflow.stream({}, { signal: cancel.signal })
    await idle()
    assert.isAtMost(source.made, 18)
    cancel.abort()
    await stream.result.catch(() => undefined)
    assert.strictEqual(source.cancelled, 1)
    await workflow.close()
  })

  it("do not hold up a run whose result alone is awaited, and are whole for a later reader", async () => {
    const workflow = await workflowOf(new Source(20_000))
    const stream = workflow.stream({})
    const { outputs } = await stream.result
    const parts = []
    for await (const part of stream) parts.push(part)
    assert.isAtMost(parts.length, 20)
    assert.deepStrictEqual(outputs, { s0: textOf(parts) })
    await workflow.close()
  })

  it("stop the model when the reader leaves, and what arrived counts as used at once", async () => {
    const source = new Source(300)
    const workflow = await workflowOf(source)
    const used: Array<unknown> = []
    const onEvent = (event: { readonly type: string }) => {
      if (event.type === "ModelCalled") used.push(event)
    }
    let read = 0
    for await (const _part of workflow.stream({}, { onEvent })) if (++read === 10) break
    assert.strictEqual(source.cancelled, 1)
    assert.isAtMost(source.made, 10 + 17)
    assert.lengthOf(used, 1)
    const { failure, usage } = used[0] as {
      readonly failure: { readonly class: string }
      readonly usage: { readonly estimated?: true; readonly output: number; readonly input: number }
    }
    assert.strictEqual(failure.class, "cancelled")
    assert.isTrue(usage.estimated)
    assert.isAbove(usage.input, 0)
    assert.isAtLeast(usage.output, 5)
    await workflow.close()
  })

  it("end with an AbortError after those that were delivered when the signal aborts", async () => {
    const source = new Source(10, "never")
    const workflow = await workflowOf(source)
    const cancel = new AbortController()
    const parts: Array<Part> = []
    const reading = (async () => {
      for await (const part of workflow.stream({}, { signal: cancel.signal })) {
        parts.push(part)
        if (parts.length === 10) cancel.abort()
      }
    })()
    const failure = await reading.then(
      () => assert.fail("it looks finished"),
      (error: Error) => error,
    )
    assert.strictEqual(failure.name, "AbortError")
    assert.strictEqual(textOf(parts), "1 2 3 4 5 6 7 8 9 10")
    assert.strictEqual(source.cancelled, 1)
    await workflow.close()
  })

  it("of a lost reply are all read before the typed failure, which no settled part hides", async () => {
    const workflow = await workflowOf(new Source(10, "fail"))
    const parts: Array<Part> = []
    const failure = await (async () => {
      for await (const part of workflow.stream({})) {
        parts.push(part)
        await idle()
      }
      return assert.fail("it looks finished")
    })().catch((error: unknown) => error)
    assert.deepInclude(failure as object, { _tag: "RunFailed" })
    assert.strictEqual(textOf(parts), "1 2 3 4 5 6 7 8 9 10")
    assert.notInclude(
      parts.map(({ type }) => type),
      "settled",
    )
    await workflow.close()
  })

  it("are given to onPart, whose promise holds up the model", async () => {
    const source = new Source(30)
    const workflow = await workflowOf(source)
    const lead: Array<number> = []
    const parts: Array<Part> = []
    await workflow.run(
      {},
      {
        onPart: async (part) => {
          await idle()
          parts.push(part)
          if (part.type === "text") lead.push(source.made - parts.length)
        },
      },
    )
    assert.isAtMost(Math.max(...lead), 1)
    assert.lengthOf(parts, 31)
    await workflow.close()
  })
})
