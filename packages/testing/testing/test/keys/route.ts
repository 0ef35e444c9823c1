/** Examples of the keys of `with` of the stage kind `route`. */
import type { ScriptedReply } from "@planloom/testing"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, flow, many } from "./worlds.ts"

const at = "stages.0.with"
const first = `${at}.agents.a`
const guided = `${first}.flows.f`
const asked = `${guided}.states.s`

const call = (name: string, args: { readonly [name: string]: string | number } = { n: 1 }) => ({
  name,
  arguments: args,
})
const said = many({ text: "done" })
const script = (...calls: ReadonlyArray<ReturnType<typeof call>>): ReadonlyArray<ScriptedReply> => [
  ...calls.map((one) => ({ tool_calls: [one] })),
  ...said,
]
const over = call("hand_over", { agent: "b", reason: "Theirs." })

/** Two agents, of which the first has a flow of three states. */
const agents = (a = "", b = "", s = "next: [{ to: t }]") =>
  `{ a: { description: First., flows: { f: { description: Flow., start: s, states: { s: { ${s} }, t: { next: [{ to: u }] }, u: { next: [{ to: t }, { to: s }] } } } }${a} }, b: { description: Second.${b} } }`

const conversation = (
  body: string,
  replies: ReadonlyArray<ScriptedReply> = said,
  written = agents(),
  request = "Weigh it.",
): World =>
  flow(
    `
models: { main: { try: [${replies.length === 0 ? "" : "scripted/one"}], otherwise: mechanical } }
stages:
  - id: one
    uses: route
    model: main
    with:
      request: ${request}
      start: a
      ${body}
      agents: ${written}
outputs: { one: { value: "\${{ stages.one.output }}" } }
`,
    {
      replies,
      tools: {
        weigh: { result: 7, delay: 1000, tool: { group: "heavy" } },
        count: { result: 1, delay: 1000, tool: { group: "light" } },
        drop: { result: 0, tool: { effect: "write" } },
      },
    },
  )

const plain = conversation("")
const tooled = agents(", tools: [weigh, count, drop]")
const inFlow = "current: { agent: a, flow: f, state: s }"
const handed = (replies = script(over)) => conversation("", replies, agents("", ", tools: [weigh]"))
const mute = (written = agents(), request = "Weigh it.") => conversation("", [], written, request)
const long = "Weigh my red stones."
const found = ', examples: ["Weigh it."]'
const both = { tool_calls: [call("weigh"), call("count")] }

export const routeExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "route", world: plain, at }, [
    ["request", "Count it.", "Weigh all."],
    ["history", [{ user: "Hi", assistant: "Hello" }], [{ user: "Hi", assistant: "Bye" }]],
    ["agents", { a: { description: "Only." } }, { a: { description: "Alone." } }],
    ["start", "a", "b"],
    ["current", { agent: "b" }, { agent: "a", flow: "f", state: "s" }],
    ["profile", { name: "Bo" }, { name: "Al" }],
    ["context", "one account", "two accounts"],
    ["entities", [{ type: "quote", id: "Q-1" }], [{ type: "quote", id: "Q-2" }]],
    ["language", "es", "fr"],
    ["agents.*.title", `${first}.title`, "Ann", { en: "Bob" }],
    ["agents.*.prompt", `${first}.prompt`, "Be brief.", "Be kind."],
    ["agents.*.tools", `${first}.tools`, ["weigh"], ["count"]],
    ["agents.*.tools.name", `${first}.tools`, [{ name: "weigh" }], [{ name: "count" }]],
    ["agents.*.tools.group", `${first}.tools`, [{ group: "heavy" }], [{ group: "light" }]],
    [
      "agents.*.tools.search",
      `${first}.tools`,
      [{ search: "weigh", limit: 1 }],
      [{ search: "count", limit: 1 }],
    ],
    [
      "agents.*.tools.limit",
      `${first}.tools`,
      [{ search: "stub", limit: 1 }],
      [{ search: "stub", limit: 2 }],
    ],
    [
      "agents.*.tools.load",
      `${first}.tools`,
      [{ name: "weigh", load: "lazy" }],
      [{ name: "weigh", load: "full" }],
    ],
    ["agents.*.hands_over_to", `${first}.hands_over_to`, [], byDefault(["b"])],
    ["agents.*.human", `${first}.human`, true, byDefault(false)],
    [
      "agents.*.flows",
      `${first}.flows`,
      { g: { description: "G.", start: "s", states: { s: { final: true } } } },
      { h: { description: "H.", start: "s", states: { s: { final: true } } } },
    ],
  ]),
  ...examples({ owner: "route", world: handed(), at }, [
    ["hop_mode", "full", byDefault("routing")],
    ["max_hops", 1, 2],
  ]),
  ...examples(
    { owner: "route", world: conversation("", script(call("weigh"), call("count")), tooled), at },
    [
      ["max_turns", 1, 2],
      ["max_calls", 1, byDefault(100)],
      ["approve", ["weigh"], ["count"]],
    ],
  ),
  ...examples({ owner: "route", world: conversation("", [both, ...said], tooled), at }, [
    ["parallel", 1, byDefault(8)],
  ]),
  ...examples({ owner: "route", world: conversation("", script(call("drop")), tooled), at }, [
    ["auto_approve", ["drop"], byDefault([])],
  ]),
  ...examples(
    {
      owner: "route.agents.*.flows.*",
      world: conversation("", script(call("start_flow", { flow: "f", reason: "Asked." }))),
    },
    [
      ["start", `${guided}.start`, "s", "t"],
      [
        "states",
        `${guided}.states`,
        { s: { instructions: "Ask.", final: true } },
        { s: { instructions: "Wait.", final: true } },
      ],
    ],
  ),
  ...examples(
    {
      owner: "route.agents.*.flows.*.states.*",
      world: conversation(inFlow, script(call("weigh")), agents(", tools: [weigh, count]")),
      at: asked,
    },
    [
      ["instructions", "Ask.", "Wait."],
      ["tools", ["weigh"], ["count"]],
      ["next", [{ to: "u" }], [{ to: "u" }, { to: "t" }]],
      ["next.to", `${asked}.next.0.to`, "t", "u"],
      ["next.tool", `${asked}.next.0.tool`, "weigh", "count"],
      ["next.when", `${asked}.next.0.when`, 'request == "Weigh it."', "false"],
    ],
  ),
  ...examples(
    {
      owner: "route.agents.*.flows.*.states.*",
      world: conversation(inFlow, script(call("next_state", { state: "t" }))),
    },
    [["final", `${guided}.states.t.final`, true, byDefault(false)]],
  ),
  ...examples({ owner: "route", world: conversation(inFlow), at }, [
    ["agents.*.flows.*.title", `${guided}.title`, "Sending", { en: "Paying" }],
  ]),
  ...examples({ owner: "route", world: mute(), at: first }, [
    ["agents.*.examples", `${first}.examples`, ["Weigh it."], byDefault([])],
    ["agents.*.flows.*.examples", `${guided}.examples`, ["Weigh it."], byDefault([])],
  ]),
  ...examples({ owner: "route", world: mute(agents(found)), at }, [
    ["agents.*.reply", `${first}.reply`, "Yes.", { en: "No." }],
  ]),
  ...examples(
    {
      owner: "route",
      world: mute(
        agents(', examples: ["Weigh my stone."]', ', examples: ["Weigh my red stone."]'),
        long,
      ),
      at,
    },
    [["margin", 1, byDefault(0.1)]],
  ),
  ...examples(
    {
      owner: "route",
      world: mute(agents("", ', examples: ["Weigh my stone."]'), long),
      at,
    },
    [["least", 1, byDefault(0.3)]],
  ),
  ...examples(
    {
      owner: "route.agents.*.flows.*.states.*",
      world: conversation("current: { agent: a, flow: f, state: s }", []),
      at: asked,
    },
    [["reply", "How much?", { en: "How many?" }]],
  ),
]
