/** Lists of a process that lives for long: read again when they no longer hold, and when a server that was away is back. */
import { existsSync, statSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, it, vi } from "vitest"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin, stageKind, type JsonObject, type ToolList } from "@planloom/plugin/effect"
import type { McpTools } from "../src/source.ts"
import { listOf, newState, server, sourceOf, testFolder } from "./callServer.ts"
import { newProject, options, writeFlow } from "./mcpProject.ts"

const namesOf = ({ tools }: ToolList): ReadonlyArray<string> => tools.map(({ name }) => name)

const changes = (source: McpTools, count: number): Promise<unknown> =>
  Effect.runPromise(Stream.runDrain(Stream.take(source.changes, count)))

it("a list that no longer holds is read again without a call or an announcement", async () => {
  const { declared } = server("growing")
  const source = sourceOf({ s: declared }, { leastRefresh: 5 })
  const first = namesOf(await listOf(source))
  await changes(source, 2)
  const later = namesOf(await Effect.runPromise(source.known))
  expect(first).toContain("s.page_1")
  expect(later).not.toContain("s.page_1")
  expect(later.some((name) => name.startsWith("s.page_"))).toBe(true)
})

it("a server that was away is listed once it is back", async () => {
  const flag = join(testFolder(), "away")
  writeFileSync(flag, "")
  const program = `if (require("fs").existsSync(${JSON.stringify(flag)})) process.exit(4)
import(${JSON.stringify(join(import.meta.dirname, "server.ts"))})`
  const declared = {
    command: process.execPath,
    args: ["--no-warnings", "-e", program, "--", "server.ts", "good"],
    restart: { delay: "1ms", max_delay: "2ms" },
  }
  const source = sourceOf({ s: declared }, { leastRefresh: 20 })
  const { partial, tools } = await listOf(source)
  expect([tools, partial]).toEqual([[], expect.stringContaining("is gone")])
  const back = changes(source, 1)
  unlinkSync(flag)
  await back
  expect(namesOf(await Effect.runPromise(source.known))).toContain("s.add")
  expect(existsSync(flag)).toBe(false)
})

it("a list that another workflow has read is used, and the server is not asked again", async () => {
  const state = newState()
  const { declared, seen } = server("growing_slowly")
  const ours = sourceOf({ s: declared }, { state })
  const others = sourceOf({ s: declared }, { state })
  const serverOf = async (source: McpTools) => (await source.servers()).get("s")!
  await listOf(ours)
  await (await serverOf(others)).synchronized()
  const lists = () => seen().filter((line) => line === "tools/list").length
  expect(lists()).toBe(2)
  const changed = changes(ours, 1)
  await (await serverOf(ours)).refreshed()
  await changed
  expect(namesOf(await Effect.runPromise(ours.known))).toContain("s.page_2")
  expect(lists()).toBe(2)
})

it("a list is read again by the next process after the program of its server was changed", async () => {
  const state = newState()
  const { declared, seen } = server("good")
  const program = join(testFolder(), "changed.ts")
  const text = `import(${JSON.stringify(join(import.meta.dirname, "server.ts"))})`
  writeFileSync(program, text)
  const changed = {
    ...declared,
    args: declared.args.map((arg) => (arg.endsWith("server.ts") ? program : arg)),
  }
  const lists = () => seen().filter((line) => line === "tools/list").length
  await listOf(sourceOf({ s: changed }, { state }))
  await listOf(sourceOf({ s: changed }, { state }))
  expect(lists()).toBe(1)
  const listed = Date.now()
  await vi.waitFor(() => {
    writeFileSync(program, text)
    expect(statSync(program).ctimeMs).toBeGreaterThan(listed)
  })
  await listOf(sourceOf({ s: changed }, { state }))
  expect(lists()).toBe(2)
})

it("a server that may not be started is not asked again and again", async () => {
  let asked = 0
  const source = sourceOf(
    { s: server("growing").declared },
    {
      leastRefresh: 1,
      mayStart: async () => {
        asked++
        return "the folder is not trusted"
      },
    },
  )
  await listOf(source)
  const before = asked
  const end = await Effect.runPromise(
    Effect.timeoutOption(Stream.runDrain(source.changes), "50 millis"),
  )
  expect(end._tag).toBe("None")
  expect(asked - before).toBe(1)
})

it("a tool that a server announces is there for the next stage of a loaded workflow", async () => {
  vi.stubEnv("PLANLOOM_STATE_DIR", newState())
  const path = writeFlow(
    newProject(),
    `mcp: { s: ${JSON.stringify(server("late_tool").declared)} }
inputs: { change: { type: boolean, default: false } }
stages:
  - { id: ask, uses: call, if: inputs.change, with: { tool: s.change, params: { text: now } } }
  - { id: tools, uses: lists }
outputs: { tools: "\${{ stages.tools.output }}" }
`,
  )
  const lists = stageKind<JsonObject>({
    id: "lists",
    summary: "Lists tools.",
    input: { type: "object" },
    output: true,
    run: (_, { tools }) => Effect.succeed(tools.map(({ name }) => name)),
  })
  const kinds = definePlugin({ id: "kinds", summary: "Lists.", components: { stages: [lists] } })
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* load(path, {
          ...options,
          extraPlugins: [kinds],
        })
        const named = Effect.map(run(pipeline, {}), ({ outputs }) => String(outputs["tools"]))
        expect(yield* named).toBe("s.add,s.change")
        yield* run(pipeline, { change: true })
        yield* Effect.promise(() =>
          vi.waitFor(async () => expect(await Effect.runPromise(named)).toContain("s.late")),
        )
      }),
    ),
  )
  vi.unstubAllEnvs()
})
