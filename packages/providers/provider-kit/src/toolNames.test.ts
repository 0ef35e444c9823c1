/** Names of tools for services: what every service accepts, and no two names alike. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { ModelRequest, ModelReply } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { serviceName, withServiceNames } from "./toolNames.ts"

const accepted = /^[a-z_][\w-]{0,63}$/i

describe("the name of a tool for services", () => {
  it.each([
    ["search", "search"],
    ["read-file_2", "read-file_2"],
    ["github.create_issue", "github__create_issue"],
    ["a.b.c", "a__b__c"],
    ["x".repeat(64), "x".repeat(64)],
  ])("of %s is %s", (name, expected) => {
    assert.strictEqual(serviceName(name), expected)
  })

  it("ends with a hash if it would be too long or could be another's", () => {
    for (const name of [
      "a__b",
      "a_.b",
      "a..b",
      ".a",
      "a.",
      "größe",
      "1a",
      "",
      `b.${"x".repeat(64)}`,
    ]) {
      assert.match(serviceName(name), /__[0-9a-f]{16}$/, name)
    }
  })

  it("is accepted by every service, and no two names have the same", () => {
    // Of few characters, so that names are near each other.
    const near = fc.array(
      fc.constantFrom("a", "b", "_", "__", ".", "-", "1", "ö", "0123456789abcdef"),
      {
        maxLength: 6,
      },
    )
    const name = fc.oneof(
      near.map((parts) => parts.join("")),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      // What is the name of another one.
      near.map((parts) => serviceName(parts.join(""))),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 40 }), (names) => {
        const given = names.map(serviceName)
        for (const one of given) assert.match(one, accepted)
        assert.strictEqual(new Set(given).size, names.length, JSON.stringify([names, given]))
      }),
      { numRuns: cases(200) },
    )
  })
})

describe("a provider with such names", () => {
  const usage = { input: 1, output: 1 }
  const asked: Array<ModelRequest> = []
  const provider = withServiceNames({
    generate: (request: ModelRequest) =>
      Effect.sync((): Omit<ModelReply, "model"> => {
        asked.push(request)
        const toolCalls = (request.tools ?? []).map(({ name }, at) => ({
          id: `${at}`,
          name,
          arguments: {},
        }))
        return { text: "", reasoning: "", toolCalls, finish: "tool_calls", usage }
      }),
  })
  const tools = (...names: ReadonlyArray<string>) =>
    names.map((name) => ({ name, description: "", parameters: true }))
  const request = (more: Partial<ModelRequest>): ModelRequest => ({
    model: "m",
    system: [],
    messages: [],
    ...more,
  })

  it.effect("asks with the same objects where every name is accepted", () =>
    Effect.gen(function* () {
      const given = request({ tools: tools("a", "b"), messages: [{ role: "user", content: "hi" }] })
      yield* provider.generate(given)
      assert.strictEqual(asked.at(-1), given)
    }),
  )

  it.effect(
    "gives calls under the names of the request, and asks with the same declarations each time",
    () =>
      Effect.gen(function* () {
        const given = tools("a.b", "c")
        const reply = yield* provider.generate(request({ tools: given }))
        assert.deepStrictEqual(
          reply.toolCalls.map(({ name }) => name),
          ["a.b", "c"],
        )
        const first = asked.at(-1)!.tools!
        yield* provider.generate(request({ tools: [...given] }))
        const second = asked.at(-1)!.tools!
        assert.deepStrictEqual(
          first.map(({ name }) => name),
          ["a__b", "c"],
        )
        for (const at of [0, 1]) assert.strictEqual(first[at], second[at])
      }),
  )

  it.effect(
    "renames calls and results of earlier turns, also of tools that are offered no more",
    () =>
      Effect.gen(function* () {
        yield* provider.generate(
          request({
            messages: [
              {
                role: "assistant",
                content: "",
                toolCalls: [{ id: "1", name: "a.b", arguments: {} }],
              },
              { role: "tool", toolCallId: "1", name: "a.b", content: null },
            ],
          }),
        )
        const [called, result] = asked.at(-1)!.messages
        assert.deepInclude(called, { toolCalls: [{ id: "1", name: "a__b", arguments: {} }] })
        assert.deepInclude(result, { name: "a__b" })
      }),
  )
})
