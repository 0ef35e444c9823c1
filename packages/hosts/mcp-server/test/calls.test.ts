/** Workflows as tools, called by the SDK's own client in both eras of the protocol. */
import type { Client } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import {
  type Connected,
  connect,
  type Era,
  eras,
  removeFolders,
  serving,
  type World,
} from "./world.ts"

const bodies = {
  greet: `description: Greets a person.
inputs: { who: { type: string, minLength: 2 } }
stages:
  - { id: say, uses: set, with: { value: "Hello \${{ inputs.who }}" } }
outputs: { text: { type: string, value: "\${{ stages.say.output }}" } }
`,
  count: `inputs: {}
stages:
  - { id: say, uses: set, with: { value: { low: 1, high: 2 } } }
outputs:
  low: { value: "\${{ stages.say.output.low }}" }
  high: { value: "\${{ stages.say.output.high }}" }
`,
  broken: `stages: [{ id: desk, uses: break }]
outputs: { text: { value: "\${{ stages.desk.output }}" } }
`,
  huge: `inputs: { text: { type: string } }
stages: [{ id: say, uses: set, with: { value: "\${{ inputs.text + inputs.text + inputs.text }}" } }]
outputs: { text: { type: string, value: "\${{ stages.say.output }}" } }
`,
  gated: `stages:
  - { id: first, uses: set, with: { value: 1 } }
  - { id: held, uses: gate, needs: [first] }
outputs: { text: { value: "\${{ stages.held.output }}" } }
`,
}

const worlds: Array<World> = []
const clients: Array<Client> = []

const world = async (...given: Parameters<typeof serving>) => {
  const made = await serving(...given)
  worlds.push(made)
  return made
}

const connected = async (...given: Parameters<typeof connect>): Promise<Connected> => {
  const made = await connect(...given)
  clients.push(made.client)
  return made
}

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  for (const one of worlds.splice(0)) await one.close()
})
afterAll(removeFolders)

const onlyRun = async ({ store }: World) => {
  const [run, ...others] = await Effect.runPromise(store.list())
  expect(others).toEqual([])
  return run!
}

/** Waits until the run has ended or is suspended. */
const settledRun = (one: World) =>
  vi.waitFor(async () => {
    const run = await onlyRun(one)
    expect(["running", "pending"]).not.toContain(run.status)
    return run
  })

describe.each(eras)("a client of %s", (era: Era) => {
  it("lists each workflow as a tool with its schemas, in the same order each time", async () => {
    const { api } = await world(bodies)
    const { client } = await connected(api, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([...Object.keys(bodies), "answer-question"])
    expect(tools[0]).toMatchObject({
      description: "Greets a person.",
      inputSchema: {
        type: "object",
        properties: { who: { type: "string", minLength: 2 } },
        required: ["who"],
      },
      outputSchema: { properties: { outputs: { properties: { text: { type: "string" } } } } },
    })
    expect((await client.listTools()).tools).toEqual(tools)
  })

  it("gets the only text of a run as text, and all outputs as structured content", async () => {
    const { api } = await world(bodies)
    const { client } = await connected(api, era)
    const greeted = await client.callTool({ name: "greet", arguments: { who: "Ada" } })
    expect(greeted.content).toEqual([{ type: "text", text: "Hello Ada" }])
    expect(greeted.structuredContent).toEqual({
      run: expect.any(String),
      status: "succeeded",
      outputs: { text: "Hello Ada" },
    })
    const counted = await client.callTool({ name: "count", arguments: {} })
    expect(counted.content).toEqual([{ type: "text", text: '{"low":1,"high":2}' }])
  })

  it("gets invalid arguments and a run that failed as errors of the tool", async () => {
    const { api, store } = await world(bodies)
    const { client } = await connected(api, era)
    for (const given of [{}, { who: 7 }, { who: "A" }, { who: "Ada", more: 1 }]) {
      const invalid = await client.callTool({ name: "greet", arguments: given })
      expect(invalid).toMatchObject({
        isError: true,
        content: [
          { text: expect.stringMatching(/^(who|more|the arguments) .*\(invalid_input\)$/) },
        ],
      })
    }
    expect(await Effect.runPromise(store.list())).toEqual([])
    const failed = await client.callTool({ name: "broken", arguments: {} })
    expect(failed.isError).toBe(true)
    expect(failed.content).toEqual([
      { type: "text", text: expect.stringMatching(/ended as failed: .*the desk is closed/) },
    ])
  })

  it("gets outputs that are too large as an error that names the run", async () => {
    const { api } = await world(bodies)
    const { client } = await connected(api, era)
    const given = { name: "huge", arguments: { text: "x".repeat(700_000) } }
    expect(await client.callTool(given)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/outputs have 2100011 characters.*runs show/) }],
    })
  })

  it("gets no details of an error of the server", async () => {
    const defects: Array<unknown> = []
    const { client } = await connected(
      () => Promise.reject(new Error("/home/ada/secret")),
      era,
      {},
      undefined,
      (error) => defects.push(error),
    )
    await expect(client.callTool({ name: "greet", arguments: {} })).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining("secret"),
    })
    expect(defects).toMatchObject([{ message: "/home/ada/secret" }])
  })

  it("gets a tool that does not exist as an error of the protocol", async () => {
    const { api } = await world(bodies)
    const { client } = await connected(api, era)
    await expect(client.callTool({ name: "greet2", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("greet2"),
    })
  })

  it("gets the course of a run as progress that increases", async () => {
    const { api, gate } = await world(bodies)
    const { client } = await connected(api, era)
    const seen: Array<{ readonly progress: number; readonly message?: string | undefined }> = []
    gate.open()
    await client.callTool(
      { name: "gated", arguments: {} },
      { onprogress: (progress) => seen.push(progress) },
    )
    expect(seen[0]).toMatchObject({ progress: 1, message: "first started" })
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1))
  })

  it("cancels the run with its call", async () => {
    const one = await world(bodies)
    const { client } = await connected(one.api, era)
    const controller = new AbortController()
    const call = client.callTool({ name: "gated", arguments: {} }, { signal: controller.signal })
    await one.gate.reached
    controller.abort("enough")
    await expect(call).rejects.toThrow(/enough|abort/i)
    expect(await settledRun(one)).toMatchObject({ status: "cancelled" })
  })

  it("that vanishes leaves its run, which ends", async () => {
    const one = await world(bodies)
    const { client, server } = await connected(one.api, era)
    const call = client.callTool({ name: "gated", arguments: {} })
    await one.gate.reached
    await client.close()
    await expect(call).rejects.toThrow(/closed/i)
    await server.ended
    await server.settled()
    one.gate.open()
    expect(await settledRun(one)).toMatchObject({ status: "succeeded" })
  })

  it("is answered when the server stops, and the run continues with the next one", async () => {
    const one = await world(bodies)
    const { client, server, stop } = await connected(one.api, era)
    const call = client.callTool({ name: "gated", arguments: {} })
    await one.gate.reached
    await one.leave()
    stop()
    await server.settled()
    const { run } = await onlyRun(one)
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`The run ${run} is not lost`) }],
    })
    const left = await onlyRun(one)
    expect([left.status, left.active]).toEqual(["running", false])
  })

  it("gets a full backlog as an error that says when to call again", async () => {
    const one = await world(bodies, { maxWaiting: 1 })
    const { client } = await connected(one.api, era)
    const first = client.callTool({ name: "gated", arguments: {} })
    await one.gate.reached
    const second = await client.callTool({ name: "greet", arguments: { who: "Ada" } })
    expect(second).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/try again in 10 s \(backlog_full\)/) }],
    })
    one.gate.open()
    expect(await first).toMatchObject({ structuredContent: { status: "succeeded" } })
  })
})
