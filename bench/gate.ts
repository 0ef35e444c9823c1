/**
 * Gates of `shadow` on a stream, beside a plain async generator: `node bench/gate.ts [rounds] [long]`. A stub writes 400 words,
 * or with `long` 50,000 characters in parts of 1 to 4, each without delay; reviewers end at once. Wall µs to the first text,
 * CPU µs of a whole reply, least of interleaved rounds.
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
const isLong = process.argv[3] === "long"
const WORDS = 400
const CHARACTERS = 50_000
const finish: ModelPart = { type: "finish", reason: "stop", usage: { input: 1, output: 1 } }

/** Of a real reply: some numbers, a link, an address, a word that starts a phrase. */
const REPLY = `Your transfer of 1,500.00 MXN left on 3 March 2026 and arrives within 2 business days. The rate was 17.4532
pesos for each dollar, and our fee of $3.99 is already paid. You can follow it under https://example.com/transfers/8841, or write to
help@example.com. Should the bank ask for a password, we will never do so; we cannot guarantee the hour of arrival.\n\n`

const words = Array.from({ length: WORDS }, (_, index) => (index % 9 === 8 ? "today. " : "word "))
const long = REPLY.repeat(Math.ceil(CHARACTERS / REPLY.length)).slice(0, CHARACTERS)
const texts = isLong ? (long.match(/[^]{1,4}/g) ?? []).flatMap(split) : words

/** Parts of 1 to 4 characters. */
function split(text: string, index: number): ReadonlyArray<string> {
  const at = index % 4
  return at === 0 ? [text] : [text.slice(0, at), text.slice(at)].filter((part) => part !== "")
}

let made = 0
async function* written(): AsyncGenerator<ModelPart> {
  made = 0
  for (const text of texts) {
    made++
    yield { type: "text", text }
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

const generated: Reader = async (first) => {
  for await (const part of written()) if (part.type === "text") first()
}

const gates: ReadonlyArray<readonly [name: string, gate: string]> = isLong
  ? [
      ["no gate", ""],
      ["`pii`", "pii"],
      ["`secrets`", "secrets"],
      ["`urls`", "urls"],
      ["`promises`", "promises"],
      [
        "all four, and `injection`",
        "pii, secrets, urls, { use: promises, with: { action: flag } }, injection",
      ],
    ]
  : [
      ["no gate", ""],
      ["validator `pii`", "pii"],
      ["validators `pii`, `secrets`", "pii, secrets"],
      ["subagent of parts", "reader"],
      ["subagent of the whole", "judge"],
    ]

const modes: Array<readonly [name: string, read: Reader]> = [["async generator", generated]]
for (const [index, [name, gate]] of gates.entries()) {
  modes.push([name, await streaming(`gate_${index}`, gate)])
}

const least = modes.map(() => ({ first: Infinity, cpu: Infinity, part: Infinity }))
for (let round = 0; round < rounds; round++) {
  for (const [index, [, read]] of modes.entries()) {
    let firstAt = 0
    const best = least[index]!
    const cpu = process.cpuUsage()
    const start = performance.now()
    await read(() => {
      if (firstAt !== 0) return
      firstAt = performance.now()
      best.part = Math.min(best.part, made)
    })
    const { system, user } = process.cpuUsage(cpu)
    best.first = Math.min(best.first, (firstAt - start) * 1000)
    best.cpu = Math.min(best.cpu, user + system)
  }
}
rmSync(folder, { recursive: true })
for (const [index, [name]] of modes.entries()) {
  const { cpu, first, part } = least[index]!
  console.log(
    `${name.padEnd(28)} first text ${first.toFixed(0)} µs, at part ${part}, reply ${cpu} µs CPU, ${(cpu / texts.length).toFixed(2)} µs a part`,
  )
}
