/** `planloom chat` at a terminal while a reply is reviewed: the user types, and a correction is shown above the prompt. */
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { noTerminal, planloom, steppedInTerminal, trusting } from "./planloom.ts"

const plugin = `
import { existsSync, watch } from "node:fs"
import { definePlugin, stageKind, subagent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
const finish = { type: "finish", reason: "stop", usage: { input: 3, output: 5 } }
const provider = {
  id: "echo",
  summary: "Replies with the request.",
  stream: ({ messages }) => Stream.make({ type: "text", text: messages.at(-1).content }, finish),
}
const reply = stageKind({
  id: "reply",
  summary: "Replies.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: ({ text }, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: text }], parts: "reply" }), ({ text }) => ({ text })),
})
const decided = Effect.callback((resume) => {
  const look = () => {
    if (!existsSync("decided")) return
    watcher.close()
    resume(Effect.void)
  }
  const watcher = watch(".", look)
  look()
})
const late = subagent({
  id: "late",
  summary: "Reviews once there is a file.",
  class: "compliance",
  at: "whole",
  can: ["pass", "block"],
  review: ({ text }) =>
    Effect.as(decided, {
      verdict: text.includes("guaranteed") ? "block" : "pass",
      confidence: 1,
      reason: "a promise",
    }),
})
export default definePlugin({
  id: "late",
  summary: "Late.",
  components: { providers: [provider], stages: [reply], subagents: [late] },
})
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: ["@planloom/shadow", ./late.ts] }
inputs: { message: { type: string } }
session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.say.output.text }}" }
shadow: { async: [late] }
texts: { escalate: { en: A person calls you. } }
stages: [{ id: say, uses: reply, model: echo/any, with: { text: "\${{ inputs.message }}" } }]
outputs: { said: { type: string, stream: true, value: "\${{ stages.say.output.text }}" } }
`

let cwd: string

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-chat-")))
  await symlink(
    join(import.meta.dirname, "../../../../examples/plugin/node_modules"),
    join(cwd, "node_modules"),
  )
  await writeFile(join(cwd, "late.ts"), plugin)
  await writeFile(join(cwd, "talk.yaml"), workflow)
  await trusting(cwd)
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

describe.skipIf(noTerminal !== undefined)("a chat at a terminal while a reply is reviewed", () => {
  it("reads the next message, keeps what is typed below the correction, and sends it after the review", async () => {
    const shown = await steppedInTerminal(
      ["chat", "talk.yaml", "--session", "s"],
      [
        { at: /› /, answer: "It is guaranteed.\r" },
        { at: /It is guaranteed\.[^]*It is guaranteed\.[^]*› /, answer: "And n" },
        { at: /And n/, answer: () => writeFile(join(cwd, "decided"), "") },
        { at: /A person calls you\.[^]*› And n/, answer: "ow?\r" },
        { at: /And now\?[^]*› /, answer: "/quit\r" },
      ],
      { cwd, env: { NO_COLOR: "1" } },
    )
    // The reply and the empty row below it give way to the correction.
    expect(shown).toContain("\u001b[2A\r\u001b[J  said is retracted")
    const { stdout } = await planloom(["sessions", "show", "s", "--json"], { cwd })
    expect(JSON.parse(stdout).turns).toEqual([
      { user: "It is guaranteed.", assistant: "A person calls you." },
      { user: "And now?", assistant: "And now?" },
    ])
  })
})
