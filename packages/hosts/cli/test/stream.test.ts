/** Streamed outputs on the command line: parts as lines beside the events, for `run` and `chat`. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fixture, lines, planloom } from "./planloom.ts"

const plugin = `import { definePlugin, ModelFailed, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

let asked = 0
const finish = { type: "finish", reason: "stop", usage: { input: 3, output: 5 } }
const lost = new ModelFailed({ class: "unavailable", model: "parts/any", message: "gone" })
const provider = {
  id: "parts",
  summary: "Is lost once, then replies.",
  stream: () => {
    const texts = Stream.rechunk(Stream.fromIterable(["<think>hm</think>", "Hello", " there"]), 1)
    const parts = Stream.map(texts, (text) => ({ type: "text", text }))
    return ++asked === 1
      ? Stream.concat(Stream.take(parts, 2), Stream.fail(lost))
      : Stream.concat(parts, Stream.make(finish))
  },
}
const reply = stageKind({
  id: "reply",
  summary: "Replies.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }), ({ text }) => ({ text })),
})
export default definePlugin({ id: "parts", summary: "Parts.", components: { providers: [provider], stages: [reply] } })
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: spoken
use: { plugins: [../parts.ts] }
inputs: { message: { type: string } }
session: { window: 2, request: "\${{ inputs.message }}", assistant: "\${{ stages.say.output.text }}", state: {} }
stages:
  - { id: say, uses: reply, model: parts/any, retry: { max_retries: 1, on: [unavailable], delay: 0ms } }
outputs:
  answer: { type: string, stream: true, value: "\${{ stages.say.output.text }}" }
`

let cwd: string

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "stream-"))
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "parts.ts"), plugin)
  await writeFile(join(cwd, "workflows/spoken.yaml"), workflow)
})

afterAll(async () => {
  await rm(cwd, { recursive: true, force: true })
})

interface Line {
  readonly type: string
  readonly part?: { readonly type: string; readonly text?: string; readonly cause?: string }
}

const course = (all: ReadonlyArray<Line>) =>
  all.flatMap(({ part }) => (part === undefined ? [] : [part.text ?? part.cause ?? part.type]))

describe("a streamed output on the command line", () => {
  it.each([
    ["run", ["run", "spoken", "-i", "message=hi", "--json"], ""],
    ["chat", ["chat", "spoken", "--json"], "hi\n"],
  ])(
    "is a line for each part with %s --json, before the end of the run",
    async (_, args, input) => {
      const ran = await planloom(args, { cwd, input, alone: true })
      const all = lines(ran) as unknown as ReadonlyArray<Line>
      expect(course(all)).toEqual(["Hello", "retry", "Hello", " there", "settled"])
      const types = all.map(({ type }) => type)
      expect(types.lastIndexOf("Part")).toBeLessThan(types.indexOf("RunFinished"))
      expect(all.at(-1)).toMatchObject({ type: "Result", outputs: { answer: "Hello there" } })
    },
  )

  it("is printed whole on a pipe", async () => {
    const ran = await planloom(["run", "spoken", "-i", "message=hi"], { cwd, alone: true })
    expect(ran.stdout).toBe("Hello there\n")
  })
})
