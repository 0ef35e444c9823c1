/** Arguments of tool calls: read where they have one meaning, else given back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JsonObject, ToolCall } from "@planloom/plugin/effect"
import { areRead, readCalls } from "./readCalls.ts"

const call = (more: object): ToolCall =>
  ({ id: "a", name: "keep", arguments: {}, ...more }) as ToolCall

const read = (more: object) => Effect.map(readCalls([call(more)]), ([one]) => one!)

describe("readCalls", () => {
  it("has nothing to read where every call has an object as it was sent", () => {
    assert.isTrue(areRead([call({ arguments: { a: 1 } }), call({})]))
    assert.isFalse(areRead([call({}), call({ arguments: [] as never })]))
    assert.isFalse(areRead([call({ written: "{}" })]))
  })

  it.effect.each<readonly [string, JsonObject]>([
    ['{"a":1,}', { a: 1 }],
    ["{'a':True,'b':None}", { a: true, b: null }],
    ["{a: 1}", { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['"{\\"a\\":1,}"', { a: 1 }],
    ['{"a":"one\ntwo"}', { a: "one\ntwo" }],
    ['{"a":1 /* of three */}', { a: 1 }],
  ])("reads %s", ([written, given]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ written }), call({ arguments: given, written }))
    }),
  )

  it.effect.each([
    "null",
    "[]",
    "7",
    "flint",
    '"flint"',
    '[{"a":1}]',
    '{"a":1}}',
    '{"a":1} {"b":2}',
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '"{\\"a\\":1,\\"a\\":2}"',
    '{"a":1',
    '{"a":"b',
    "{",
    '{"a":NaN}',
    '{"a":}',
    '{"a":01}',
    '{"a":"\\d"}',
    'keep({"a":1})',
    '{"a":"b" "c":1}',
  ])("leaves out %s", (written) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ written }), call({ written, unread: written }))
    }),
  )

  it.effect("does not trust the type of the arguments of a provider", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read({ arguments: '{"a":1}' })).arguments, { a: 1 })
      assert.strictEqual((yield* read({ arguments: [1] })).unread, "[1]")
      assert.strictEqual((yield* read({ arguments: undefined })).unread, "")
    }),
  )

  it.effect("shows the beginning of long arguments only", () =>
    Effect.gen(function* () {
      const written = "x".repeat(300_000)
      assert.strictEqual((yield* read({ written })).unread, `${"x".repeat(200)}…`)
    }),
  )
})
