/** Replies that are long: JSON is read whatever its length, and only what is short enough is repaired. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readReply } from "./readReply.ts"

const schema = { type: "array", items: { type: "integer" } } as const

const read = (text: string) =>
  readReply(
    {
      text,
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
      model: "a/b",
    },
    schema,
  )

/** More than 1 MiB. */
const numbers = `[${"1,".repeat(600_000)}1]`

describe("a long reply", () => {
  it.effect("that is JSON is accepted", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* read(numbers), { ok: true, rung: "direct" })
    }),
  )

  it.effect("that is not JSON is neither repaired nor sent back", () =>
    Effect.gen(function* () {
      const given = yield* read(`Here it is: ${numbers}`)
      assert.deepInclude(given, { ok: false, hopeless: true })
      assert.match(given.ok ? "" : given.issues[0]!.message, /has 1200015 characters/)
    }),
  )

  it.effect("that is not JSON is repaired where it is short enough", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* read("Here it is: [1,2,]"), { ok: true, rung: "salvaged" })
    }),
  )
})
