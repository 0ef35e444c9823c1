/** A plugin with one stage kind, `greet`. */
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

const greet = stageKind<{ readonly name: string }>({
  id: "greet",
  summary: "Greets somebody by name.",
  input: {
    type: "object",
    properties: { name: { type: "string", minLength: 1 } },
    required: ["name"],
    additionalProperties: false,
  },
  output: { type: "string" },
  asks: () => ({}),
  run: ({ name }) => Effect.succeed(`Hello ${name}!`),
})

export default definePlugin({
  id: "greetings",
  summary: "Greets people.",
  components: { stages: [greet] },
})
