/** What a service may cache of a prompt that a workflow assembles: read on the wire, with the real SDKs. */
import * as Effect from "effect/Effect"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { wireServer, type WireRequest, type WireServer } from "../src/double/wire/wireServer.ts"
import { agentWorld, answerOf, services, type Said, type Service } from "./agentWorld.ts"

const open: Array<WireServer> = []
beforeEach(() => {
  for (const name of ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"]) {
    vi.stubEnv(name, "not-a-real-key")
  }
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const head = (sections: string) => `user: { type: object, properties: { name: { type: string } } }
prompts: { base: base.md, person: person.md }
modes: { terse: { sections: ${sections}, tools: { load: lazy, hot: [rate] } } }`
const files = { "base.md": "You know rates.", "person.md": "The person is ${{ user.name }}." }
const given = "tools: [rate, breaks, send] }\n    prompt: { use: base, mode: terse"

const INDEX = "Tools:\n- breaks(of): Does breaks.\n- send(of): Does send."

const script: ReadonlyArray<Said> = [
  { calls: [["read_tool_documentation", { name: "breaks" }]] },
  { calls: [["call_tool", { name: "breaks", arguments: { of: "EUR" } }]] },
  { text: "It is closed." },
]

/** The requests of two people's runs, of three turns each. */
const requestsOf = async (service: Service, sections = "[base, person]") => {
  const answers = [...script, ...script].map((said) => answerOf("native", said))
  const server = await wireServer({ answers })
  open.push(server)
  const world = agentWorld(server, service, "native", { given, head: head(sections), files })
  for (const name of ["Ann", "Bo"]) {
    const { output } = await Effect.runPromise(world.run({ user: { name } }))
    assert.strictEqual(output?.["text"], "It is closed.")
  }
  assert.lengthOf(server.requests, 6)
  return server.requests
}

/** The system prompt, cut where the service gets it in parts. */
const systemOf: { readonly [S in Service]: (body: any) => ReadonlyArray<unknown> } = {
  anthropic: (body) => body.system,
  google: (body) => body.systemInstruction.parts.map(({ text }: any) => text),
  openai: (body) => (body.messages ?? body.input)[0].content.split("\n\n"),
}

const toolsOf = ({ body }: WireRequest) => JSON.stringify((body as any).tools)

describe.each(services)("the prompt of an agent with lazy tools, sent to %s", (service) => {
  it("begins with the same tools, sections and index for each person and turn", async () => {
    const requests = await requestsOf(service)
    const [first, ...others] = requests
    for (const request of others) assert.strictEqual(toolsOf(request), toolsOf(first!))
    const systems = requests.map(({ body }) => systemOf[service](body))
    const constant = systems.map((blocks) => JSON.stringify(blocks.slice(0, 2)))
    assert.lengthOf(new Set(constant), 1)
    assert.include(constant[0], JSON.stringify(INDEX).slice(1, -1))
    assert.deepStrictEqual(
      systems.map((blocks) => JSON.stringify(blocks.slice(2)).match(/person is (\w+)/)?.[1]),
      ["Ann", "Ann", "Ann", "Bo", "Bo", "Bo"],
    )
  })
})

describe("a prompt that is sent to Anthropic", () => {
  const mark = { type: "ephemeral" }

  it("has a cache breakpoint after its constant sections and after the index, and none later", async () => {
    const requests = await requestsOf("anthropic")
    for (const [at, { body }] of requests.entries()) {
      assert.deepStrictEqual((body as any).system, [
        { type: "text", text: "You know rates.", cache_control: mark },
        { type: "text", text: INDEX, cache_control: mark },
        { type: "text", text: `The person is ${at < 3 ? "Ann" : "Bo"}.` },
      ])
    }
  })

  it("has a breakpoint after the newest results of a tool loop, and none in earlier messages", async () => {
    const requests = await requestsOf("anthropic")
    const marked = requests.map(({ body }) =>
      (body as any).messages.map(({ content }: any) =>
        content.map(({ cache_control: at, type }: any) => [type, at !== undefined]),
      ),
    )
    const turns = [
      [[["text", false]]],
      [[["text", false]], [["tool_use", false]], [["tool_result", true]]],
      [
        [["text", false]],
        [["tool_use", false]],
        [["tool_result", false]],
        [["tool_use", false]],
        [["tool_result", true]],
      ],
    ]
    assert.deepStrictEqual(marked, [...turns, ...turns])
  })

  it("has its breakpoint after the tools if none of its sections is constant", async () => {
    const server = await wireServer({ answers: [answerOf("native", { text: "Hello." })] })
    open.push(server)
    const full = head("[person]").replace("load: lazy, hot: [rate]", "load: full")
    const world = agentWorld(server, "anthropic", "native", { given, head: full, files })
    await Effect.runPromise(world.run({ user: { name: "Ann" } }))
    const { system, tools } = server.requests[0]!.body as any
    assert.deepStrictEqual(
      tools.map((tool: any) => [tool.name, tool.cache_control]),
      [
        ["rate", undefined],
        ["breaks", undefined],
        ["send", mark],
      ],
    )
    assert.deepStrictEqual(system, [{ type: "text", text: "The person is Ann." }])
  })
})
