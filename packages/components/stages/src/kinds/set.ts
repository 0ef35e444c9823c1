/** Stage kind `set`: returns a value made by expressions. */
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type { Json } from "@planloom/plugin/effect"

interface Input {
  readonly value: Json
}

export const set = stageKind<Input>({
  id: "set",
  summary: "Returns a value made by expressions.",
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["value"],
    properties: {
      value: { description: "the output: any value, with expressions in its texts" },
    },
  },
  output: (_, known) => known.given("value") ?? true,
  asks: () => ({}),
  foresees: ({ value }) => value,
  run: ({ value }) => Effect.succeed(value),
})
