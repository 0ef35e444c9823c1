/** What is said of a turn beside its outputs. */
import { describe, expect, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { stderr } from "../terminal/Screen.ts"
import { ShownNotes } from "./ShownNotes.ts"
import { actionText, degradedTurnText, noteLines, outputsText } from "./turnText.ts"

const turn = (...reasons: ReadonlyArray<string>) =>
  ({
    degraded: reasons.map((reason, at) => ({ path: `stage${at}`, reason })),
  }) as unknown as RunResult

describe("the line of an event in a chat", () => {
  const line = (audience: "user" | "operator") =>
    noteLines(
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
    ).join("\n")

  it("names the agent in charge to the user, and keeps notes for operators out", () => {
    expect(line("user")).toContain("› Transfers, send: amount")
    expect(line("operator")).toBe("")
  })
})

describe("the notes that a chat has shown", () => {
  it("hold the agent in charge until another one is, and no search that is tried", () => {
    const shown = new ShownNotes()
    const note = (text: string, audience: "user" | "operator" = "user", name = "in_charge") =>
      shown.has({
        type: "Noted",
        seq: 1,
        at: 0,
        path: "turn",
        stage: "turn",
        note: name,
        data: {},
        audience,
        text,
      })
    const again = "I am broadening the search."
    expect([note(again, "user", "thinking"), note(again, "user", "thinking")]).toEqual([
      false,
      false,
    ])
    expect([note("Rates"), note("Rates"), note("Transfers"), note("Rates")]).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(note("Rates", "operator")).toBe(false)
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
    degradedTurnText(result, told, stderr.style, 80)

  it("is printed once per reason, even for several stages of a turn", () => {
    const told = new Set<string>()
    expect(text(turn("nobody listens", "nobody listens"), told)).toContain(
      "working without a model: nobody listens",
    )
    expect(text(turn("nobody listens"), told)).toBeUndefined()
  })

  it("names all reviewers that failed in one line, and each of them once", () => {
    const review = (reviewer: string) => ({
      path: "reply",
      reason: `the review by "${reviewer}" failed: there is no key`,
      reviewer,
    })
    const told = new Set<string>()
    const both = {
      ...turn("there is no key"),
      degraded: [
        { path: "reply", reason: "there is no key" },
        review("quality_gate"),
        review("tone_analyzer"),
        review("quality_gate"),
      ],
    }
    expect(text(both, told)?.split("\n")).toEqual([
      expect.stringContaining("working without a model: there is no key"),
      expect.stringContaining("without a review by quality_gate, tone_analyzer"),
    ])
    expect(text(both, told)).toBeUndefined()
  })

  it("is printed again for another reason, and not if a model answers", () => {
    const told = new Set(["nobody listens"])
    expect(text(turn("nobody listens", "the key is refused"), told)).toContain("the key is refused")
    expect(text(turn(), told)).toBeUndefined()
  })
})

describe("the outputs of a turn", () => {
  const outputs = { reply: "Hi.", agent: "welcome", count: 3, notes: "two words", list: [1] }
  const text = (...replies: ReadonlyArray<string>) =>
    outputsText(outputs, new Set(), new Set(replies), { style: stderr.style, width: 80 })

  it("are the reply and what a person reads where one output is streamed", () => {
    expect(text("reply")).toContain("Hi.")
    expect(text("reply")).toContain("two words")
    expect(text("reply")).not.toMatch(/welcome|count/)
  })

  it("are all of them where none is streamed", () => {
    expect(text()).toContain("welcome")
    expect(text()).toContain("count")
  })
})
