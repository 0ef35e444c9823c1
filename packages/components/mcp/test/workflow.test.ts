/** Workflows whose stages call tools of servers, from their files to their events. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import {
  definePlugin,
  type ModelRequest,
  type Plugin,
  type RunEvent,
} from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { runWorkflowTest } from "@planloom/testing"
import plugin from "../src/index.ts"
import { newState, server, testFolder } from "./callServer.ts"
import { realServer } from "./realServer.ts"

let projects = 0
let project = ""

beforeEach(() => {
  project = join(testFolder(), `project-${++projects}`)
  mkdirSync(join(project, "workflows"), { recursive: true })
  vi.stubEnv("PLANLOOM_STATE_DIR", newState())
  write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\n")
})

afterEach(() => void vi.unstubAllEnvs())

const write = (name: string, text: string): string => {
  const path = join(project, name)
  writeFileSync(path, text)
  return path
}

const options = {
  plugins: { "@planloom/stages": async () => stages, "@planloom/mcp": async () => plugin },
}

const workflow = (body: string): string =>
  write(
    "workflows/flow.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages", "@planloom/mcp"]${body.startsWith("files:") ? `, ${body.split("\n")[0]}` : ""} }
${body.startsWith("files:") ? body.slice(body.indexOf("\n") + 1) : body}`,
  )

const diagnosticsOf = async (path: string) =>
  (await Effect.runPromise(Effect.scoped(check(path, options)))).diagnostics.map(
    ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
  )

const runOf = async (
  path: string,
  plugins: { readonly [name: string]: () => Promise<Plugin> } = options.plugins,
) => {
  const events: Array<RunEvent> = []
  const result = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(load(path, { plugins }), ({ pipeline }) =>
        Effect.catchTag(
          run(
            pipeline,
            {},
            {
              onEvent: (event) => void events.push(event),
              workspace: join(project, ".planloom/work"),
            },
          ),
          "RunFailed",
          ({ result: ended }) => Effect.succeed(ended),
        ),
      ),
    ),
  )
  return { ...result, events }
}

const yamlOf = (declared: object): string => JSON.stringify(declared)

describe("a workflow", () => {
  it("calls a tool of a server that a file declares", async () => {
    write(
      "workflows/servers.yaml",
      `apiVersion: planloom/v1\nkind: McpServers\nservers: { math: ${yamlOf(server("good").declared)} }\n`,
    )
    const path = workflow(`files: [servers.yaml]
stages: [{ id: sum, uses: call, with: { tool: math.add, params: { a: 2, b: 3 } } }]
outputs: { sum: { type: number, value: "\${{ stages.sum.output.sum }}" } }
`)
    const { outputs, status } = await runOf(path)
    expect({ outputs, status }).toEqual({ outputs: { sum: 5 }, status: "succeeded" })
    expect(await diagnosticsOf(path)).toEqual([])
  })

  it("calls a tool of a server under its own key mcp, which replaces that of the project", async () => {
    write(
      "planloom.yaml",
      `apiVersion: planloom/v1\nkind: Project\nmcp: { math: { command: nothing-like-it }, other: ${yamlOf(server("good").declared)} }\n`,
    )
    const path = workflow(`mcp: { math: ${yamlOf(server("good").declared)} }
stages:
  - { id: sum, uses: call, with: { tool: math.add, params: { a: 2, b: 3 } } }
  - { id: said, uses: call, with: { tool: other.echo, params: { text: "\${{ string(stages.sum.output.sum) }}" } } }
outputs: { said: { type: string, value: "\${{ stages.said.output.text }}" } }
`)
    const { outputs, status } = await runOf(path)
    expect({ outputs, status }).toEqual({ outputs: { said: "5" }, status: "succeeded" })
  })

  it("ends with the results of the good server when another is dead", async () => {
    const path =
      workflow(`mcp: { math: ${yamlOf(server("good").declared)}, dead: ${yamlOf(server("crash_start").declared)} }
stages:
  - { id: sum, uses: call, with: { tool: math.add, params: { a: 2, b: 3 } } }
  - { id: lost, uses: call, with: { tool: dead.echo, params: { text: x } }, on_error: continue }
outputs: { sum: { type: number, value: "\${{ stages.sum.output.sum }}" } }
`)
    const { events, outputs, status } = await runOf(path)
    expect({ outputs, status }).toEqual({ outputs: { sum: 5 }, status: "succeeded" })
    expect(JSON.stringify(events)).toContain("DATABASE_URL is not set")
  })

  it("stops a call at its timeout, also while the server reports progress", async () => {
    const slow = server("good", { timeout: "1s" })
    const path = workflow(`mcp: { math: ${yamlOf(slow.declared)} }
stages: [{ id: late, uses: call, with: { tool: math.progress, params: { text: forever } } }]
`)
    const { events, status } = await runOf(path)
    expect(status).toBe("failed")
    expect(events.find(({ type }) => type === "ToolCalled")).toMatchObject({
      failure: { class: "timeout" },
    })
    expect(events.some(({ type }) => type === "ToolProgressed")).toBe(true)
    await expect.poll(() => slow.seen().join()).toContain("notifications/cancelled")
  })
})

/** Runs a workflow whose model says one text, and keeps what it was sent. */
const runWithModel = async (text: string, body: string) => {
  const sent: Array<ModelRequest> = []
  const model = definePlugin({
    id: "eye",
    summary: "A model that says one text.",
    components: {
      providers: [
        {
          id: "eye",
          summary: "A model that says one text.",
          generate: (request) =>
            Effect.sync(() => {
              sent.push(request)
              return {
                text,
                reasoning: "",
                usage: { input: 1, output: 1 },
                finish: "stop" as const,
                toolCalls: [],
              }
            }),
        },
      ],
    },
  })
  const path = workflow(`defaults: { model: eye/one }\n${body}`)
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace('"@planloom/mcp"]', '"@planloom/mcp", eye]'),
  )
  const { outputs, status } = await runOf(path, { ...options.plugins, eye: async () => model })
  expect({ outputs, status }).toEqual({ outputs: { said: text }, status: "succeeded" })
  return sent
}

it("a run that offers the tools of servers and calls none starts no server whose list is known", async () => {
  const servers = [server("good"), server("good")] as const
  const ran = () =>
    runWithModel(
      "done",
      `mcp: { a: ${yamlOf(servers[0].declared)}, b: ${yamlOf(servers[1].declared)} }
stages: [{ id: said, uses: agent, with: { task: Say done., tools: [a.*, b.*] } }]
outputs: { said: { type: string, value: "\${{ stages.said.output.text }}" } }
`,
    )
  const starts = () =>
    servers.flatMap(({ seen }) => seen().filter((line) => line.startsWith("start"))).length
  await ran()
  expect(starts()).toBe(2)
  await ran()
  expect(starts()).toBe(2)
})

it("an image of a result is read by the model of a later stage, also if the folder of the run is outside the roots", async () => {
  write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\nroots: [workflows]\n")
  const sent = await runWithModel(
    "a picture",
    `mcp: { e: ${yamlOf(realServer("everything"))} }
stages:
  - { id: shot, uses: call, with: { tool: e.get-tiny-image, params: {} } }
  - { id: said, uses: generate, with: { task: Describe it., attach: ["\${{ stages.shot.output.attachments[0].file }}"] } }
outputs: { said: { type: string, value: "\${{ stages.said.output.text }}" } }
`,
  )
  expect(sent[0]?.messages[0]?.content).toMatchObject([
    { type: "image", mediaType: "image/png", data: expect.stringMatching(/^iVBOR/) },
    { type: "text" },
  ])
})

describe("a test file", () => {
  it("gives the tools of servers, and starts none", async () => {
    const good = server("good")
    workflow(`mcp: { math: ${yamlOf(good.declared)}, away: ${yamlOf(good.declared)} }
stages:
  - { id: sum, uses: call, with: { tool: math.add, params: { a: 2, b: 3 } } }
  - { id: lost, uses: call, with: { tool: away.echo, params: {} }, on_error: continue }
outputs: { sum: { type: number, value: "\${{ stages.sum.output.sum }}" } }
`)
    const add = {
      name: "add",
      inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
      outputSchema: { type: "object", properties: { sum: { type: "number" } } },
    }
    const given = {
      sources: { mcp: { math: { tools: [add] }, away: { fail: "no route" } } },
      tools: { "math.add": { result: { sum: 5 } } },
    }
    const path = write(
      "flow.test.yaml",
      `apiVersion: planloom/v1
kind: WorkflowTest
workflow: workflows/flow.yaml
tests:
  - { name: adds, given: ${yamlOf(given)}, expect: { status: succeeded, assert: ["outputs.sum == 5"] } }
`,
    )
    const { diagnostics, tests } = await Effect.runPromise(runWorkflowTest(path, { load: options }))
    expect(diagnostics).toEqual([])
    expect(tests).toMatchObject([{ ok: true, failures: [] }])
    expect(good.seen()).toEqual([])
  })
})

describe("check", () => {
  it("knows the tools of the last synchronization, and starts no server", async () => {
    const good = server("good")
    const path = workflow(`mcp: { math: ${yamlOf(good.declared)} }
stages: [{ id: sum, uses: call, with: { tool: math.add, params: { a: 2, b: 3 } } }]
outputs: { sum: { type: number, value: "\${{ stages.sum.output.total }}" } }
`)
    expect(await diagnosticsOf(path)).toEqual([expect.stringContaining("PL4047")])
    expect(good.seen()).toEqual([])
    await Effect.runPromise(Effect.ignore(Effect.scoped(load(path, options))))
    const starts = () => good.seen().filter((line) => line.startsWith("start")).length
    expect(starts()).toBe(1)
    expect(await diagnosticsOf(path)).toEqual([expect.stringMatching(/sum.*total/)])
    expect(starts()).toBe(1)
  })

  it.each([
    ["a server without an address", "{ math: { timeout: 1s } }", "neither"],
    ["a server with both", "{ math: { command: x, url: 'https://x' } }", "both"],
    ["an unknown key", "{ math: { command: x, argz: [] } }", "argz"],
    [
      "a secret without encryption",
      "{ math: { url: 'http://example.com/mcp', headers: { a: { secret: B } } } }",
      "MCP004",
    ],
    [
      "headers of a program",
      "{ math: { command: x, headers: { a: b } } }",
      "`headers` has no effect",
    ],
    [
      "two servers with one prefix",
      "{ a: { command: x }, b: { command: y, prefix: a } }",
      "MCP001",
    ],
    ["an address with a password", "{ a: { url: 'https://me:secret@example.com' } }", "MCP003"],
  ])("reports %s", async (_, mcp, says) => {
    const path = workflow(`mcp: ${mcp}\nstages: [{ id: a, uses: set, with: { value: 1 } }]\n`)
    const diagnostics = await diagnosticsOf(path)
    expect(diagnostics.join("\n")).toContain(says)
    expect(diagnostics[0]).toMatch(/^5:/)
  })
})
