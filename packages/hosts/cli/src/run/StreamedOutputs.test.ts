import type { Part } from "@planloom/plugin/effect"
import { describe, expect, it } from "vitest"
import { styleOf } from "../terminal/Style.ts"
import { StreamedOutputs } from "./StreamedOutputs.ts"

const text = (output: string, given: string): Part => ({
  output,
  message: "m",
  type: "text",
  text: given,
})
const reset = (output: string): Part => ({ output, message: "m", type: "reset", cause: "retry" })
const settled = (output: string): Part => ({ output, message: "m", type: "settled", revision: 1 })

/** What is written, with `hide` and `show` of what else is on the screen. */
const written = () => {
  const log: Array<string> = []
  const outputs = new StreamedOutputs({
    screen: {
      style: styleOf(false),
      live: true,
      columns: () => 40,
      rows: () => 10,
      write: (given) => void log.push(given),
    },
    indent: "",
    width: () => 40,
    hide: () => void log.push("<hide>"),
    show: () => void log.push("<show>"),
    note: (given) => void log.push(`<note ${given}>`),
  })
  return { log, outputs }
}

describe("streamed outputs on a terminal", () => {
  it("are written as they arrive, in place of the progress view, and not again at the end", () => {
    const { log, outputs } = written()
    for (const part of [text("a", "Hello"), text("a", " you"), settled("a")]) outputs.onPart(part)
    expect(log).toEqual(["<hide>", "Hello", " you", "\n", "<show>"])
    expect(outputs.rest({ a: "Hello you", b: 1 })).toEqual({ b: 1 })
  })

  it("are written one at a time: the second one whole, once the first is complete", () => {
    const { log, outputs } = written()
    for (const part of [
      text("a", "One"),
      text("b", "Two"),
      text("a", " more"),
      settled("a"),
      text("b", " too"),
      settled("b"),
    ]) {
      outputs.onPart(part)
    }
    expect(log.join("")).toBe("<hide>One more\n<show><hide>Two too\n<show>")
    expect(outputs.rest({ a: "One more", b: "Two too" })).toEqual({})
  })

  it("are removed by a reset, or marked as rewritten when other output follows them", () => {
    const { log, outputs } = written()
    outputs.onPart(text("a", "One"))
    outputs.onPart(reset("a"))
    expect(log.at(-1)).toBe("\r\u001b[J")
    outputs.onPart(text("a", "Two"))
    outputs.interrupt()
    outputs.onPart(text("a", " three"))
    outputs.onPart(reset("a"))
    expect(log.at(-1)).toBe("<note rewritten (retry):>")
  })

  it("that a failed run leaves unfinished end their row, and are no complete output", () => {
    const { log, outputs } = written()
    outputs.onPart(text("a", "Half"))
    outputs.stop()
    expect(log).toEqual(["<hide>", "Half", "\n", "<show>"])
    expect(outputs.rest({ a: "Half" })).toEqual({ a: "Half" })
  })
})
