/** Approvals in the store: an answer counts for the call that it was asked about, also after a reset and in a replay. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { definePlugin, type JsonObject, type ToolSource } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { answer, giveAnswer, resume } from "@planloom/record"
import { replay } from "@planloom/record/replay"
import { resetFrom } from "@planloom/record/reset"
import { newFile, newFolder, storeAt } from "./store.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: test
use: { plugins: ["@planloom/stages"] }
stages: [{ id: work, uses: call, with: { tool: send, params: { of: Q-1 } } }]
outputs: { made: "\${{ stages.work.output }}" }
`

/** A bank whose fee may change, and a suspended run that asks to pay by it. */
const asked = Effect.fnUntraced(function* () {
  const bank = { fee: 1, paid: [] as Array<number>, previews: 0 }
  const source: ToolSource = {
    id: "bank",
    summary: "A bank.",
    list: Effect.succeed({
      tools: [
        {
          name: "send",
          summary: "Sends money.",
          capabilities: [],
          inputs: {},
          outputs: [],
          effect: "write",
          needs_approval: true,
          params: { type: "object", properties: { of: { type: "string" } } },
          approval_fields: { type: "object", properties: { fee: { type: "integer" } } },
        },
      ],
    }),
    preview: () =>
      Effect.sync((): JsonObject => {
        bank.previews++
        return { fee: bank.fee }
      }),
    call: () =>
      Effect.sync(() => {
        bank.paid.push(bank.fee)
        return { value: bank.fee }
      }),
  }
  const path = join(newFolder(), "w.yaml")
  writeFileSync(path, workflow)
  const { pipeline } = yield* load(path, {
    plugins: { "@planloom/stages": async () => (await import("@planloom/stages")).default },
    extraPlugins: [
      definePlugin({ id: "test", summary: "A bank.", components: { tools: [source] } }),
    ],
  })
  const store = storeAt(newFile())
  yield* run(pipeline, {}, { store, run: "r" })
  const open = Effect.map(store.waits({ run: "r" }), (all) => all.map(({ wait }) => wait))
  return { bank, open, pipeline, store }
})

const yes = { value: { approved: true }, by: "ann" }

describe("an approval in the store", () => {
  it.effect("is recorded with its fields, and the answer makes the call that they show", () =>
    Effect.gen(function* () {
      const { bank, open, pipeline, store } = yield* asked()
      const [wait] = yield* open
      assert.deepStrictEqual(wait?.fields, [{ name: "fee", label: "fee", value: 1 }])
      assert.include(wait?.name, wait!.digest!.slice(0, 12))
      const result = yield* answer(pipeline, "r", yes, { store })
      assert.deepStrictEqual(result?.outputs, { made: 1 })
      assert.deepStrictEqual(bank.paid, [1])
    }),
  )

  it.effect("is asked anew if the stored answer is to a call that has changed", () =>
    Effect.gen(function* () {
      const { bank, open, pipeline, store } = yield* asked()
      const [before] = yield* open
      yield* giveAnswer(store, "r", yes)
      bank.fee = 2
      const again = yield* resume(pipeline, "r", { store })
      assert.strictEqual(again.status, "suspended")
      assert.deepStrictEqual(bank.paid, [])
      const [after, ...more] = yield* open
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual(after?.fields, [{ name: "fee", label: "fee", value: 2 }])
      const late = yield* Effect.flip(giveAnswer(store, "r", { ...yes, name: before!.name }))
      assert.strictEqual((late as { readonly reason?: string }).reason, "answered")
      yield* answer(pipeline, "r", yes, { store })
      assert.deepStrictEqual(bank.paid, [2])
    }),
  )

  it.effect("after a reset takes no answer to the question before it", () =>
    Effect.gen(function* () {
      for (const fee of [1, 2]) {
        const { bank, open, pipeline, store } = yield* asked()
        const [before] = yield* open
        bank.fee = fee
        yield* resetFrom(store, pipeline, "r", "work")
        yield* resume(pipeline, "r", { store })
        const [after] = yield* open
        assert.notStrictEqual(after?.name, before?.name)
        const late = yield* Effect.flip(giveAnswer(store, "r", { ...yes, name: before!.name }))
        assert.strictEqual((late as { readonly reason?: string }).reason, "unknown")
        yield* resume(pipeline, "r", { store })
        assert.deepStrictEqual(bank.paid, [])
      }
    }),
  )

  it.effect("is replayed without a preview, also of a run that ended before its call", () =>
    Effect.gen(function* () {
      const { bank, pipeline, store } = yield* asked()
      yield* giveAnswer(store, "r", yes)
      const part = yield* store.read("r")
      yield* resume(pipeline, "r", { store })
      const { paid, previews } = bank
      bank.fee = 5
      const whole = yield* replay(pipeline, yield* store.read("r"))
      assert.deepStrictEqual([whole.same, whole.result.outputs], [true, { made: 1 }])
      const { missing } = yield* replay(pipeline, part)
      assert.isDefined(missing)
      assert.deepStrictEqual([bank.previews, bank.paid], [previews, paid])
    }),
  )
})
