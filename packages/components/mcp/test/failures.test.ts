/** Servers that cannot list their tools: what is known of it later, and what a run reports. */
import { existsSync, readdirSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it, vi } from "vitest"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import type { RunEvent, ToolList } from "@planloom/plugin/effect"
import { knownTools } from "../src/source.ts"
import { declaring, listOf, newState, server, sourceOf, testFolder } from "./callServer.ts"
import { newProject, options, writeFlow } from "./mcpProject.ts"

const time = String.raw`\(\d{4}-\d\d-\d\d \d\d:\d\d\)`

const knownOf = (servers: Parameters<typeof declaring>[0], state: string): Promise<ToolList> =>
  Effect.runPromise(knownTools(declaring(servers), state))

it("a server that could not be listed has the reason and the time, until it can", async () => {
  const state = newState()
  const { declared } = server("crash_start")
  const bad = { s: declared }
  expect((await knownOf(bad, state)).partial).toBeUndefined()
  await listOf(sourceOf(bad, { state }))
  const { open, partial } = await knownOf(bad, state)
  expect(partial).toMatch(
    new RegExp(`the server "s" is gone: .*DATABASE_URL is not set.* ${time}$`),
  )
  expect(open).toEqual(["s.*"])
})

it("a list that could not be renewed is used, with the reason, and a new one ends that", async () => {
  const state = newState()
  const flag = join(testFolder(), `away-${state.split("-").at(-1)}`)
  // Ends at once while the file exists.
  const program = `if (require("fs").existsSync(${JSON.stringify(flag)})) process.exit(4)
import(${JSON.stringify(join(import.meta.dirname, "server.ts"))})`
  const args = ["--no-warnings", "-e", program, "--", "server.ts", "short_cache"]
  const shortly = { s: { command: process.execPath, args } }
  const listed = async () => {
    const source = sourceOf(shortly, { state })
    await listOf(source)
    await Effect.runPromise(source.close)
  }
  await listed()
  expect((await knownOf(shortly, state)).concerns).toBeUndefined()
  writeFileSync(flag, "")
  await listed()
  const after = await knownOf(shortly, state)
  expect(after.tools.map(({ name }) => name)).toContain("s.add")
  expect(after.concerns).toEqual([
    expect.stringMatching(new RegExp(`the server "s" is gone: .*${time}; its list of .* is used$`)),
  ])
  expect(after.partial).toBeUndefined()
  unlinkSync(flag)
  await listed()
  expect((await knownOf(shortly, state)).concerns).toBeUndefined()
  expect(readdirSync(join(state, "mcp/failures"))).toEqual([])
})

it("an answer without a list of tools is a failure, and does not replace the list of before", async () => {
  const state = newState()
  const flag = join(testFolder(), `renamed-${state.split("-").at(-1)}`)
  const program = `process.argv[2] = require("fs").existsSync(${JSON.stringify(flag)}) ? "no_list" : "short_cache"
import(${JSON.stringify(join(import.meta.dirname, "server.ts"))})`
  const args = ["--no-warnings", "-e", program, "--", "server.ts", "short_cache"]
  const servers = { s: { command: process.execPath, args } }
  const listed = async () => {
    const source = sourceOf(servers, { state })
    await listOf(source)
    await Effect.runPromise(source.close)
  }
  await listed()
  writeFileSync(flag, "")
  await listed()
  const after = await knownOf(servers, state)
  expect(after.tools.map(({ name }) => name)).toContain("s.add")
  expect(after.concerns).toEqual([
    expect.stringMatching(
      new RegExp(
        `the server "s": page 1 of its list has no tools ${time}; its list of .* is used$`,
      ),
    ),
  ])
})

it("a server that may not be started has no failure of its own", async () => {
  const state = newState()
  const source = sourceOf(
    { s: server("good").declared },
    { state, mayStart: async () => "the folder is not trusted" },
  )
  expect((await listOf(source)).partial).toContain("the folder is not trusted")
  expect(existsSync(join(state, "mcp/failures"))).toBe(false)
})

it("a run reports it once, also to its record, and check has the reason afterwards", async () => {
  vi.stubEnv("PLANLOOM_STATE_DIR", newState())
  const servers = { math: server("good").declared, dead: server("crash_start").declared }
  const path = writeFlow(
    newProject(),
    `mcp: ${JSON.stringify(servers)}
stages: [{ id: sum, uses: call, with: { tool: math.add, params: { a: 2, b: 3 } } }]
outputs: { sum: "\${{ stages.sum.output.sum }}" }
`,
  )
  const events: Array<RunEvent> = []
  const { outputs } = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(load(path, options), ({ pipeline }) =>
        run(pipeline, {}, { onEvent: (event) => void events.push(event) }),
      ),
    ),
  )
  expect(outputs).toEqual({ sum: 5 })
  expect(events.filter(({ type }) => type === "ToolListFailed")).toEqual([
    {
      type: "ToolListFailed",
      seq: 1,
      at: expect.any(Number),
      source: "mcp",
      reason: expect.stringMatching(
        /^lists only some of its tools: the server "dead" is gone: .*DATABASE_URL is not set/,
      ),
    },
  ])
  const { diagnostics } = await Effect.runPromise(Effect.scoped(check(path, options)))
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringMatching(new RegExp(`^PL4013 .*the server "dead" is gone: .*${time}`)),
  ])
  vi.unstubAllEnvs()
})
