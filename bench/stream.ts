/**
 * Text as it is written, beside plain JavaScript and bare Effect, in one run: `node bench/stream.ts [rounds]`.
 * Models are stubs that give parts of four characters without delay. CPU µs, least of interleaved rounds.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  definePlugin,
  ModelFailed,
  stageKind,
  type ModelPart,
  type Provider,
} from "@planloom/plugin/effect"
import { provider } from "@planloom/plugin"
import { loadWorkflow } from "@planloom/embed"

const rounds = Number(process.argv[2] ?? 7)
const PARTS = 1000

const lost = new ModelFailed({ class: "unavailable", model: "stub/any", message: "lost" })
const finish: ModelPart = { type: "finish", reason: "stop", usage: { input: 1, output: 1 } }
const textAt = (index: number): ModelPart => ({
  type: "text",
  text: `${String(index % 1000).padStart(3, "x")} `,
})
const texts = (length: number) => Array.from({ length }, (_, index) => textAt(index))

/** What the stub has done. */
const seen = { made: 0, cancelledAt: 0 }

async function* written(parts: number): AsyncGenerator<ModelPart> {
  try {
    for (let index = 0; index < parts; index++) {
      seen.made++
      yield textAt(index)
    }
    yield finish
  } finally {
    seen.cancelledAt = performance.now()
  }
}

let count = PARTS
let inArrays = false
let json: string | undefined
/** As most plugins are written: an async generator for each reply. */
const generator = provider({
  id: "stub",
  summary: "Writes numbers.",
  stream: () => written(count),
})
const stub: Provider = {
  id: "stub",
  summary: "Writes numbers.",
  stream: (request) => {
    if (json !== undefined) {
      const size = Math.ceil(json.length / PARTS)
      const pieces = Array.from({ length: PARTS }, (_, index): ModelPart => ({
        type: "text",
        text: json!.slice(index * size, (index + 1) * size),
      }))
      return Stream.rechunk(Stream.fromIterable([...pieces, finish]), 1)
    }
    if (inArrays) return Stream.rechunk(Stream.fromIterable([...texts(count), finish]), 16)
    return generator.stream!(request)
  },
}

const reply = stageKind<object>({
  id: "reply",
  summary: "Replies.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})
const value = stageKind<object>({
  id: "value",
  summary: "Replies with JSON.",
  input: { type: "object" },
  output: { type: "object", properties: { value: true }, required: ["value"] },
  streams: "value",
  model: (_, { model }) =>
    Effect.map(
      model.json(
        { messages: [{ role: "user", content: "?" }], parts: "reply" },
        { name: "value", schema: { type: "object" } },
      ),
      (given) => ({ value: given }),
    ),
})

const plugins = {
  bench: async () =>
    definePlugin({
      id: "bench",
      summary: "Stubs.",
      components: { stages: [reply, value], providers: [stub] },
    }),
}
const workflowOf = (kind: "reply" | "value") =>
  loadWorkflow(`${kind}.yaml`, {
    plugins,
    texts: new Map([
      [
        `${kind}.yaml`,
        `apiVersion: planloom/v1
kind: Workflow
name: ${kind}
use: { plugins: [bench] }
stages: [{ id: say, uses: ${kind}, model: stub/any }]
outputs: { said: { value: "\${{ stages.say.output.${kind === "reply" ? "text" : "value"} }}", stream: true } }
`,
      ],
    ]),
  })
const workflow = await workflowOf("reply")
const values = await workflowOf("value")

const bare = (stream: Stream.Stream<ModelPart, ModelFailed>) =>
  Effect.runPromise(Stream.runForEach(stream, () => Effect.void))
const noop = () => undefined

const contenders: { readonly [name: string]: () => Promise<unknown> } = {
  "async generator": async () => {
    for await (const part of written(count)) void part
  },
  "effect: fromAsyncIterable, runForEach": () =>
    bare(Stream.fromAsyncIterable(written(count), () => lost)),
  "planloom: run, no reader": () => workflow.run({}),
  "planloom: run, onPart": () => workflow.run({}, { onPart: noop }),
  "planloom: run, onPart, a secret": () =>
    workflow.run({}, { onPart: noop, secrets: ["no-such-secret"] }),
  "planloom: stream": async () => {
    for await (const part of workflow.stream({})) void part
  },
  "planloom: run, onPart, arrays of 16": async () => {
    inArrays = true
    await workflow.run({}, { onPart: noop })
    inArrays = false
  },
}

/** CPU µs of one call, over enough calls to be measured. */
const cpu = async (work: () => Promise<unknown>, atLeast = 60_000): Promise<number> => {
  const began = process.cpuUsage()
  let calls = 0
  for (;;) {
    await work()
    calls++
    const { system, user } = process.cpuUsage(began)
    if (user + system >= atLeast) return (user + system) / calls
  }
}

const least: { [name: string]: { many: number; one: number } } = {}
for (let round = 0; round < rounds; round++) {
  for (const [name, work] of Object.entries(contenders)) {
    const row = (least[name] ??= { many: Infinity, one: Infinity })
    count = PARTS
    row.many = Math.min(row.many, await cpu(work))
    count = 1
    row.one = Math.min(row.one, await cpu(work))
  }
}
console.table(
  Object.fromEntries(
    Object.entries(least).map(([name, { many, one }]) => [
      name,
      {
        "µs a part": Number(((many - one) / (PARTS - 1)).toFixed(2)),
        "1 part, µs": Math.round(one),
        "1000 parts, ms": Number((many / 1000).toFixed(2)),
      },
    ]),
  ),
)

const firsts: Array<number> = []
count = PARTS
for (let call = 0; call < 300; call++) {
  const began = performance.now()
  let first: number | undefined
  await workflow.run({}, { onPart: () => void (first ??= performance.now() - began) })
  firsts.push(first! * 1000)
}
firsts.sort((a, b) => a - b)
console.log(
  `first text, wall µs: ${firsts[0]!.toFixed(0)} least, ${firsts[150]!.toFixed(0)} median`,
)

// A reader that takes 1 ms for each part.
count = 300
seen.made = 0
let read = 0
let lead = 0
for await (const part of workflow.stream({})) {
  if (part.type !== "text") continue
  read++
  await new Promise((resolve) => setTimeout(resolve, 1))
  lead = Math.max(lead, seen.made - read)
}
console.log(`lead over a reader of 1 ms a part: ${lead} parts`)

// Nothing is read.
count = 20_000
seen.made = 0
globalThis.gc?.()
const before = process.memoryUsage().heapUsed
const cancel = new AbortController()
const unread = workflow.stream({}, { signal: cancel.signal })
await new Promise((resolve) => setTimeout(resolve, 200))
globalThis.gc?.()
const held = (process.memoryUsage().heapUsed - before) / 1024
console.log(`20000 parts, none read: ${seen.made} made, ${held.toFixed(0)} KB more heap`)
cancel.abort()
await unread.result.catch(() => undefined)

/** Reads ten parts and leaves. When that was, and how many parts had been made by then. */
const leave = async (way: "break" | "abort"): Promise<{ left: number; made: number }> => {
  const stop = new AbortController()
  let taken = 0
  let at = { left: 0, made: 0 }
  try {
    for await (const _part of workflow.stream({}, { signal: stop.signal })) {
      if (++taken < 10) continue
      at = { left: performance.now(), made: seen.made }
      if (way === "break") break
      stop.abort()
    }
  } catch {
    // The run was aborted.
  }
  return at
}

for (const way of ["break", "abort"] as const) {
  count = 5000
  const late: Array<number> = []
  let more = 0
  for (let call = 0; call < 50; call++) {
    seen.made = 0
    const { left, made } = await leave(way)
    late.push(seen.cancelledAt - left)
    more = Math.max(more, seen.made - made)
  }
  late.sort((a, b) => a - b)
  console.log(
    `${way} reaches the model: ${late[25]!.toFixed(2)} ms median, ${late.at(-1)!.toFixed(2)} ms most, ${more} parts more`,
  )
}

const object = (characters: number): string => {
  const items = []
  for (let size = 0; size < characters; size += 50) {
    items.push({ id: items.length, name: `item ${items.length}`, tags: ["a", "b"] })
  }
  return JSON.stringify({ items }).padEnd(characters)
}
for (const size of [4096, 16_384]) {
  json = object(size)
  let whole = Infinity
  let unreadValues = Infinity
  for (let round = 0; round < rounds; round++) {
    whole = Math.min(
      whole,
      await cpu(() =>
        values.run({}, { onPart: (part) => void (part.type === "value" && part.value) }),
      ),
    )
    unreadValues = Math.min(unreadValues, await cpu(() => values.run({}, { onPart: noop })))
  }
  console.log(
    `partial values of ${size} characters in ${PARTS} parts: ${(whole / 1000).toFixed(1)} ms, unread ${(unreadValues / 1000).toFixed(1)} ms`,
  )
}
await workflow.close()
await values.close()
