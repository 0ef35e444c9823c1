/**
 * Gates of `shadow` on a stream, beside a plain async generator: `node bench/gate.ts [rounds]`. A stub writes 400 words, each
 * without delay; reviewers end at once. Wall µs to the first text and CPU µs of a whole reply, least of interleaved rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, subagent, type ModelPart } from "@planloom/plugin/effect"
import { provider } from "@planloom/plugin"
import { loadWorkflow } from "@planloom/embed"
import shadow from "@planloom/shadow"
import validators from "@planloom/validators"

const rounds = Number(process.argv[2] ?? 30)
const WORDS = 400
const finish: ModelPart = { type: "finish", reason: "stop", usage: { input: 1, output: 1 } }

async function* written(): AsyncGenerator<ModelPart> {
  for (let index = 0; index < WORDS; index++) {
    yield { type: "text", text: index % 9 === 8 ? "today. " : "word " }
  }
  yield finish
}

const passing = (id: string, at: "window" | "whole") =>
  subagent({
    id,
    summary: "Passes.",
    class: "safety",
    can: ["pass", "block"],
    at,
    longest: 40,
    scope: "last",
    review: () => Effect.succeed({ verdict: "pass", confidence: 1, reason: "fine" }),
  })

const plugin = definePlugin({
  id: "bench",
  summary: "A stub.",
  components: {
    providers: [provider({ id: "stub", summary: "Writes words.", stream: written })],
    subagents: [passing("reader", "window"), passing("judge", "whole")],
    stages: [
      stageKind<object>({
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
      }),
    ],
  },
})

const folder = mkdtempSync(join(tmpdir(), "gate-"))
const workflowOf = (name: string, gate: string) => {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: ${name}
${gate === "" ? "" : `shadow: { gate: [${gate}] }`}
stages: [{ id: reply, uses: reply, model: stub/any }]
outputs: { text: { type: string, value: "\${{ stages.reply.output.text }}", stream: true } }
`,
  )
  return loadWorkflow(path, { extraPlugins: [shadow, validators, plugin] })
}

type Reader = (first: () => void) => Promise<void>

const streaming = async (name: string, gate: string): Promise<Reader> => {
  const workflow = await workflowOf(name, gate)
  return async (first) => {
    await workflow.run(
      {},
      {
        onPart: (part) => {
          if (part.type === "text") first()
        },
      },
    )
  }
}

const modes: ReadonlyArray<readonly [name: string, read: Reader]> = [
  [
    "async generator",
    async (first) => {
      for await (const part of written()) if (part.type === "text") first()
    },
  ],
  ["no gate", await streaming("none", "")],
  ["validator `pii`", await streaming("validator", "pii")],
  ["subagent of parts", await streaming("window", "reader")],
  ["subagent of the whole", await streaming("whole", "judge")],
]

const least = modes.map(() => ({ first: Infinity, cpu: Infinity }))
for (let round = 0; round < rounds; round++) {
  for (const [index, [, read]] of modes.entries()) {
    let firstAt = 0
    const cpu = process.cpuUsage()
    const start = performance.now()
    await read(() => {
      firstAt ||= performance.now()
    })
    const { system, user } = process.cpuUsage(cpu)
    const best = least[index]!
    best.first = Math.min(best.first, (firstAt - start) * 1000)
    best.cpu = Math.min(best.cpu, user + system)
  }
}
rmSync(folder, { recursive: true })
for (const [index, [name]] of modes.entries()) {
  const { cpu, first } = least[index]!
  console.log(`${name.padEnd(24)} first text ${first.toFixed(0)} µs, reply ${cpu} µs CPU`)
}
