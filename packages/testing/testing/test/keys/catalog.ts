/** Examples of the keys of a catalog and of a file of examples. */
import type { ToolSource } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { embedded } from "@planloom/retrieval"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const owner = "Catalog"

/** A catalog with one tool, which the world's own source has. */
const withTool = (tool: string, world: World): World => ({
  ...world,
  files: {
    ...world.files,
    "tools.yaml": file("Catalog", `tools: [{ name: weigh, summary: Weighs.${tool} }]`),
  },
})

const replies = [
  { tool_calls: [{ name: "weigh", arguments: { n: 1 } }] },
  ...many({ text: "done" }),
]

/** An agent that may use the tools of a group, or those that an index finds. */
const agent = (tools: string, more: Partial<World> = {}, rest = "") =>
  flow(
    `
use: { files: [tools.yaml] }
defaults: { model: scripted/one }${rest}
stages: [{ id: work, uses: agent, with: { task: Weigh it., tools: [${tools}] } }]
outputs: { work: { value: "\${{ stages.work.output }}" } }
`,
    { replies, tools: { weigh: { result: 7, delay: 5000 }, count: { result: 1 } }, ...more },
  )

const sourceOf = (id: string): ToolSource => ({
  id,
  summary: "Runs tools of catalogs.",
  list: Effect.succeed({ tools: [] }),
  catalogTools: { schema: { type: "object" } },
  call: ({ entry }) => Effect.succeed({ value: [id, entry?.with ?? null] }),
})

/** Two sources that run tools of catalogs. */
const described = flow(
  `
use: { files: [tools.yaml] }
stages: [{ id: work, uses: call, with: { tool: weigh } }]
outputs: { work: { value: "\${{ stages.work.output }}" } }
`,
  { components: () => ({ tools: [sourceOf("scale"), sourceOf("count")] }) },
)

/** Asks a person before the call, with its arguments in the question. */
const approved = agent(
  "weigh",
  { tools: { weigh: { result: 7 } } },
  '\ntexts: { approve: { en: "Run {tool} ({values})?" } }',
)

const inGroups = agent(
  "{ group: heavy }, { group: light }",
  {
    tools: {
      weigh: { result: 1 },
      count: { result: 1, tool: { group: "heavy" } },
      sort: { result: 1, tool: { group: "light" } },
    },
  },
  "\nprompts: {}",
)

/** `count` is found by both searches unless the catalog says more of `weigh`. */
const found = agent("{ search: heavy, limit: 1 }, { search: light, limit: 1 }", {
  tools: {
    weigh: { result: 7 },
    count: {
      result: 1,
      tool: {
        when_to_use:
          "For many things of all kinds and sizes and colors, whether heavy or light or neither.",
      },
    },
  },
})

/** Neither name nor summary of the tool has the words that are searched. */
const narrowed = flow(
  `
use: { files: [tools.yaml] }
stages:
  - id: few
    uses: narrow
    with: { requirements: [{ kind: task, label: ferry }, { kind: task, label: piano }], limit: 1 }
outputs: { few: { value: "\${{ stages.few.output }}" } }
`,
  { tools: { weigh: { result: 7 }, count: { result: 1 } } },
)

const again = { tool_calls: [{ name: "weigh", arguments: { n: 1 } }] }

/** A model that repeats a call that failed. */
const repeating = agent("weigh], auto_approve: [weigh", {
  replies: [again, again, ...many({ text: "done" })],
  tools: { weigh: { fail: { class: "unavailable" }, tool: { effect: "write" } } },
})

/** Equal calls of three stages, the last of which takes those of the run. */
const alike = flow(
  `
use: { files: [tools.yaml] }
stages:
  - { id: a, uses: call, with: { tool: weigh } }
  - { id: b, uses: call, with: { tool: weigh } }
  - { id: c, uses: call, with: { tool: weigh, reuse: run } }
`,
  { tools: { weigh: { result: 7, tool: { effect: "read" } } } },
)

const sizes = {
  type: "object",
  properties: { size: { type: "string", enum: ["small", "large"] } },
  required: ["size"],
}

/** Understands a message by the words of a tool's values. */
const spoken = flow(
  `
use: { files: [tools.yaml] }
stages:
  - id: plan
    uses: plan_turn
    with: { intents: [{ id: heavy, reply: One moment. }], text: weigh the boulder }
outputs: { plan: { value: "\${{ stages.plan.output }}" } }
`,
  {
    tools: { weigh: { result: 7, tool: { group: "heavy", params: sizes } } },
    components: () => ({ indexes: [embedded] }),
  },
)

const covered = flow(`
use: { files: [tools.yaml] }
stages:
  - id: check
    uses: cover
    with:
      plan: { steps: [{ id: a, tool: weigh, inputs: { heap: source }, params: {}, satisfies: ["output:chart", "skill:chart", "output:table", "skill:table"] }] }
      requirements: [{ kind: output, label: chart }, { kind: skill, label: chart }, { kind: output, label: table }, { kind: skill, label: table }]
outputs: { check: { value: "\${{ stages.check.output }}" } }
`)

export const catalogExamples: ReadonlyArray<KeyExample> = [
  ...examples(
    {
      owner,
      file: "tools.yaml",
      world: withTool(", group: heavy", agent("{ group: heavy }, weigh, count")),
    },
    [
      [
        "tools",
        [{ name: "weigh", summary: "A.", group: "heavy" }],
        [{ name: "weigh", summary: "B.", group: "heavy" }],
      ],
      ["tools.name", "tools.0.name", "weigh", "count"],
      ["tools.summary", "tools.0.summary", "Weighs stones.", "Weighs feathers."],
      ["tools.result", "tools.0.result", { type: "string" }, { type: "boolean" }],
      ["tools.summarize", "tools.0.summarize", "'it weighs ' + string(result)", "'weight'"],
      ["tools.notes", "tools.0.notes", "['weighed wet']", "['weighed dry']"],
      ["tools.entities", "tools.0.entities", { stone: "string(result)" }, { stone: "'all'" }],
      ["tools.normalize", "tools.0.normalize", { n: "params.n + 1" }, { n: "params.n + 2" }],
      ["tools.defaults", "tools.0.defaults", { size: "params.n + 1" }, { size: "params.n + 2" }],
      ["tools.needs_approval", "tools.0.needs_approval", true, byDefault(false)],
      ["tools.timeout", "tools.0.timeout", "1s", "2s"],
    ],
  ),
  ...examples({ owner, file: "tools.yaml", world: withTool("", agent("weigh", { tools: {} })) }, [
    [
      "tools.params",
      "tools.0.params",
      { type: "object", properties: { n: { type: "integer" } } },
      { type: "object", properties: { n: { type: "string" } } },
    ],
  ]),
  ...examples(
    {
      owner,
      file: "tools.yaml",
      world: withTool(", needs_approval: true", approved),
    },
    [
      ["tools.title", "tools.0.title", "Weigh it", { en: "Weigh a stone" }],
      ["tools.labels", "tools.0.labels", { n: "stone" }, { n: { en: "rock" } }],
      ["tools.approval", "tools.0.approval", { n: "stones" }, { n: { en: "rocks" } }],
    ],
  ),
  ...examples(
    {
      owner,
      file: "tools.yaml",
      world: withTool(", requires: [{ that: params.n > 5, message: Too light. }]", agent("weigh")),
    },
    [
      [
        "tools.requires",
        "tools.0.requires",
        [{ that: "params.n > 1", message: "Light." }],
        [{ that: "params.n > 1", message: "Heavy." }],
      ],
      ["tools.requires.that", "tools.0.requires.0.that", "params.n > 1", "params.n > 0"],
      [
        "tools.requires.message",
        "tools.0.requires.0.message",
        "Too few.",
        { en: "Too few of them." },
      ],
    ],
  ),
  ...examples({ owner, file: "tools.yaml", world: withTool("", alike) }, [
    ["tools.reuse", "tools.0.reuse", "run", "never"],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool("", described) }, [
    ["tools.source", "tools.0.source", "scale", "count"],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool(", source: scale", described) }, [
    ["tools.with", "tools.0.with", { unit: "kg" }, { unit: "lb" }],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool("", inGroups) }, [
    ["tools.group", "tools.0.group", "heavy", "light"],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool("", found) }, [
    ["tools.when_to_use", "tools.0.when_to_use", "For heavy.", "For light."],
    ["tools.keywords", "tools.0.keywords", ["heavy"], ["light"]],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool(", group: scales", narrowed) }, [
    ["groups", "groups", { scales: "A ferry." }, { scales: "A piano." }],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool("", narrowed) }, [
    ["synonyms", "synonyms", [["ferry", "weighs"]], [["piano", "weighs"]]],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool("", narrowed) }, [
    ["tools.examples", "tools.0.examples", ["Where is the ferry?"], ["Tune the piano."]],
  ]),
  ...examples(
    {
      owner,
      file: "tools.yaml",
      world: withTool("", spoken),
    },
    [
      [
        "tools.words",
        "tools.0.words",
        { size: { large: ["boulder"] } },
        { size: { small: ["boulder"] } },
      ],
    ],
  ),
  ...examples({ owner, file: "tools.yaml", world: withTool("", covered) }, [
    ["tools.capabilities", "tools.0.capabilities", ["chart"], ["table"]],
    ["tools.outputs", "tools.0.outputs", ["chart"], ["table"]],
    ["tools.inputs", "tools.0.inputs", { heap: "stones" }, { pile: "stones" }],
  ]),
  ...examples({ owner, file: "tools.yaml", world: withTool("", repeating) }, [
    ["tools.effect", "tools.0.effect", "read", byDefault("write")],
    ["tools.idempotent", "tools.0.idempotent", true, byDefault(false)],
  ]),
]

const answered = flow(
  `
inputs: { q: { type: string, default: tea } }
defaults: { model: scripted/one }
stages:
  - { id: ask, uses: generate, with: { task: Say. }, examples: { file: shown.yaml, user: "Q: \${{ inputs.q }}" } }
`,
  {
    files: {
      "shown.yaml": file(
        "Examples",
        "examples: [{ inputs: { q: milk }, output: { text: white } }]",
      ),
    },
    replies: many({ text: "done" }),
  },
)

export const shownExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "Examples", file: "shown.yaml", world: answered }, [
    [
      "examples",
      [{ inputs: { q: "a" }, output: { text: "A" } }],
      [{ inputs: { q: "b" }, output: { text: "B" } }],
    ],
    ["examples.inputs", "examples.0.inputs", { q: "a" }, { q: "b" }],
    ["examples.output", "examples.0.output", { text: "a" }, { text: "b" }],
  ]),
]
