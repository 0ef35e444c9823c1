/** Every tool of the servers of others is called with arguments that fit its schema, also by HTTP: each call ends with a value or a failure of the tool. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { call, listOf, sourceOf, testFolder } from "./callServer.ts"
import { realServer } from "./realServer.ts"
import { sampleOf } from "./sampleOf.ts"
import { freePort } from "../../../../.config/freePort.ts"

/** Outcomes of all tools but those that would take minutes. */
const outcomes = async (source: ReturnType<typeof sourceOf>) => {
  const { tools } = await listOf(source)
  const ended: Array<readonly [tool: string, outcome: string]> = []
  for (const { name, params } of tools) {
    const { failure } = await call(source, name, sampleOf(params) as JsonObject)
    ended.push([name, failure?.class ?? "value"])
  }
  return ended
}

const allowed = ["value", "tool_error", "invalid_request"]

it.each([
  ["everything", {}, 12],
  ["filesystem", { args: ["."] }, 14],
  ["memory", { env: { MEMORY_FILE_PATH: "memory.jsonl" } }, 9],
  ["sequential-thinking", {}, 1],
] as const)("every tool of the server %s ends", async (name, more, least) => {
  const ended = await outcomes(sourceOf({ s: realServer(name, { cwd: testFolder(), ...more }) }))
  expect(ended.length).toBeGreaterThanOrEqual(least)
  expect(ended.filter(([, outcome]) => !allowed.includes(outcome))).toEqual([])
  expect(ended.filter(([, outcome]) => outcome === "value").length).toBeGreaterThan(0)
})

it("every tool of the server everything ends by HTTP", async () => {
  const port = await freePort()
  const { args, command } = realServer("everything", { args: ["streamableHttp"] })
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  })
  try {
    await once(child.stderr, "data")
    const ended = await outcomes(sourceOf({ s: { url: `http://127.0.0.1:${port}/mcp` } }))
    expect(ended.length).toBeGreaterThanOrEqual(12)
    expect(ended.filter(([, outcome]) => !allowed.includes(outcome))).toEqual([])
  } finally {
    child.kill()
  }
})
