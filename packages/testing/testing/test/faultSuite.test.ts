/** Faults of subagents behind the gate of `shadow`: none passes, wherever the subagent reads and whatever it protects. */
import shadow from "@planloom/shadow"
import { sectionKind, subagent, type Gate, type Subagent } from "@planloom/plugin/effect"
import { definePlugin, type Plugin } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { faultSuite } from "../src/index.ts"

const reviewer = (more: Partial<Subagent> & Pick<Subagent, "id">): Subagent =>
  subagent({
    summary: "Passes everything.",
    class: "quality",
    can: ["pass", "flag", "block"],
    at: "whole",
    scope: "last",
    input: { type: "object", properties: { strict: { type: "boolean" } } },
    review: () => Effect.succeed({ verdict: "pass", confidence: 1, reason: "fine" }),
    ...more,
  })

for (const one of [
  reviewer({ id: "request_check", at: "input", class: "safety" }),
  reviewer({ id: "stream_check", at: "window", longest: 40, class: "compliance" }),
  reviewer({ id: "stream_mask", at: "window", longest: 40, spans: true, can: ["pass", "replace"] }),
  reviewer({ id: "whole_check", class: "safety" }),
  reviewer({ id: "enricher", class: "context", can: ["pass", "enrich"] }),
]) {
  faultSuite({ describe, it }, one, { shadow, with: { strict: true } })
}

describe("the suite of faults", () => {
  it("fails for a gate that takes a fault for a pass", async () => {
    const open: Gate = {
      open: () => (text) =>
        Stream.fromEffect(
          Effect.map(Stream.mkString(text), (whole) => ({
            type: "settled" as const,
            text: whole,
            findings: [],
          })),
        ),
    }
    const passing: Plugin = definePlugin({
      id: "passing",
      summary: "A gate that reviews nothing.",
      components: {
        sections: [
          sectionKind<object>({
            on: "workflow",
            key: "shadow",
            summary: "Reviews nothing.",
            schema: { type: "object" },
            bind: () => ({ gate: open }),
          }),
        ],
      },
    })
    const tests: Array<() => Promise<void>> = []
    const runner = {
      describe: (_: string, body: () => void) => body(),
      it: (_: string, body: () => Promise<void>) => tests.push(body),
    }
    faultSuite(runner, reviewer({ id: "whole_check" }), { shadow: passing })
    const outcomes = await Promise.allSettled(tests.map((test) => test()))
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(tests.length)
    expect(tests).toHaveLength(24)
  })
})
