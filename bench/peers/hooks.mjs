/**
 * Hooks that do nothing, before one model call, beside the extension points of other libraries:
 * `node bench/peers/hooks.mjs [rounds]`, after `node bench/peers/main.ts` has installed them. Planloom's own figures, by the same
 * method: `node bench/hooks.ts`. CPU µs per call, least of interleaved rounds; `each` is what a hook adds to a call without hooks.
 */
import { loadavg } from "node:os"
import { Agent } from "@mastra/core/agent"
import { wrapLanguageModel } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import { FakeListChatModel } from "@langchain/core/utils/testing"
import { createAgent, createMiddleware } from "langchain"
import { AsyncSeriesWaterfallHook, SyncWaterfallHook } from "tapable"

const rounds = Number(process.argv[2] ?? 7)

/** @param {number} count @param {(index: number) => any} one */
const times = (count, one) => Array.from({ length: count }, (_, index) => one(index))

const zero = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
const reply = {
  content: [{ type: /** @type {const} */ ("text"), text: "done" }],
  finishReason: { unified: /** @type {const} */ ("stop"), raw: "stop" },
  usage: { inputTokens: zero, outputTokens: { total: 1, text: 1, reasoning: 0 } },
  warnings: [],
}
const model = () => new MockLanguageModelV3({ doGenerate: async () => reply })
const prompt = [{ role: "user", content: [{ type: "text", text: "Hello" }] }]

const makers = {
  /** @param {number} count */
  "tapable, SyncWaterfallHook": (count) => {
    const hook = new SyncWaterfallHook(["draft"])
    for (let index = 0; index < count; index++) hook.tap(`h${index}`, () => undefined)
    return async () => hook.call({ messages: prompt })
  },
  /** @param {number} count */
  "tapable, AsyncSeriesWaterfallHook": (count) => {
    const hook = new AsyncSeriesWaterfallHook(["draft"])
    for (let index = 0; index < count; index++) hook.tapPromise(`h${index}`, async () => undefined)
    return () => hook.promise({ messages: prompt })
  },
  /** @param {number} count */
  "AI SDK, wrapLanguageModel": (count) => {
    const wrapped = wrapLanguageModel({
      model: model(),
      middleware: times(count, () => ({
        specificationVersion: "v3",
        transformParams: async (/** @type {any} */ { params }) => params,
      })),
    })
    return () => wrapped.doGenerate(/** @type {any} */ ({ prompt }))
  },
  /** @param {number} count */
  "LangChain, createMiddleware": (count) => {
    const agent = createAgent({
      model: new FakeListChatModel({ responses: ["done"] }),
      tools: [],
      middleware: times(count, (index) =>
        createMiddleware({
          name: `h${index}`,
          wrapModelCall: (/** @type {any} */ request, /** @type {any} */ next) => next(request),
        }),
      ),
    })
    return () =>
      agent.invoke(/** @type {any} */ ({ messages: [{ role: "user", content: "Hello" }] }))
  },
  /** @param {number} count */
  "Mastra, inputProcessors": (count) => {
    const agent = new Agent({
      id: "bench",
      name: "bench",
      instructions: "Reply.",
      model: /** @type {any} */ (model()),
      inputProcessors: times(count, (index) => ({
        id: `h${index}`,
        processInput: async (/** @type {any} */ { messages }) => messages,
      })),
    })
    return () => agent.generate("Hello")
  },
}

const contestants = Object.entries(makers).flatMap(([name, make]) =>
  [0, 1, 20].map((hooks) => ({
    name,
    hooks,
    once: make(hooks),
    calls: 0,
    figures: /** @type {Array<number>} */ ([]),
  })),
)

/** @param {(typeof contestants)[number]} one */
const timed = async ({ calls, once }) => {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await once()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / calls
}

/** CPU ms of a round of one contestant. */
const ROUND_MS = 60
for (const one of contestants) {
  one.calls = 20
  const warm = await timed(one)
  one.calls = Math.max(20, Math.min(20_000, Math.round((ROUND_MS * 1000) / warm)))
  await timed(one)
}
const before = loadavg()[0]
for (let round = 0; round < rounds; round++) {
  for (const one of contestants) one.figures.push(await timed(one))
}

console.log(`CPU µs per call, least of ${rounds} rounds\n`)
console.log("| hooks | number | µs | each |\n|---|---:|---:|---:|")
let none = 0
for (const { figures, hooks, name } of contestants) {
  const least = Math.min(...figures)
  if (hooks === 0) none = least
  const each = hooks === 0 ? "–" : ((least - none) / hooks).toFixed(2)
  console.log(`| ${name} | ${hooks} | ${least.toFixed(2)} | ${each} |`)
}
console.log(`\nload average ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
process.exit(0)
