/** An agent whose tools are one line of its prompt: what is declared, and how they are read and called. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ModelRequest } from "@planloom/plugin/effect"
import { lastResults, world, type Form } from "./agentWorld.ts"

const lazily = "tools: [{ group: rates, load: lazy }, { name: send, load: lazy }, breaks]"

const call = (name: string, given: { readonly [param: string]: string } | string) =>
  ["call_tool", { name, arguments: given }] as const

const declared = ({ tools = [] }: ModelRequest) => tools.map(({ name }) => name)

const system = (request: ModelRequest) => request.system.map(({ text }) => text).join("\n\n")

const forms: ReadonlyArray<Form> = ["native", "text"]

describe.each(forms)("lazy tools of an agent whose model gives its calls as %s", (form) => {
  it.effect("are called as themselves by call_tool", () =>
    Effect.gen(function* () {
      const script = [
        { calls: [call("rate", { of: "EUR" }), call("history", JSON.stringify({ of: "USD" }))] },
        { text: "It is 1.25." },
      ]
      const agent = world(form, script, lazily)
      const { output } = yield* agent.run()
      assert.deepStrictEqual(agent.called, ["rate EUR", "history USD"])
      assert.include(lastResults(agent.requests[1]!), "1.25")
      assert.deepStrictEqual(output!["calls"], [
        { tool: "rate", params: { of: "EUR" }, ok: true, summary: "EUR" },
        { tool: "history", params: { of: "USD" }, ok: true, summary: "USD" },
      ])
      const shown = agent.events.flatMap((event) =>
        event.type === "ToolCalled" ? [event.tool] : [],
      )
      assert.includeMembers(shown, ["rate", "history"])
      assert.notInclude(shown, "call_tool")
    }),
  )

  it.effect("are read by read_tool_documentation, which is no tool call of the workflow", () =>
    Effect.gen(function* () {
      const script = [
        { calls: [["read_tool_documentation", { name: "rate" }] as const] },
        { calls: [call("rate", { of: "EUR" })] },
        { text: "done" },
      ]
      const files = {
        "tools.yaml":
          "apiVersion: planloom/v1\nkind: Catalog\ntools: [{ name: rate, summary: Rates., when_to_use: For money. }]\n",
        "tools/rate/TOOL.md": "Rates are of yesterday.",
      }
      const head = "use: { files: [tools.yaml] }"
      const agent = world(form, script, `${lazily}, max_calls: 1`, head, files)
      const { output } = yield* agent.run()
      const read = lastResults(agent.requests[1]!)
      for (const part of ["For money.", "Rates are of yesterday.", "additionalProperties"])
        assert.include(read, part)
      assert.strictEqual(output!["stopped"], "answer")
      assert.lengthOf(output!["calls"] as ReadonlyArray<unknown>, 1)
      const notes = agent.events.flatMap((event) =>
        event.type === "Noted" && event.note === "documentation_read" ? [event.data] : [],
      )
      assert.deepStrictEqual(notes, [{ tool: "rate" }])
    }),
  )

  it.effect("reject arguments that do not fit with the parameters", () =>
    Effect.gen(function* () {
      const script = [{ calls: [call("rate", { off: "EUR" })] }, { text: "done" }]
      const agent = world(form, script, lazily)
      yield* agent.run()
      assert.deepStrictEqual(agent.called, [])
      assert.include(lastResults(agent.requests[1]!), '"parameters":{"type":"object"')
    }),
  )

  it.effect("are suggested for a name that no tool has", () =>
    Effect.gen(function* () {
      const script = [
        {
          calls: [
            call("rates", { of: "EUR" }),
            ["read_tool_documentation", { name: "histori" }] as const,
            call("weather", {}),
            ["call_tool", { name: "rate", arguments: "EUR" }] as const,
          ],
        },
        { text: "done" },
      ]
      const agent = world(form, script, lazily)
      yield* agent.run()
      assert.deepStrictEqual(agent.called, [])
      const read = lastResults(agent.requests[1]!)
      const others = "there are: breaks, and those under Tools"
      assert.include(read, `there is no tool "rates"; ${others}; did you mean "rate"?`)
      assert.include(read, `there is no tool "histori"; ${others}; did you mean "history"?`)
      assert.include(read, `there is no tool "weather"; ${others}"`)
      assert.include(read, "give `call_tool` the `name` of a tool and its `arguments`")
    }),
  )

  it.effect("that write wait for an approval", () =>
    Effect.gen(function* () {
      const agent = world(
        form,
        [{ calls: [call("send", { of: "mail" })] }, { text: "done" }],
        lazily,
      )
      yield* agent.run()
      assert.deepStrictEqual(agent.called, [])
      const asked = agent.events.find(({ type }) => type === "Asked")
      assert.include(JSON.stringify(asked), "send")
    }),
  )

  it.effect("that hand over are declared, and may be called either way", () =>
    Effect.gen(function* () {
      const given =
        "tools: [{ group: rates, load: lazy }, { name: to_support, ends: true, load: lazy }]"
      const agent = world(form, [{ calls: [call("to_support", { of: "me" })] }], given)
      const { output } = yield* agent.run()
      assert.deepStrictEqual(output!["handover"], { tool: "to_support", params: { of: "me" } })
      assert.include(JSON.stringify(agent.requests[0]), "Does to_support.")
    }),
  )
})

it.effect("an agent declares the same tools and reads the same index at each turn", () =>
  Effect.gen(function* () {
    const script = [
      { calls: [["read_tool_documentation", { name: "rate" }] as const] },
      { calls: [call("rate", { of: "EUR" })] },
      { text: "done" },
    ]
    const agent = world("native", script, lazily)
    yield* agent.run()
    const [first, ...later] = agent.requests
    assert.deepStrictEqual(declared(first!), ["breaks", "read_tool_documentation", "call_tool"])
    assert.include(
      system(first!),
      "Tools:\n- history(of): Does history.\n- rate(of): Does rate.\n- send(of): Does send.",
    )
    assert.lengthOf(later, 2)
    for (const request of later) {
      assert.deepStrictEqual(request.system, first!.system)
      request.tools!.forEach((tool, at) => assert.strictEqual(tool, first!.tools![at]))
    }
  }),
)

describe("an agent in a lazy mode", () => {
  const head = (tools: string) =>
    `prompts: { rates: rates.md }\nmodes: { terse: { sections: [task], tools: ${tools} } }`
  const inMode = (tools: string, given: string) => {
    const stage = `tools: ${given} }\n    prompt: { use: rates, mode: terse`
    const script = [{ calls: [call("rate", { of: "EUR" })] }, { text: "It is 1.25." }]
    return world("native", script, stage, head(tools), { "rates.md": "You know rates." })
  }
  const all =
    "[rate, history, send, { name: breaks, load: full }, { name: to_support, ends: true }]"

  it.effect("declares hot tools, tools that the stage wants in full and those that hand over", () =>
    Effect.gen(function* () {
      const agent = inMode("{ load: lazy, hot: [send] }", all)
      yield* agent.run()
      const [first, second] = agent.requests
      assert.deepStrictEqual(declared(first!), [
        "send",
        "breaks",
        "to_support",
        "read_tool_documentation",
        "call_tool",
      ])
      assert.include(system(first!), "Tools:\n- history(of): Does history.\n- rate(of): Does rate.")
      assert.deepStrictEqual(agent.called, ["rate EUR"])
      assert.deepStrictEqual(second!.system, first!.system)
    }),
  )

  it.effect("declares its tools up to a limit of tokens, and beyond it only hot ones", () =>
    Effect.gen(function* () {
      const under = inMode("{ load: full, max_tokens: 100000 }", all)
      yield* under.run()
      const names = ["rate", "history", "send", "breaks", "to_support"]
      assert.deepStrictEqual(declared(under.requests[0]!), names)
      const over = inMode("{ load: full, max_tokens: 40, hot: [send] }", all)
      yield* over.run()
      assert.deepStrictEqual(declared(over.requests[0]!), [
        "send",
        "breaks",
        "to_support",
        "read_tool_documentation",
        "call_tool",
      ])
      assert.deepStrictEqual(over.called, ["rate EUR"])
    }),
  )

  it.effect("offers only the tools of the mode, hot ones by their group", () =>
    Effect.gen(function* () {
      const agent = inMode("{ offer: [rates, send], load: lazy, hot: [rates] }", all)
      yield* agent.run()
      const [first] = agent.requests
      assert.deepStrictEqual(declared(first!), [
        "rate",
        "history",
        "read_tool_documentation",
        "call_tool",
      ])
      assert.include(system(first!), "Tools:\n- send(of): Does send.")
    }),
  )

  it.effect("has neither an index nor call_tool if all its tools are hot", () =>
    Effect.gen(function* () {
      const agent = inMode("{ load: lazy, hot: [rates] }", "[rate, history]")
      yield* agent.run()
      assert.deepStrictEqual(declared(agent.requests[0]!), ["rate", "history"])
      assert.notInclude(system(agent.requests[0]!), "Tools:")
      assert.deepStrictEqual(agent.called, [])
    }),
  )

  it.effect("declares all tools if the mode loads them in full", () =>
    Effect.gen(function* () {
      const agent = inMode("{ offer: task, load: full }", all)
      yield* agent.run()
      assert.deepStrictEqual(declared(agent.requests[0]!), ["rate", "history", "send", "breaks"])
    }),
  )
})
