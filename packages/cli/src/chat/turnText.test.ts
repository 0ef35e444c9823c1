/** What is said of a turn beside its outputs. */
import { describe, expect, it } from "vitest"
import type { RunResult } from "@planloom/core"
import { stderr } from "../terminal/Screen.ts"
import { withoutModelText } from "./turnText.ts"

const turn = (...reasons: ReadonlyArray<string>) =>
  ({
    degraded: reasons.map((reason, at) => ({ path: `stage${at}`, reason })),
  }) as unknown as RunResult

describe("the note that a chat runs without a model", () => {
  const text = (result: RunResult, told: Set<string>) =>
    withoutModelText(result, told, stderr.style, 80)

  it("is printed once per reason, even for several stages of a turn", () => {
    const told = new Set<string>()
    expect(text(turn("nobody listens", "nobody listens"), told)).toContain(
      "working without a model: nobody listens",
    )
    expect(text(turn("nobody listens"), told)).toBeUndefined()
  })

  it("is printed again for another reason, and not if a model answers", () => {
    const told = new Set(["nobody listens"])
    expect(text(turn("nobody listens", "the key is refused"), told)).toContain("the key is refused")
    expect(text(turn(), told)).toBeUndefined()
  })
})
