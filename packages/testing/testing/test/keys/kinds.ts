/** Examples of the keys of `with` of the built-in stage kinds. */
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, flow, many } from "./worlds.ts"

const stage = (
  uses: string,
  body: string,
  more: Partial<World> = {},
  head = "defaults: { model: scripted/one }",
): World =>
  flow(
    `${head}
stages: [{ id: one, uses: ${uses}, with: { ${body} } }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`,
    more,
  )

const replies = many({ text: "done" })
const at = "stages.0.with"
const second = "stages.1.with"

const call = (name: string, n = 1) => ({ name, arguments: { n } })
const agent = (body = "", more: Partial<World> = {}) =>
  stage("agent", `task: Weigh it., tools: [weigh, count]${body}`, {
    replies: [
      { tool_calls: [call("weigh"), call("count")], usage: { input: 100, output: 100 } },
      { tool_calls: [call("weigh")], usage: { input: 100, output: 100 } },
      { tool_calls: [call("weigh", 2)], usage: { input: 100, output: 100 } },
      ...replies,
    ],
    tools: {
      weigh: { result: 7, delay: 1000, tool: { group: "heavy" } },
      count: { result: 1, delay: 1000, tool: { group: "light" } },
    },
    ...more,
  })

/** A stage of the kind after a call that equals the first one of it; the tool reads. */
const afterCall = (uses: string, body: string): World =>
  flow(
    `defaults: { model: scripted/one }
stages:
  - { id: first, uses: call, with: { tool: weigh, params: { n: 1 } } }
  - { id: one, uses: ${uses}, with: { ${body} } }
`,
    {
      replies: [{ tool_calls: [call("weigh")] }, ...replies],
      tools: { weigh: { result: 7, tool: { effect: "read" } } },
    },
  )

const drinks = (body: string) =>
  stage("switch", body, {}, "inputs: { drink: { type: string, default: tea } }")

const answers = { replies: many({ json: { n: 1 } }) }
const unsure = {
  replies: many({ json: { text: "tea", confidence: 0.6 } }),
}

export const kindExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "agent", world: agent(), at }, [
    ["task", "Count it.", "Weigh all."],
    ["context", "stone", "feather"],
    ["attach", ["data:image/png;base64,aGk="], ["data:image/png;base64,aGs="]],
    ["tools", ["weigh"], ["count"]],
    ["max_turns", 1, 2],
    ["max_calls", 1, 2],
    ["max_tokens", 100, 300],
    ["parallel", 1, byDefault(8)],
    ["approve", ["weigh"], ["count"]],
    ["repeat_calls", true, byDefault(false)],
    ["stop_when", "calls.size() >= 1", "calls.size() >= 3"],
    ["tools.name", `${at}.tools`, [{ name: "weigh" }], [{ name: "count" }]],
    ["tools.group", `${at}.tools`, [{ group: "heavy" }], [{ group: "light" }]],
    [
      "tools.ends",
      `${at}.tools`,
      [{ name: "weigh", ends: true }],
      [{ name: "weigh", ends: false }],
    ],
    [
      "tools.load",
      `${at}.tools`,
      [{ name: "weigh", load: "lazy" }],
      [{ name: "weigh", load: "full" }],
    ],
    [
      "tools.search",
      `${at}.tools`,
      [{ search: "weigh", limit: 1 }],
      [{ search: "count", limit: 1 }],
    ],
    ["tools.limit", `${at}.tools`, [{ search: "stub", limit: 1 }], [{ search: "stub", limit: 2 }]],
  ]),
  ...examples(
    { owner: "agent", world: afterCall("agent", "task: Weigh it., tools: [weigh]"), at: second },
    [["reuse", "run", byDefault("stage")]],
  ),
  ...examples(
    { owner: "call", world: afterCall("call", "tool: weigh, params: { n: 1 }"), at: second },
    [["reuse", "run", byDefault("stage")]],
  ),
  ...examples(
    {
      owner: "agent",
      world: agent("", {
        tools: {
          weigh: { result: 7, tool: { effect: "write" } },
          count: { result: 1, tool: { effect: "write" } },
        },
      }),
      at,
    },
    [["auto_approve", ["weigh"], ["weigh", "count"]]],
  ),
  ...examples({ owner: "agent", world: agent("", answers), at }, [
    [
      "result",
      { type: "object", properties: { n: { type: "integer" } } },
      { type: "object", properties: { n: { type: "string" } } },
    ],
  ]),
  ...examples({ owner: "generate", world: stage("generate", "task: Speak.", { replies }), at }, [
    ["task", "Sing.", "Dance."],
    ["context", "tea", { drink: "milk" }],
    ["attach", ["data:image/png;base64,aGk="], ["data:image/png;base64,aGs="]],
  ]),
  ...examples({ owner: "generate", world: stage("generate", "task: Speak.", answers), at }, [
    [
      "schema",
      { type: "object", properties: { n: { type: "integer" } } },
      { type: "object", properties: { n: { type: "string" } } },
    ],
  ]),
  ...examples({ owner: "generate", world: stage("generate", "task: Speak.", unsure), at }, [
    ["confidence", { threshold: 0.5 }, { threshold: 0.8 }],
  ]),
  ...examples(
    {
      owner: "generate",
      world: stage("generate", "task: Speak., confidence: { threshold: 0.7 }", unsure),
      at,
    },
    [
      ["confidence.threshold", 0.5, 0.8],
      ["confidence.clarify", "Which tea?", "How hot?"],
    ],
  ),
  ...examples(
    {
      owner: "call",
      world: stage("call", "tool: weigh", {
        tools: { weigh: { result: 1, tool: { inputs: { heap: "any" } } }, count: { result: 2 } },
      }),
      at,
    },
    [
      ["tool", "weigh", "count"],
      ["params", { n: 1 }, { n: 2 }],
      ["inputs", { heap: 1 }, { heap: 2 }],
    ],
  ),
  ...examples(
    {
      owner: "switch",
      world: drinks("on: inputs.drink, cases: { tea: { uses: set, with: { value: 1 } } }"),
      at,
    },
    [
      ["on", "inputs.drink", "upper(inputs.drink)"],
      [
        "cases",
        { tea: { uses: "set", with: { value: 3 } } },
        { milk: { uses: "set", with: { value: 4 } } },
      ],
    ],
  ),
  ...examples(
    {
      owner: "switch",
      world: drinks("on: inputs.drink, cases: { milk: { uses: set, with: { value: 1 } } }"),
      at,
    },
    [["else", { uses: "set", with: { value: 5 } }, { uses: "set", with: { value: 6 } }]],
  ),
  ...examples({ owner: "wait", world: stage("wait", ""), at }, [
    ["for", "30s", "1m"],
    ["until", "2030-01-01T00:00:00Z", "2030-01-01T00:00:01Z"],
    ["signal", "paid", "sent"],
  ]),
  ...examples({ owner: "wait", world: stage("wait", "signal: paid"), at }, [
    ["message", "Who paid?", "How much?"],
    ["schema", { type: "string" }, { type: "integer" }],
    ["expires", "1h", "2h"],
  ]),
  ...examples(
    { owner: "wait", world: stage("wait", "signal: paid, expires: 1h", { turns: [{}] }), at },
    [["default", 1, 2]],
  ),
  ...examples({ owner: "emit", world: stage("emit", "name: made"), at }, [
    ["name", "sent", "shop/sent"],
    ["data", { n: 1 }, "${{ range(2) }}"],
    ["audience", "operator", byDefault("user")],
    ["message", "It is made.", "It is sent."],
  ]),
  ...examples({ owner: "emit", world: stage("emit", "name: made, data: 1"), at }, [
    ["schema", { type: "string" }, { type: "boolean" }],
  ]),
  ...examples({ owner: "set", world: stage("set", "value: null"), at }, [
    ["value", "${{ range(2) }}", { ready: true }],
  ]),
  ...examples({ owner: "approve", world: stage("approve", "message: Is it good?"), at }, [
    ["message", "Is it fine?", "Is it hot?"],
    ["show", "tea", "milk"],
    ["schema", { type: "string" }, { type: "integer" }],
    ["expires", "1h", "2h"],
  ]),
  ...examples(
    {
      owner: "approve",
      world: stage("approve", "message: Is it good?, expires: 1h", { turns: [{}] }),
      at,
    },
    [["default", true, false]],
  ),
  ...examples(
    {
      owner: "workflow",
      world: stage("workflow", "path: a.yaml", {
        files: {
          "a.yaml": {
            apiVersion: "planloom/v1",
            kind: "Workflow",
            name: "a",
            inputs: { n: { type: "integer", default: 1 } },
            stages: [{ id: "in_a", uses: "work", with: { value: "${{ inputs.n }}" } }],
          },
          "b.yaml": {
            apiVersion: "planloom/v1",
            kind: "Workflow",
            name: "b",
            stages: [{ id: "in_b", uses: "work" }],
          },
        },
      }),
      at,
    },
    [
      ["path", "a.yaml", "b.yaml"],
      ["inputs", { n: 2 }, { n: 3 }],
    ],
  ),
]
