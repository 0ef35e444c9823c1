import { assert, describe, it } from "@effect/vitest"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import type { Tool, ToolOffer } from "@planloom/plugin/effect"
import { systemBlocks } from "./systemBlocks.ts"
import { indexSection } from "./toolIndex.ts"

const tool = (name: string, summary: string, params: ReadonlyArray<string> = []): Tool => ({
  name,
  summary,
  capabilities: [],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    properties: Object.fromEntries(params.map((param) => [param, { type: "string" }])),
  },
})

const lazily = (tools: ReadonlyArray<Tool>): ReadonlyArray<ToolOffer> =>
  tools.map((one) => ({ tool: one.name, form: "index" }))

const indexOf = (tools: ReadonlyArray<Tool>, offers = lazily(tools)) =>
  indexSection(offers, new Map(tools.map((one) => [one.name, { tool: one }])))

const verbs = [
  "get",
  "list",
  "create",
  "update",
  "delete",
  "search",
  "send",
  "export",
  "merge",
  "watch",
]
const things = [
  "issue",
  "branch",
  "invoice",
  "calendar_event",
  "file",
  "page",
  "user",
  "ticket",
  "chart",
  "channel",
]

/** As servers describe theirs: several sentences each. */
const hundred = verbs.flatMap((verb) =>
  things.map((thing) =>
    tool(
      `${verb}_${thing}`,
      `Use this to ${verb} one ${thing.replace("_", " ")} of the workspace that the caller can access. Returns the whole object with its metadata, or an error if there is none.`,
      ["workspace_id", `${thing}_id`, "fields", "limit"],
    ),
  ),
)

describe("the index of tools", () => {
  it("has a line with parameters and summary for each of a few tools, in the order of names", () => {
    const tools = [tool("rate", "Gives a rate.", ["of", "at"]), tool("history", "Past\n rates.")]
    const text = "Tools:\n- history(): Past rates.\n- rate(of, at): Gives a rate."
    assert.strictEqual(indexOf(tools)?.text, text)
    assert.strictEqual(indexOf(tools, lazily(tools.toReversed()))?.text, text)
  })

  it("of a hundred tools has at most 1,500 tokens, and still says what each does", () => {
    const { text } = indexOf(hundred)!
    assert.isAtMost(countTokens(text), 1500)
    const lines = text.split("\n").slice(1)
    assert.lengthOf(lines, 100)
    for (const line of lines) assert.match(line, /^- \w+: \S.*…$/)
  })

  it("is absent without a tool of form index", () => {
    assert.isUndefined(indexOf(hundred, [{ tool: "get_issue", form: "schema" }]))
    assert.isUndefined(indexOf([]))
  })

  it("changes with its tools, and only with them", () => {
    const [first, ...others] = hundred as [Tool, ...ReadonlyArray<Tool>]
    const text = indexOf(hundred)!.text
    assert.strictEqual(indexOf([...hundred])!.text, text)
    assert.notStrictEqual(indexOf([first, ...others.slice(1)])!.text, text)
    assert.strictEqual(indexOf(hundred)!.text, text)
  })

  it("is a block of its own that a provider may keep, after sections that never change", () => {
    const index = { ...indexOf([tool("rate", "Gives a rate.")])!, tokens: 0 }
    const base = { text: "You are careful.", source: "base.md", stable: true }
    const now = { text: "It is noon.", source: "now.md", stable: false }
    assert.deepStrictEqual(systemBlocks([base, index, now]), [
      { text: "You are careful.", cache: true },
      { text: "Tools:\n- rate(): Gives a rate.", cache: true },
      { text: "It is noon." },
    ])
  })
})
