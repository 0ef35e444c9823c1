/** A workflow that pays after an approval, with the effective inputs of each of its stages. */
import * as Effect from "effect/Effect"
import { load } from "@planloom/embed"
import { definePlugin, stageKind, type Json, type JsonObject } from "@planloom/plugin/effect"

/** Inputs as a workflow declares them, by name. */
export type Declared = { readonly [name: string]: JsonObject }

const text = (declared: Declared, user: boolean) => `apiVersion: planloom/v1
kind: Workflow
name: payment
use: { plugins: [p] }
${user ? "user: { type: object, required: [id], properties: { id: { type: string } } }" : ""}
inputs: ${JSON.stringify(declared)}
stages:
  - { id: before, uses: see, with: { value: "\${{ inputs }}" } }
  - { id: ok, uses: ask, with: { message: "Pay \${{ string(size(inputs)) }}?" } }
  - { id: pay, uses: see, with: { value: "\${{ inputs }}" } }
outputs: { paid: "\${{ stages.pay.output }}" }
`

/** The loaded workflow, and the inputs that its stages have seen. */
export const payment = Effect.fnUntraced(function* (declared: Declared, user = false) {
  const seen: Array<Json> = []
  const plugin = definePlugin({
    id: "p",
    summary: "Payments.",
    components: {
      stages: [
        stageKind<{ readonly value: Json }>({
          id: "see",
          summary: "Sees the inputs.",
          input: { type: "object", additionalProperties: true },
          output: true,
          run: ({ value }) =>
            Effect.sync(() => {
              seen.push(value)
              return value
            }),
        }),
        stageKind<{ readonly message: string }>({
          id: "ask",
          summary: "Asks.",
          input: { type: "object", additionalProperties: true },
          output: true,
          run: ({ message }, context) =>
            Effect.map(context.ask({ message, schema: { type: "boolean" } }), ({ value }) => value),
        }),
      ],
    },
  })
  const loaded = yield* load("w.yaml", {
    plugins: { p: async () => plugin },
    texts: new Map([["w.yaml", text(declared, user)]]),
  })
  return { loaded, pipeline: loaded.pipeline, seen }
})
