/** Every fault of each subagent behind the gate of `shadow`. */
import shadow from "@planloom/shadow"
import { faultSuite } from "@planloom/testing"
import { describe, it } from "vitest"
import plugin from "../src/index.ts"

const intents = [
  { name: "send", examples: ["Send money"] },
  { name: "rate", examples: ["What is the rate?"] },
]

for (const subagent of plugin.components!.subagents!) {
  const options = subagent.id === "intent_validator" ? { with: { intents } } : {}
  faultSuite({ describe, it }, subagent, { shadow, ...options })
}
