/**
 * One agent beside other loops, in one run: `node bench/peers/agent.mjs [rounds]`, after `node bench/peers/main.ts` has installed them.
 * A stub model calls one no-op tool in each turn, then answers. CPU µs, least of interleaved rounds; schemas are checked, nothing is recorded.
 */
import { loadavg } from "node:os"
import { generateText, jsonSchema, stepCountIs, tool as aiTool } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import { genkit } from "genkit"
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { loadWorkflow } from "@planloom/embed"
import stages from "@planloom/stages"

const rounds = Number(process.argv[2] ?? 12)
/** Turns of a short, a middle and a long loop. */
const [SHORT, MIDDLE, LONG] = [1, 32, 64]

let turns = SHORT
/** What the stub model does next, by the number of results it has read. */
const next = (/** @type {number} */ results) => (results < turns ? results : undefined)
const params = {
  type: "object",
  properties: { of: { type: "integer" } },
  required: ["of"],
  additionalProperties: false,
}
const double = async (/** @type {{ of: number }} */ { of }) => ({ value: of * 2 })

const byHand = async () => {
  const messages = [{ role: "user", content: "Work." }]
  for (let results = 0; ; results++) {
    const of = next(results)
    if (of === undefined) return results
    const call = { id: `c${of}`, name: "double", arguments: { of } }
    messages.push({ role: "assistant", content: "", calls: [call] })
    messages.push({ role: "tool", id: call.id, content: await double(call.arguments) })
  }
}

const plugin = definePlugin({
  id: "bench",
  summary: "Stubs.",
  components: {
    providers: [
      {
        id: "stub",
        summary: "Calls a tool.",
        generate: ({ messages }) =>
          Effect.sync(() => {
            const of = next(messages.filter(({ role }) => role === "tool").length)
            return {
              text: of === undefined ? "done" : "",
              reasoning: "",
              toolCalls:
                of === undefined ? [] : [{ id: `c${of}`, name: "double", arguments: { of } }],
              finish: of === undefined ? "stop" : "tool_calls",
              usage: { input: 1, output: 1 },
            }
          }),
      },
    ],
    tools: [
      {
        id: "bench",
        summary: "Tools.",
        list: Effect.succeed({
          tools: [
            {
              name: "double",
              summary: "Doubles.",
              capabilities: [],
              inputs: {},
              outputs: [],
              effect: "none",
              params,
            },
          ],
        }),
        call: ({ params: given }) =>
          Effect.map(
            Effect.promise(() => double(/** @type {any} */ (given))),
            (value) => ({ value }),
          ),
      },
    ],
  },
})
const workflow = await loadWorkflow("agent.yaml", {
  extraPlugins: [stages, plugin],
  texts: new Map([
    [
      "agent.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: agent
stages: [{ id: work, uses: agent, model: stub/any, with: { task: Work., tools: [double], max_turns: 100 } }]
outputs: { calls: { type: integer, value: "\${{ size(stages.work.output.calls) }}" } }
`,
    ],
  ]),
})
const planloom = async () => {
  const { outputs } = await workflow.run({})
  return outputs["calls"]
}

const zero = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
const spent = { inputTokens: zero, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const mock = () =>
  new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const of = next(prompt.filter(({ role }) => role === "tool").length)
      return {
        content:
          of === undefined
            ? [{ type: "text", text: "done" }]
            : [
                {
                  type: "tool-call",
                  toolCallId: `c${of}`,
                  toolName: "double",
                  input: JSON.stringify({ of }),
                },
              ],
        finishReason: { unified: of === undefined ? "stop" : "tool-calls", raw: undefined },
        usage: spent,
        warnings: [],
      }
    },
  })
const aiTools = {
  double: aiTool({
    description: "Doubles.",
    inputSchema: jsonSchema(/** @type {any} */ (params), {
      validate: (value) => ({ success: true, value }),
    }),
    execute: double,
  }),
}
const aiSdk = async () => {
  const { steps } = await generateText({
    model: mock(),
    prompt: "Work.",
    tools: aiTools,
    stopWhen: stepCountIs(100),
  })
  return steps.flatMap(({ toolResults }) => toolResults).length
}

const ai = genkit({})
const genkitModel = ai.defineModel(
  { name: "stub", apiVersion: "v2", supports: { tools: true, multiturn: true } },
  async ({ messages }) => {
    const of = next(messages.filter(({ role }) => role === "tool").length)
    return {
      message: {
        role: "model",
        content:
          of === undefined
            ? [{ text: "done" }]
            : [{ toolRequest: { name: "double", ref: `c${of}`, input: { of } } }],
      },
      finishReason: "stop",
    }
  },
)
const genkitTool = ai.defineTool(
  { name: "double", description: "Doubles.", inputSchema: z.object({ of: z.number() }) },
  double,
)
const genkitLoop = async () => {
  const { messages } = await ai.generate({
    model: genkitModel,
    prompt: "Work.",
    tools: [genkitTool],
    maxTurns: 100,
  })
  return messages.filter(({ role }) => role === "tool").length
}

const agent = new Agent({
  id: "bench",
  name: "bench",
  instructions: "Work.",
  model: mock(),
  tools: {
    double: createTool({
      id: "double",
      description: "Doubles.",
      inputSchema: z.object({ of: z.number() }),
      execute: double,
    }),
  },
})
const mastra = async () => {
  const { toolResults } = await agent.generate("Work.", { maxSteps: 100 })
  return toolResults.length
}

const contenders = {
  "by hand": byHand,
  planloom,
  "AI SDK": aiSdk,
  Genkit: genkitLoop,
  Mastra: mastra,
}

/** CPU µs of one loop, over enough loops to be measured. */
const cpu = async (/** @type {() => Promise<unknown>} */ work) => {
  const began = process.cpuUsage()
  for (let calls = 1; ; calls++) {
    await work()
    const { system, user } = process.cpuUsage(began)
    if (user + system >= 30_000) return (user + system) / calls
  }
}

const before = loadavg()[0]
/** @type {Record<string, Record<number, number>>} */
const least = {}
for (const [name, work] of Object.entries(contenders)) {
  turns = 3
  const made = await work()
  if (made !== 3) throw new Error(`${name} made ${made} calls`)
}
for (let round = 0; round < rounds; round++) {
  for (const [name, work] of Object.entries(contenders)) {
    const row = (least[name] ??= {})
    for (turns of [SHORT, MIDDLE, LONG])
      row[turns] = Math.min(row[turns] ?? Infinity, await cpu(work))
  }
}
console.table(
  Object.fromEntries(
    Object.entries(least).map(([name, row]) => {
      const early = (row[MIDDLE] - row[SHORT]) / (MIDDLE - SHORT)
      const late = (row[LONG] - row[MIDDLE]) / (LONG - MIDDLE)
      // Two messages a turn; the middles of both spans are as far apart as these messages.
      const messages = LONG - SHORT
      return [
        name,
        {
          "µs, 1 turn": Math.round(row[SHORT]),
          "µs a turn, of 32": Number(early.toFixed(1)),
          "µs a turn, 33 to 64": Number(late.toFixed(1)),
          "µs per old message": Number(((late - early) / messages).toFixed(3)),
        },
      ]
    }),
  ),
)
console.log(`load before ${before?.toFixed(1)}, after ${loadavg()[0]?.toFixed(1)}`)
await workflow.close()
process.exit(0)
