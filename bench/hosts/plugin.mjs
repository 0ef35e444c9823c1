/** Adds one. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"

export default definePlugin({
  id: "noop",
  summary: "Adds one.",
  components: {
    stages: [
      stageKind({
        id: "increment",
        summary: "Adds one.",
        input: {
          type: "object",
          properties: { value: { type: "integer" } },
          required: ["value"],
          additionalProperties: false,
        },
        output: { type: "integer" },
        run: ({ value }) => Effect.succeed(value + 1),
      }),
    ],
  },
})
