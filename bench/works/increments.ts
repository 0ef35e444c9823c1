/** Ten stages that each add one, as async functions. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { step } from "./Work.ts"

export const integer = {
  type: "object",
  properties: { value: { type: "integer" } },
  required: ["value"],
  additionalProperties: false,
} as const

export const increments = definePlugin({
  id: "bench",
  summary: "Adds one.",
  components: {
    stages: [
      stageKind<{ readonly value: number }>({
        id: "increment",
        summary: "Adds one.",
        input: integer,
        output: { type: "integer" },
        run: ({ value }) => Effect.promise(() => step(value)),
      }),
    ],
  },
})

/** `more` goes to each stage. */
export const tenStages = (more = "") => `inputs: { n: { type: integer } }
policies: { retry: { again: { max_retries: 2, delay: 100ms, backoff: exponential, on: [timeout, unavailable] } } }
stages:
${Array.from(
  { length: 10 },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" }${more} }`,
).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s9.output }}" } }
`
