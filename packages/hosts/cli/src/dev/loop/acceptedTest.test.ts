import { describe, expect, it } from "vitest"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { acceptedTest } from "./acceptedTest.ts"
import type { MadeCall } from "./CallMemory.ts"
import type { EditRun } from "./runEdit.ts"
import { withTest } from "./withTest.ts"

const model = (path: string, asked: string, reply: JsonObject | undefined): MadeCall => ({
  kind: "model",
  path,
  name: `${path}/model:1:near:a`,
  about: { model: "near/a", system: [], messages: [{ role: "user", content: asked }] },
  sections: undefined,
  isLive: true,
  step:
    reply === undefined
      ? { ok: false, tag: "ModelFailed", of: "near/a", failure: { class: "timeout", message: "" } }
      : { ok: true, value: { reasoning: "", toolCalls: [], finish: "stop", text: "", ...reply } },
})

const tool = (name: string, value: Json): MadeCall => ({
  kind: "tool",
  path: "use",
  name: "use/tool:1",
  about: { tool: name, params: {}, inputs: {} },
  sections: undefined,
  isLive: true,
  step: { ok: true, value },
})

const runOf = (calls: ReadonlyArray<MadeCall>, outputs: JsonObject = {}): EditRun => ({
  result: { status: "succeeded", outputs } as unknown as RunResult,
  inputs: { message: "hello" },
  stages: [],
  calls,
  events: [],
  ms: 0,
})

const accepted = (run: EditRun) => acceptedTest(run, {}, (name) => name === "book")

describe("an accepted run", () => {
  it("scripts replies by stage: JSON as data, tool calls, cut texts, and no failed call", () => {
    const { models } = accepted(
      runOf([
        model("work[1]/label", "a", { text: '{"label":"bug"}' }),
        model("reply", "b", undefined),
        model("reply", "b", { text: "cut of", finish: "length" }),
        model("agent", "c", { toolCalls: [{ id: "1", name: "look", arguments: { at: 1 } }] }),
      ]),
    ).given as { readonly models: JsonObject }
    expect(models).toEqual({
      label: [{ json: { label: "bug" } }],
      reply: [{ text: "cut of", cut: true }],
      agent: [{ tool_calls: [{ name: "look", arguments: { at: 1 } }] }],
    })
  })

  it("keeps a reply of an item for the request with a line that no other item has", () => {
    const { models } = accepted(
      runOf([
        model("each[1]", "Label it:\nsecond text\nsame", { text: "B" }),
        model("each[0]", "Label it:\nfirst text\nsame", { text: "A" }),
      ]),
    ).given as { readonly models: { readonly each: Json } }
    expect(models.each).toEqual([
      { when: "second text", text: "B" },
      { when: "first text", text: "A" },
    ])
  })

  it("stubs the selected tools, with one result or all of them in order", () => {
    expect(accepted(runOf([tool("look", 1), tool("book", 2)])).given["tools"]).toEqual({
      book: { result: 2 },
    })
    expect(accepted(runOf([tool("book", 1), tool("book", 2)])).given["tools"]).toEqual({
      book: { results: [1, 2] },
    })
  })

  it("expects short texts, numbers and fields as they are, the start of long texts, and the length of lists", () => {
    const outputs = {
      text: 'say "hi"\n',
      long: "x".repeat(500),
      count: 3,
      list: [1, 2],
      one: { label: "bug", deep: { a: 1 }, "not-a-name": 1 },
    }
    expect(accepted(runOf([], outputs)).expect["assert"]).toEqual([
      'outputs.text == "say \\"hi\\"\\n"',
      `outputs.long.startsWith("${"x".repeat(200)}")`,
      "outputs.count == 3",
      "size(outputs.list) == 2",
      'outputs.one.label == "bug"',
    ])
  })

  it("takes the place of the test that was accepted for the same inputs", () => {
    const first = withTest(undefined, "flow.yaml", accepted(runOf([], { text: "a" })))!
    const other = first.replace("for message hello", "that a person wrote")
    const added = withTest(other, "flow.yaml", accepted(runOf([], { text: "a" })))!
    expect(added).toContain(other.trimEnd())
    const again = withTest(added, "flow.yaml", accepted(runOf([], { text: "b" })))!
    expect(again).toBe(`${other}${first.slice(first.indexOf("  - name")).replace('"a"', '"b"')}`)
  })
})
