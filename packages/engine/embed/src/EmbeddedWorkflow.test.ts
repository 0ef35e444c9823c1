import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { EmbeddedWorkflow } from "./EmbeddedWorkflow.ts"
import { loadWorkflow } from "./loadWorkflow.ts"

const done: Array<string> = []

const greetings = definePlugin({
  id: "greetings",
  summary: "Greets people.",
  components: {
    stages: [
      stageKind<{ readonly name: string }>({
        id: "greet",
        summary: "Greets somebody by name.",
        input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        output: { type: "string" },
        run: ({ name }) =>
          Effect.sync(() => {
            done.push(name)
            return `Hello ${name}!`
          }),
      }),
    ],
  },
})

const text = `apiVersion: planloom/v1
kind: Workflow
name: hello
use: { plugins: ["greetings"] }
inputs: { names: { type: array, items: { type: string }, minItems: 1 } }
stages: [{ id: hello, uses: greet, with: { name: "\${{ inputs.names[0] }}" } }]
outputs: { text: { type: string, value: "\${{ stages.hello.output }}" } }
`

const textOfMany = `apiVersion: planloom/v1
kind: Workflow
name: many
use: { plugins: ["greetings"] }
inputs: { names: { type: array, items: { type: string } } }
stages: [{ id: hello, uses: greet, for_each: { in: "\${{ inputs.names }}", as: name }, with: { name: "\${{ name }}" } }]
outputs: { texts: { type: array, items: { type: string }, value: "\${{ stages.hello.output }}" } }
`

describe("a workflow in a host", () => {
  let folder: string
  let workflow: EmbeddedWorkflow
  let many: EmbeddedWorkflow
  const inputs = { names: ["Ada"] }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "planloom-embed-"))
    await writeFile(join(folder, "hello.yaml"), text)
    const plugins = { greetings: async () => greetings }
    workflow = await loadWorkflow(join(folder, "hello.yaml"), { plugins })
    await writeFile(join(folder, "many.yaml"), textOfMany)
    many = await loadWorkflow(join(folder, "many.yaml"), { plugins })
  })

  afterAll(async () => {
    await workflow.close()
    await many.close()
    await rm(folder, { recursive: true, force: true })
  })

  const failureOf = async (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => assert.fail("it succeeded"),
      (error: Error) => error,
    )

  it("returns its outputs", async () => {
    assert.deepStrictEqual((await workflow.run(inputs)).outputs, { text: "Hello Ada!" })
  })

  it("starts nothing when the signal was aborted before", async () => {
    done.length = 0
    const signal = AbortSignal.abort()
    assert.strictEqual((await failureOf(workflow.run(inputs, { signal }))).name, "AbortError")
    const { result } = workflow.events(inputs, { signal })
    assert.strictEqual((await failureOf(result)).name, "AbortError")
    assert.deepStrictEqual(done, [])
  })

  it("runs nothing once it is closed", async () => {
    const other = await loadWorkflow(join(folder, "hello.yaml"), {
      plugins: { greetings: async () => greetings },
    })
    await other.close()
    done.length = 0
    assert.include((await failureOf(other.run(inputs))).message, "hello.yaml has been closed")
    assert.throws(() => other.events(inputs), /has been closed/)
    assert.deepStrictEqual(done, [])
    await other.close()
  })

  it("streams every event in order to a reader that begins after the run has ended", async () => {
    const stream = many.events({ names: ["Ada", "Bob", "Eve"] })
    assert.strictEqual((await stream.result).status, "succeeded")
    const sequence: Array<number> = []
    for await (const { seq } of stream) sequence.push(seq)
    assert.isAbove(sequence.length, 3)
    assert.deepStrictEqual(sequence, [...sequence.keys()])
  })

  it("streams events that wait without moving the rest for each one", async () => {
    const stream = many.events({ names: Array.from({ length: 2_000 }, () => "Ada") })
    await stream.result
    const taken = vi.spyOn(Array.prototype, "shift")
    let events = 0
    let shifts = 0
    try {
      for await (const _event of stream) events++
      shifts = taken.mock.calls.length
    } finally {
      taken.mockRestore()
    }
    assert.isAbove(events, 4_000)
    assert.isBelow(shifts, events / 10)
  })

  it("starts no further step while 1,024 events wait for the reader, who misses none", async () => {
    done.length = 0
    const stream = many.events({ names: Array.from({ length: 2_000 }, () => "Ada") })
    const sequence: Array<number> = []
    for await (const { seq } of stream) {
      sequence.push(seq)
      if (seq > 0) continue
      // Everything that can run without more reading.
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
      assert.isBelow(done.length, 1_100)
    }
    assert.isAbove(sequence.length, 4_000)
    assert.deepStrictEqual(sequence, [...sequence.keys()])
    assert.strictEqual((await stream.result).status, "succeeded")
  })

  it("reports invalid inputs in whole sentences", async () => {
    const saying = async (given: object) => (await failureOf(workflow.run(given))).message
    const begin = 'the inputs of "hello" do not fit: '
    assert.strictEqual(await saying({}), `${begin}the object lacks the key "names"`)
    assert.strictEqual(await saying({ names: [] }), `${begin}names must have at least 1 item`)
  })
})
