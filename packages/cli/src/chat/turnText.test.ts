/** What is said of a turn beside its outputs. */
import { describe, expect, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { stderr } from "../terminal/Screen.ts"
import { actionText, withoutModelText } from "./turnText.ts"

const turn = (...reasons: ReadonlyArray<string>) =>
  ({
    degraded: reasons.map((reason, at) => ({ path: `stage${at}`, reason })),
  }) as unknown as RunResult

describe("the line of an event in a chat", () => {
  const line = (audience: "user" | "operator") =>
    actionText(
      {
        type: "Noted",
        seq: 1,
        at: 0,
        path: "turn",
        stage: "turn",
        note: "in_charge",
        data: {},
        audience,
        text: "Transfers, send: amount",
      },
      stderr.style,
      80,
    )

  it("names the agent in charge to the user, and keeps notes for operators out", () => {
    expect(line("user")).toContain("› Transfers, send: amount")
    expect(line("operator")).toBeUndefined()
  })
})

describe("the line of a turn that is missing", () => {
  it("names the run whose reviews did not end", () => {
    const opened = {
      type: "SessionOpened",
      seq: 1,
      at: 0,
      session: "s",
      version: 1,
      turns: 1,
    } as const
    const line = (event: RunEvent) => actionText(event, stderr.style, 120)
    expect(line(opened)).toBeUndefined()
    expect(line({ ...opened, unreviewed: "r1" })).toContain("its reviews did not end (run r1)")
  })
})

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
