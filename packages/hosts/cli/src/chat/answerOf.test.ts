import type { JsonSchema, Wait } from "@planloom/plugin/effect"
import { describe, expect, it } from "vitest"
import { answerOf } from "./answerOf.ts"

const wait = (schema: JsonSchema, more: Partial<Wait> = {}): Wait => ({
  name: "q",
  kind: "clarification",
  path: "q",
  message: "?",
  schema,
  ...more,
})

const approval = wait(
  { type: "object", properties: { approved: { type: "boolean" }, comment: { type: "string" } } },
  { kind: "approval" },
)

describe("an answer typed in a chat", () => {
  it.each([
    ["y", { approved: true }],
    ["Yes", { approved: true }],
    ["n", { approved: false }],
    ["", { approved: false }],
    ["sí", { approved: true }],
    ["Si, por favor", { approved: true }],
    ["yes please", { approved: true }],
    ["claro que sí", { approved: true }],
    ["no, gracias", { approved: false }],
    ["ok, stop", { approved: false }],
    ["No, not before Friday", { approved: false, comment: "not before Friday" }],
    ["no: es para Mateo", { approved: false, comment: "es para Mateo" }],
  ])("to an approval: %j is a yes, a no, or a no with a comment", (typed, value) => {
    expect(answerOf(approval, typed)).toEqual({ value })
  })

  it.each([
    "wait, how much was that?",
    "yes, but to Mateo",
    "not before Friday",
    "sí, pero 30",
    "¿cuánto era?",
    "no problem",
    "no hay problema",
    "banana",
    "maybe",
  ])("to an approval: %j is neither, and asked about again", (typed) => {
    expect(answerOf(approval, typed)).toEqual({ problem: "please answer yes or no" })
  })

  it("selects an option by number or by text in any case, or is free text", () => {
    const rooms = wait({ type: "string" }, { options: ["kitchen", "hall"] })
    expect(answerOf(rooms, "2")).toEqual({ value: "hall" })
    expect(answerOf(rooms, " HALL ")).toEqual({ value: "hall" })
    expect(answerOf(rooms, "attic")).toEqual({ value: "attic" })
    expect(answerOf(rooms, "3")).toEqual({ problem: "there are 2 to choose from" })
    expect(answerOf(wait({ type: "integer" }, { options: [30, 60] }), "1")).toEqual({ value: 30 })
  })

  it.each([
    ["integer", "7", { value: 7 }],
    ["integer", "7.5", { problem: "expected a whole number" }],
    ["number", "7.5", { value: 7.5 }],
    ["boolean", "no", { value: false }],
    ["boolean", "sí", { value: true }],
    ["boolean", "perhaps", { problem: "expected true or false" }],
    ["array", "[1, 2]", { value: [1, 2] }],
    ["object", "{", { problem: "expected an object" }],
    ["string", "7", { value: "7" }],
  ])("is converted by the question's schema: %s from %j", (type, typed, expected) => {
    expect(answerOf(wait({ type }), typed)).toEqual(expected)
  })
})
