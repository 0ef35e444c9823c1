/** Workflows that emit events of their own: their data, their audience and what is removed from them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { RunEvent } from "@planloom/plugin/effect"
import { runInline } from "./inlineWorkflow.ts"

const eventsOf = (body: string, inputs: { readonly [name: string]: string } = {}) =>
  Effect.gen(function* () {
    const events: Array<RunEvent> = []
    const onEvent = (event: RunEvent) => void events.push(event)
    const { outputs } = yield* runInline(body, inputs, { onEvent, secrets: ["hunter22"] })
    return { outputs, noted: events.filter((event) => event.type === "Noted") }
  })

const emit = (given: string) => `inputs: { id: { type: string, default: "7" } }
stages: [{ id: tell_shop, uses: emit, with: { ${given} } }]
outputs: { out: "\${{ stages.tell_shop.output }}" }
`

describe("an emit stage", () => {
  it.effect("emits its data for the user, and returns it", () =>
    Effect.gen(function* () {
      const { noted, outputs } = yield* eventsOf(
        emit(
          'name: order_shipped, data: { id: "${{ inputs.id }}" }, message: "Order ${{ inputs.id }} is on its way."',
        ),
      )
      assert.strictEqual(noted.length, 1)
      assert.deepInclude(noted[0], {
        stage: "tell_shop",
        note: "order_shipped",
        data: { id: "7" },
        audience: "user",
        text: "Order 7 is on its way.",
      })
      assert.deepStrictEqual(outputs, { out: { id: "7" } })
    }),
  )

  it.effect("emits for the operator, with its data as text", () =>
    Effect.gen(function* () {
      const { noted } = yield* eventsOf(
        emit("name: shop/slow, data: { ms: 900 }, audience: operator"),
      )
      assert.deepInclude(noted[0], { audience: "operator", text: 'shop/slow: {"ms":900}' })
    }),
  )

  it.effect("leaves secrets out", () =>
    Effect.gen(function* () {
      const { noted } = yield* eventsOf(emit('name: key_used, data: { key: "${{ inputs.id }}" }'), {
        id: "hunter22",
      })
      assert.notInclude(JSON.stringify(noted), "hunter22")
    }),
  )

  it.effect("fails with class invalid_request for data that does not fit its schema", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(
        eventsOf(emit('name: sized, data: "${{ inputs.id }}", schema: { type: integer }')),
      )
      assert.strictEqual(failed._tag === "RunFailed" && failed.reason.class, "invalid_request")
    }),
  )
})
