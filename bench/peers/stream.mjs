/**
 * Text as it is written beside other engines, in one run: `node --expose-gc bench/peers/stream.mjs [rounds]`, after
 * `node bench/peers/main.ts` has installed them. A stub model writes parts of four characters, without a delay unless a row says so.
 * CPU µs a part and wall µs to the first text: least of interleaved rounds. The other rows are one observation each.
 */
import { loadavg } from "node:os"
import { streamText } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import { genkit } from "genkit"
import { Agent } from "@mastra/core/agent"
import * as Stream from "effect/Stream"
import { definePlugin } from "@planloom/plugin/effect"
import { loadWorkflow } from "@planloom/embed"
import stages from "@planloom/stages"

const rounds = Number(process.argv[2] ?? 10)
const PARTS = 1000
/** What a model writes next: its number of parts, and the pause before each, for the rows on slow readers and on breaks. */
const script = { parts: PARTS, delay: 0 }
/** Parts that the model called last has made. */
let last = { made: 0 }

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function* written() {
  const { delay, parts } = script
  const mine = (last = { made: 0 })
  while (mine.made < parts) {
    if (delay > 0) await wait(delay)
    mine.made++
    yield "text"
  }
}

const plugin = definePlugin({
  id: "bench",
  summary: "A stub model.",
  components: {
    providers: [
      {
        id: "stub",
        summary: "Writes parts.",
        stream: () =>
          Stream.concat(
            Stream.map(
              Stream.fromAsyncIterable(written(), (error) => /** @type {never} */ (error)),
              (text) => ({
                type: "text",
                text,
              }),
            ),
            Stream.succeed({ type: "finish", reason: "stop", usage: { input: 1, output: 1 } }),
          ),
      },
    ],
  },
})
const workflow = await loadWorkflow("reply.yaml", {
  extraPlugins: [stages, plugin],
  texts: new Map([
    [
      "reply.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: reply
stages: [{ id: reply, uses: generate, model: stub/any, with: { task: Write. } }]
outputs: { reply: { type: string, stream: true, value: "\${{ stages.reply.output.text }}" } }
`,
    ],
  ]),
})
async function* planloom() {
  for await (const part of workflow.stream({})) if (part.type === "text") yield part.text
}

const zero = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
const usage = { inputTokens: zero, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const mock = () =>
  new MockLanguageModelV3({
    doStream: async () => ({
      stream: new ReadableStream(
        (() => {
          const parts = written()
          let hasStarted = false
          return {
            async pull(controller) {
              if (!hasStarted) {
                hasStarted = true
                controller.enqueue({ type: "stream-start", warnings: [] })
                controller.enqueue({ type: "text-start", id: "1" })
                return
              }
              const { done, value } = await parts.next()
              if (!done) return controller.enqueue({ type: "text-delta", id: "1", delta: value })
              controller.enqueue({ type: "text-end", id: "1" })
              controller.enqueue({
                type: "finish",
                finishReason: { unified: "stop", raw: undefined },
                usage,
              })
              controller.close()
            },
            async cancel() {
              await parts.return(undefined)
            },
          }
        })(),
        { highWaterMark: 0 },
      ),
    }),
  })
const aiSdk = () => streamText({ model: mock(), prompt: "Write." }).textStream

const ai = genkit({})
const genkitModel = ai.defineModel(
  { name: "stub", apiVersion: "v2", supports: { multiturn: true } },
  async (_, { sendChunk }) => {
    let text = ""
    for await (const part of written()) {
      text += part
      sendChunk?.({ content: [{ text: part }] })
    }
    return { message: { role: "model", content: [{ text }] }, finishReason: "stop" }
  },
)
async function* genkitText() {
  const { response, stream } = ai.generateStream({ model: genkitModel, prompt: "Write." })
  for await (const chunk of stream) yield chunk.text
  await response
}

const agent = new Agent({ id: "bench", name: "bench", instructions: "Write.", model: mock() })
async function* mastra() {
  const { textStream } = await agent.stream("Write.")
  for await (const text of textStream) yield text
}

/** @type {Record<string, () => AsyncIterable<string>>} */
const contenders = {
  "async generator": written,
  planloom,
  "AI SDK": aiSdk,
  Genkit: genkitText,
  Mastra: mastra,
}

const read = async (/** @type {AsyncIterable<string>} */ text) => {
  let characters = 0
  for await (const part of text) characters += part.length
  return characters
}

/** CPU µs of one whole stream, over enough streams to be measured. */
const cpu = async (/** @type {() => AsyncIterable<string>} */ open) => {
  const began = process.cpuUsage()
  for (let calls = 1; ; calls++) {
    await read(open())
    const { system, user } = process.cpuUsage(began)
    if (user + system >= 50_000) return (user + system) / calls
  }
}

const firstText = async (/** @type {() => AsyncIterable<string>} */ open) => {
  const began = performance.now()
  let first
  for await (const part of open()) first ??= part && performance.now()
  return ((first ?? Number.NaN) - began) * 1000
}

/** How far the model is ahead of a reader that takes a millisecond a part, at its hundredth part. */
const lead = async (/** @type {() => AsyncIterable<string>} */ open) => {
  let seen = 0
  let ahead = 0
  for await (const _ of open()) {
    await wait(1)
    if (++seen === 100) ahead = last.made - seen
  }
  return ahead
}

/** What a model makes within 300 ms after its reader has left at the tenth part. */
const afterBreak = async (/** @type {() => AsyncIterable<string>} */ open) => {
  Object.assign(script, { delay: 1, parts: 300 })
  let seen = 0
  let at = 0
  for await (const _ of open()) {
    if (++seen < 10) continue
    at = last.made
    break
  }
  const model = last
  await wait(300)
  Object.assign(script, { delay: 0, parts: PARTS })
  return model.made - at
}

const before = loadavg()[0]
for (const [name, open] of Object.entries(contenders)) {
  const characters = await read(open())
  if (characters !== PARTS * 4) throw new Error(`${name} gave ${characters} characters`)
}
/** @type {Record<string, { whole: number, one: number, first: number }>} */
const least = {}
for (let round = 0; round < rounds; round++) {
  for (const [name, open] of Object.entries(contenders)) {
    const row = (least[name] ??= { whole: Infinity, one: Infinity, first: Infinity })
    row.whole = Math.min(row.whole, await cpu(open))
    for (let call = 0; call < 20; call++) row.first = Math.min(row.first, await firstText(open))
    script.parts = 1
    row.one = Math.min(row.one, await cpu(open))
    script.parts = PARTS
  }
}
/** @type {Record<string, Record<string, number>>} */
const table = {}
for (const [name, open] of Object.entries(contenders)) {
  const { first, one, whole } = least[name]
  table[name] = {
    "µs a part": Number(((whole - one) / (PARTS - 1)).toFixed(2)),
    "one part, µs": Math.round(one),
    "first text, µs": Math.round(first),
    "parts ahead of a slow reader": await lead(open),
    "parts made after a break": await afterBreak(open),
  }
}
console.table(table)
console.log(`load before ${before?.toFixed(1)}, after ${loadavg()[0]?.toFixed(1)}`)
await workflow.close()
process.exit(0)
