/** Failures as plain data, and as one line. */
import { expect, it } from "vitest"
import { ModelFailed, reasonOf, StageFailed, toFailureRecord } from "./Failure.ts"

const refused = new ModelFailed({
  class: "auth",
  model: "local/big",
  message: "the key is refused",
})

it("a model's failure names its model as data and in one line", () => {
  expect(toFailureRecord(refused)).toEqual({
    class: "auth",
    model: "local/big",
    message: "the key is refused",
  })
  expect(reasonOf(refused)).toBe("local/big: auth: the key is refused")
})

it("a failure of no model has its class and its message", () => {
  const unfit = new StageFailed({ class: "invalid_output", message: "it does not fit" })
  expect(reasonOf(unfit)).toBe("invalid_output: it does not fit")
})

it.each([
  [new Error("plain"), "Error: plain"],
  [{ class: "mine", message: "other" }, '{"class":"mine","message":"other"}'],
  [{ class: "timeout" }, '{"class":"timeout"}'],
  ["text", "text"],
  [undefined, "undefined"],
  [10n, "10"],
])("a failure of no known class or without a message is internal: %o", (value, text) => {
  expect(toFailureRecord(value as never)).toMatchObject({
    class: "internal",
    message: `a component failed with an unknown failure: ${text}`,
  })
})

it("without a model the line is only the message", () => {
  const none = new ModelFailed({ class: "no_model", model: "none", message: "no model is there" })
  expect(toFailureRecord(none)).toEqual({ class: "no_model", message: "no model is there" })
  expect(reasonOf(toFailureRecord(none))).toBe("no model is there")
})
