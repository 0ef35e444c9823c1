/** The tool loop of `agent` with the real SDKs of three services, over real HTTP: every fault, and what the services read. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { openStore } from "@planloom/store-sqlite"
import { wireServer, type WireServer } from "../src/double/wire/wireServer.ts"
import {
  agentWorld,
  answerOf,
  forms,
  services,
  type AgentOptions,
  type Form,
  type Said,
  type Service,
} from "./agentWorld.ts"
import { assertAccepted, sentIn } from "./sentConversation.ts"

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

const rounds = (tool: string, count: number): ReadonlyArray<Said> =>
  Array.from({ length: count }, (_, n) => ({ calls: [[tool, { of: `c${n}` }]] }))

const worldOf = async (
  service: Service,
  form: Form,
  script: ReadonlyArray<Said>,
  options: AgentOptions,
) => {
  const server = await wireServer({ answers: script.map((said) => answerOf(form, said)) })
  open.push(server)
  return { server, ...agentWorld(server, service, form, options) }
}

/** Runs an agent to its end; every request must be one that the services accept. */
const endOf = async (
  service: Service,
  form: Form,
  script: ReadonlyArray<Said>,
  options: AgentOptions,
) => {
  const { called, run, server } = await worldOf(service, form, script, options)
  const { failure, output } = await Effect.runPromise(run())
  for (const request of server.requests) assertAccepted(request)
  const read = server.requests.map(({ body }) => JSON.stringify(body).replaceAll("\\", ""))
  return { called, failure, output, read, requests: server.requests }
}

describe.each(services)("an agent of %s", (service) => {
  describe.each(forms)("with calls as %s", (form) => {
    const world = (script: ReadonlyArray<Said>, options: AgentOptions) =>
      worldOf(service, form, script, options)
    const ended = (script: ReadonlyArray<Said>, given: string) =>
      endOf(service, form, script, { given })

    it("declares its tools, returns results beside their calls and ends with the answer", async () => {
      const { called, output, read, requests } = await ended(
        [{ calls: [["rate", { of: "EUR" }]] }, { text: "It is 1.25." }],
        "tools: [rate, send]",
      )
      assert.deepStrictEqual(called, ["rate EUR"])
      assert.strictEqual(output?.["text"], "It is 1.25.")
      const { tools } = sentIn(requests[0]!)
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        form === "native" ? ["rate", "send"] : [],
      )
      if (form === "text") assert.include(read[0], "- rate: Does rate. Params:")
      const { turns } = sentIn(requests[1]!)
      assert.strictEqual(turns.length, 3)
      assert.include(JSON.stringify(turns[1]), "EUR")
      assert.include(JSON.stringify(turns[2]).replaceAll("\\", ""), '{"EUR":1.25}')
    })

    it("reports an unknown tool", async () => {
      const { called, output, read } = await ended(
        [{ calls: [["rates", { of: "EUR" }]] }, { text: "No." }],
        "tools: [rate]",
      )
      assert.deepStrictEqual(called, [])
      assert.match(read[1]!, /there is no tool "rates"; there are: rate/)
      assert.strictEqual(output?.["text"], "No.")
    })

    it("reports wrong arguments and runs the corrected call", async () => {
      const { called, read } = await ended(
        [{ calls: [["rate", { off: 1 }]] }, { calls: [["rate", { of: "EUR" }]] }, { text: "Ok." }],
        "tools: [rate]",
      )
      assert.include(read[1], 'the arguments of "rate" do not fit')
      assert.deepStrictEqual(called, ["rate EUR"])
    })

    it("gives the failure of a tool to the model", async () => {
      const { output, read } = await ended(
        [{ calls: [["breaks", { of: "x" }]] }, { text: "Closed." }],
        "tools: [breaks]",
      )
      assert.include(read[1], "the exchange is closed")
      assert.strictEqual(output?.["text"], "Closed.")
    })

    it("stops an endless loop with what it did", async () => {
      const { called, output, requests } = await ended(
        rounds("rate", 9),
        "tools: [rate], max_turns: 4",
      )
      assert.strictEqual(output?.["stopped"], "max_turns")
      assert.strictEqual(called.length, 3)
      assert.strictEqual(requests.length, 4)
    })

    it("returns the results of parallel calls in one message, in the order of the calls", async () => {
      const calls = ["a", "b", "c"].map((of) => ["rate", { of }] as const)
      const { called, requests } = await ended([{ calls }, { text: "Done." }], "tools: [rate]")
      assert.deepStrictEqual(called, ["rate a", "rate b", "rate c"])
      const { turns } = sentIn(requests[1]!)
      assert.strictEqual(turns.length, 3)
      const results = form === "native" ? turns[2]!.results.map(String).join() : turns[2]!.text
      assert.match(results, /a.*1\.25.*b.*1\.25.*c.*1\.25/s)
    })

    it("stops at its budget of tokens", async () => {
      const script = rounds("rate", 9).map((said) => ({ ...said, usage: { input: 20, output: 5 } }))
      const { output, requests } = await ended(script, "tools: [rate], max_tokens: 50")
      assert.strictEqual(output?.["stopped"], "budget")
      assert.strictEqual(requests.length, 2)
    })

    it("fails with `content_filter` when the model refuses after a call", async () => {
      const { called, failure } = await ended(
        [{ calls: [["rate", { of: "x" }]] }, { text: "I", fault: "refusal" }],
        "tools: [rate]",
      )
      assert.deepStrictEqual(called, ["rate x"])
      assert.strictEqual(failure?.["class"], "content_filter")
    })

    describe.each([
      {
        moment: "model call",
        end: [{ calls: [["rate", { of: "b" }]], fault: "slow" }],
        more: [{ calls: [["rate", { of: "b" }]] }],
        calls: ["rate b"],
      },
      {
        moment: "tool call",
        end: [{ calls: [["slow", { of: "b" }]] }],
        more: [],
        calls: ["slow b"],
      },
    ] satisfies ReadonlyArray<{
      readonly moment: string
      readonly end: ReadonlyArray<Said>
      readonly more: ReadonlyArray<Said>
      readonly calls: ReadonlyArray<string>
    }>)("killed within a $moment", ({ calls, end, moment, more }) => {
      it("resumes from its store and repeats no finished call", async () => {
        const given = "tools: [rate, send, slow], auto_approve: [send]"
        const begin: Said = { calls: [["send", { of: "a" }]], signature: "c2ln" }
        const first = await world([begin, ...end], { given, hangs: true })
        const file = join(mkdtempSync(join(tmpdir(), "planloom-agent-")), "runs.db")
        const scope = Scope.makeUnsafe()
        const store = await Effect.runPromise(Scope.provide(openStore(file), scope))
        const running = Effect.runFork(first.run({ run: "r", store }))
        await first.server.received(2)
        if (moment === "tool call") await vi.waitUntil(() => first.called.length === 2)
        // Nothing is recorded after the store is closed, as when the process is killed.
        await Effect.runPromise(Scope.close(scope, Exit.void))
        await Effect.runPromise(Fiber.interrupt(running))

        const second = await world([...more, { text: "Done." }], { given })
        const { output } = await Effect.runPromise(
          Effect.scoped(
            Effect.flatMap(openStore(file), (again) => second.run({ run: "r", store: again })),
          ),
        )
        assert.strictEqual(output?.["text"], "Done.")
        assert.deepStrictEqual(second.called, calls)
        assert.strictEqual(second.server.requests.length, more.length + 1)
        for (const request of second.server.requests) assertAccepted(request)
        const beginning = first.server.requests[1]!
        assert.deepStrictEqual(
          sentIn(second.server.requests[0]!).turns.slice(0, 3),
          sentIn(beginning).turns,
        )
      })
    })
  })

  it("returns the text of a reply beside its calls", async () => {
    const script = [
      { text: "I look it up.", calls: [["rate", { of: "EUR" }]] },
      { text: "Done." },
    ] as const
    const { requests } = await endOf(service, "native", script, { given: "tools: [rate]" })
    assert.strictEqual(sentIn(requests[1]!).turns[1]!.text, "I look it up.")
  })

  it("runs no call of a reply that was cut off, and reports that to the model", async () => {
    const script = [{ calls: [["send", { of: "x" }]], cut: true }, { text: "Sorry." }] as const
    const { called, output, read } = await endOf(service, "native", script, {
      given: "tools: [send]",
    })
    assert.deepStrictEqual(called, [])
    assert.include(read[1], "was cut off")
    assert.strictEqual(output?.["text"], "Sorry.")
  })

  it.each([
    ["cut off", { text: '{"calls": [{"tool": "send", "params": {"of": "x', cut: true }, "cut"],
    ["without params as an object", { json: { calls: [{ tool: "send", params: "x" }] } }, "params"],
  ])("reports calls in text that are %s and runs none", async (_, first, says) => {
    const { called, run, server } = await worldOf(service, "text", [], { given: "tools: [send]" })
    server.answer(first, { json: { answer: "Sorry." } })
    const { output } = await Effect.runPromise(run())
    assert.deepStrictEqual(called, [])
    assert.strictEqual(output?.["text"], "Sorry.")
    for (const request of server.requests) assertAccepted(request)
    assert.include(sentIn(server.requests[1]!).turns[2]!.text, says)
  })
})

it("an agent of google returns the signatures of calls unchanged", async () => {
  const script = [
    { calls: [["rate", { of: "EUR" }]], signature: "c2lnbmVk" },
    { text: "Done." },
  ] as const
  const { requests } = await endOf("google", "native", script, { given: "tools: [rate]" })
  const { calls } = sentIn(requests[1]!).turns[1]!
  assert.deepStrictEqual(calls, [{ name: "rate", arguments: { of: "EUR" }, signature: "c2lnbmVk" }])
})

describe("an agent of anthropic that thinks", () => {
  const script = [
    { reasoning: "Which rate?", calls: [["rate", { of: "EUR" }]] },
    { text: "Done." },
  ] as const
  const options = { given: "tools: [rate]", settings: ", reasoning: high" }

  it("returns its thoughts with the results of its calls, and continues to think", async () => {
    const { requests } = await endOf("anthropic", "native", script, options)
    const { thoughts } = sentIn(requests[1]!).turns[1]!
    assert.deepStrictEqual(thoughts, [
      { type: "thinking", thinking: "Which rate?", signature: "c2ln" },
    ])
    assert.deepInclude(requests[1]!.body["thinking"], { type: "adaptive" })
  })
})
