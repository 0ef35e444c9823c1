import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeContext, runKind } from "../../../stage-kit/test/context.ts"
import { approve } from "./approve.ts"

describe("approve", () => {
  it.effect("returns approved, comment and by", () =>
    Effect.gen(function* () {
      const recorded = makeContext({ answer: { approved: true } })
      const input = { message: "Send it?", show: { to: "all" }, expires: "48h", default: false }
      const output = yield* runKind(approve, "run", input, recorded)
      assert.deepStrictEqual(output, { approved: true, comment: "", by: "ann" })
      const [question] = recorded.questions
      assert.deepInclude(question, {
        kind: "approval",
        message: "Send it?",
        show: { to: "all" },
        expires: "48h",
        default: { approved: false },
      })
    }),
  )

  it.effect("returns the answer itself when a schema is given", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        required: ["price"],
        properties: { price: { type: "number" } },
      }
      const recorded = makeContext({ answer: { price: 7 } })
      const output = yield* runKind(approve, "run", { message: "How much?", schema }, recorded)
      assert.deepStrictEqual(output, { price: 7 })
      assert.deepStrictEqual(recorded.questions[0]?.schema, schema)
    }),
  )
})
