/** Types of components whose schemas are literals: compiled by `tsc`, which rejects an expected error that is missing. */
import { describe, expectTypeOf, it } from "vitest"
import type { Json } from "../value/Json.ts"
import { hook, stageKind, StageFailed, subagent, tool, validator } from "./index.ts"

describe("types of promise-style components", () => {
  it("types the input of a stage kind, with its defaults, and its output", () => {
    stageKind({
      id: "greet",
      summary: "Greets.",
      input: {
        type: "object",
        properties: { name: { type: "string" }, times: { type: "integer", default: 1 } },
        required: ["name"],
      },
      output: { type: "array", items: { type: "string" } },
      run: async ({ name, times }, context) => {
        expectTypeOf(name).toEqualTypeOf<string>()
        expectTypeOf(times).toEqualTypeOf<number>()
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
        expectTypeOf(context.now).returns.resolves.toEqualTypeOf<number>()
        expectTypeOf(context.callTool).returns.resolves.toEqualTypeOf<Json>()
        return Array.from({ length: times }, () => name)
      },
    })
    stageKind({
      id: "wrong",
      summary: "Returns another type.",
      input: { type: "object" },
      output: { type: "string" },
      // @ts-expect-error a number is not the declared string
      run: async () => 1,
    })
  })

  it("types the draft, the options and the patch of a hook by its point", () => {
    hook({
      id: "rename",
      summary: "Changes params.",
      point: "before_tool",
      kind: "transform",
      input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      run: async ({ params, tool: name }, context) => {
        expectTypeOf(name).toEqualTypeOf<string>()
        expectTypeOf(context.with.to).toEqualTypeOf<string>()
        return { params: { ...params, to: context.with.to } }
      },
    })
    hook({
      id: "foreign",
      summary: "Changes a field that is not its own.",
      point: "before_tool",
      kind: "transform",
      // @ts-expect-error a transform at before_tool owns params alone
      run: async () => ({ tool: "other" }),
    })
  })

  it("types params of tools and options of reviewers", () => {
    tool({
      name: "plot",
      summary: "Plots.",
      params: {
        type: "object",
        properties: { kind: { enum: ["bar", "line"] }, width: { type: "integer", default: 80 } },
        required: ["kind"],
      },
      run: ({ kind, width }, { signal }) => {
        expectTypeOf(kind).toEqualTypeOf<"bar" | "line">()
        expectTypeOf(width).toEqualTypeOf<number>()
        signal.throwIfAborted()
        return kind
      },
    })
    validator({
      id: "short",
      summary: "Limits the length.",
      input: { type: "object", properties: { most: { type: "integer", default: 80 } } },
      validate: (text, { most }) => {
        expectTypeOf(most).toEqualTypeOf<number>()
        return { verdict: text.length > most ? "block" : "pass", confidence: 1, reason: "length" }
      },
    })
    subagent({
      id: "polite",
      summary: "Reviews the tone.",
      class: "tone",
      can: ["pass"],
      at: "whole",
      scope: "turn",
      review: async ({ text }, { model }) => {
        const { text: said } = await model.text({ messages: [{ role: "user", content: text }] })
        if (said === "") throw new StageFailed({ class: "invalid_output", message: "no text" })
        return { verdict: "pass", confidence: 1, reason: said }
      },
    })
  })
})
