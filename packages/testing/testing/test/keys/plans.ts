/** Examples of the keys of `with` of the stage kind `plan`. */
import type { Json } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, flow, many } from "./worlds.ts"

const at = "stages.0.with"

const step = (id: string, tool: string) => ({ id, tool, params: { n: 1 } })
const two = [step("a", "weigh"), step("b", "count")]

/** Its model always replies with the steps. */
const planning = (
  body: string,
  steps: ReadonlyArray<Json>,
  more: object = {},
  request = "Weigh it.",
): World =>
  flow(
    `defaults: { model: scripted/one }
stages: [{ id: one, uses: plan, with: { request: "${request}"${body} } }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`,
    {
      replies: many({ json: { plan: { steps }, ...more } }),
      tools: {
        weigh: { result: 7, tool: { group: "heavy" } },
        count: { result: 1, tool: { group: "light" } },
        drop: { result: 0 },
      },
    },
  )

export const planExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "plan", world: planning("", two), at }, [
    ["request", "Count it.", "Weigh all."],
    ["context", { last: "stone" }, { last: "feather" }],
    ["tools", ["weigh"], ["count"]],
    [
      "results",
      [{ tool: "weigh", ok: true, summary: "7" }],
      [{ tool: "weigh", ok: true, summary: "8" }],
    ],
    ["max_steps", 1, 2],
    ["calling", "native", byDefault("auto")],
    ["confidence", { threshold: 0.9 }, { threshold: 0.2 }],
    ["tools.name", `${at}.tools`, [{ name: "weigh" }], [{ name: "count" }]],
    ["tools.group", `${at}.tools`, [{ group: "heavy" }], [{ group: "light" }]],
    [
      "tools.search",
      `${at}.tools`,
      [{ search: "weigh", limit: 1 }],
      [{ search: "count", limit: 1 }],
    ],
  ]),
  ...examples({ owner: "plan", world: planning("", []), at }, [
    ["tools.limit", `${at}.tools`, [{ search: "stub", limit: 1 }], [{ search: "stub", limit: 2 }]],
  ]),
  ...examples({ owner: "plan", world: planning("", two, { confidence: 0.6 }), at }, [
    ["confidence.threshold", `${at}.confidence.threshold`, 0.6, byDefault(0.7)],
    ["confidence.clarify", `${at}.confidence.clarify`, "Which stone?", "Which feather?"],
  ]),
  ...examples({ owner: "plan", world: planning("", []), at }, [
    ["empty", "Which stone?", "Which feather?"],
    ["round", 1, byDefault(0)],
  ]),
  ...examples({ owner: "plan", world: planning("", two, {}, "Thanks!"), at }, [
    ["acts", { thank: "Any time." }, { thank: "Gladly." }],
  ]),
]
