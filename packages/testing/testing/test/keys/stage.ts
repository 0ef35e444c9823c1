/** Examples of the keys of a stage. */
import type { KeyExample } from "./KeyExample.ts"
import { asking, byDefault, examples, file, flow, many } from "./worlds.ts"

const owner = "stage"

/** `first` takes a second, `second` ten milliseconds. */
const two = flow(`
inputs: { rows: { type: array, default: [1, 2, 3] }, rest: { type: array, default: [4] } }
stages:
  - { id: first, uses: work, with: { value: "\${{ inputs.rows[0] }}", takes: 1000 } }
  - { id: second, uses: work, with: { value: "\${{ inputs.rest[0] }}", takes: 10 } }
`)

const inOrder = flow(`
stages:
  - { id: first, uses: work, with: { takes: 10 } }
  - { id: second, uses: work, with: { takes: 1000 } }
  - { id: third, uses: work, with: { takes: 1 } }
`)

const each = flow(`
inputs: { rows: { type: array, default: [1, 2, 3, 4, 5, 6] }, rest: { type: array, default: [4] } }
stages:
  - { id: each, uses: work, for_each: { in: inputs.rows }, with: { value: "\${{ [inputs.rest[0]] }}", takes: 1000 } }
`)

const nestedLists = flow(`
inputs: { row: { type: string, default: input }, entry: { type: string, default: other } }
stages:
  - { id: each, uses: work, for_each: { in: "[1, 2]" }, with: { value: "\${{ item }}" } }
`)

const counted = flow(`
stages:
  - id: count
    repeat: { carry: { n: 0 }, next: { n: "\${{ iter.n + 1 }}" }, until: iter.n >= 4, max_iterations: 9 }
    stages: [{ id: inner, uses: work, with: { value: "\${{ iter.n }}" } }]
`)

const endless = flow(`
stages:
  - id: endless
    repeat: { until: "false", max_iterations: 2 }
    stages: [{ id: inner, uses: work, with: { value: 1 } }]
`)

/** Its second round fails, and none calls a tool. */
const breaking = flow(`
stages:
  - id: breaking
    repeat: { until: "false", max_iterations: 2, on_exhausted: continue }
    stages: [{ id: inner, uses: work, if: iter.index == 1, with: { fails: unavailable } }]
`)

const failing = flow(`
stages:
  - { id: fail, uses: work, with: { fails: unavailable } }
  - { id: after, uses: work, if: "true", with: { value: 1 } }
`)

const replaced = flow(`
stages:
  - { id: fail, uses: work, with: { fails: unavailable }, fallback: { uses: work, with: { value: 1 } } }
`)

const answered = {
  "a.yaml": file(
    "Examples",
    "examples: [{ inputs: { q: cold milk }, output: { text: milk } }, { inputs: { q: tea and more tea }, output: { text: tea } }]",
  ),
  "b.yaml": file("Examples", "examples: [{ inputs: { q: b }, output: { text: B } }]"),
}

const shown = asking(
  `defaults: { model: scripted/one }
inputs: { q: { type: string, default: tea } }`,
  `, examples: { file: a.yaml, user: "Q: \${{ inputs.q }}" }`,
  { files: answered },
)

const prompted = asking(
  `defaults: { model: scripted/one }
prompts: { a: a.md, b: b.md }
modes: { full: { sections: [a, b] }, brief: { sections: [b] } }`,
  `, prompt: { use: a }`,
  { files: { "a.md": "You are A.\n", "b.md": "You are B.\n" } },
)

const promptedFallback = flow(
  `
prompts: { a: a.md, b: b.md }
modes: { full: { sections: [a, b] }, brief: { sections: [b] } }
defaults: { model: scripted/one }
stages:
  - { id: fail, uses: work, with: { fails: unavailable }, fallback: { uses: generate, with: { task: Speak. }, prompt: { use: a } } }
`,
  {
    files: { "a.md": "You are A.\n", "b.md": "You are B.\n" },
    replies: many({ text: "done" }),
  },
)

const misshapen = flow(
  `
defaults: { model: scripted/one }
stages: [{ id: ask, uses: generate, with: { task: A number., schema: { type: object, properties: { n: { type: integer } }, required: [n] } } }]
`,
  { replies: [{ json: { m: "x" } }, { json: { n: 1 } }] },
)

export const stageExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner, world: inOrder }, [["needs", "stages.2.needs", [], ["first"]]]),
  ...examples({ owner, world: two, at: "stages.0" }, [
    ["id", "one", "other"],
    ["if", "false", "inputs.rows[0] == 9"],
    ["for_each", "inputs.rows", "inputs.rest"],
    ["with", { value: 3 }, { value: 4 }],
    ["output", { type: "string" }, { type: "integer", minimum: 9 }],
    ["assert", "stages.first.output > 9", "stages.first.output > 10"],
  ]),
  ...examples(
    {
      owner,
      world: flow(`
prompts: {}
stages: [{ id: first, with: { task: tea } }]`),
      at: "stages.0",
    },
    [
      [
        "uses",
        "stages.0",
        { id: "first", uses: "work" },
        { id: "first", uses: "generate", with: { task: "tea", context: "hot" } },
      ],
    ],
  ),
  ...examples({ owner, world: each, at: "stages.0" }, [
    ["for_each.in", "inputs.rows", "inputs.rest"],
    ["for_each.max_parallel", 1, 2],
  ]),
  ...examples({ owner, world: nestedLists }, [
    [
      "for_each.as",
      "stages.0",
      {
        id: "each",
        uses: "work",
        for_each: { in: "[1, 2]", as: "row" },
        with: { value: "${{ row }}/${{ inputs.entry }}" },
      },
      {
        id: "each",
        uses: "work",
        for_each: { in: "[1, 2]", as: "entry" },
        with: { value: "${{ entry }}/${{ inputs.row }}" },
      },
    ],
  ]),
  ...examples({ owner, world: counted, at: "stages.0" }, [
    ["repeat.carry", { n: 1 }, { n: 2 }],
    ["repeat.next", { n: "${{ iter.n + 2 }}" }, { n: "${{ iter.n + 3 }}" }],
    ["repeat.until", "iter.n >= 2", "iter.n >= 3"],
    ["repeat.max_iterations", 2, 3],
    [
      "stages",
      [{ id: "inner", uses: "work" }],
      [{ id: "inner", uses: "work", with: { takes: 9 } }],
    ],
  ]),
  ...examples({ owner, world: endless, at: "stages.0" }, [
    ["repeat.on_exhausted", "continue", byDefault("fail")],
    ["repeat", { until: "true", max_iterations: 1 }, { until: "false", max_iterations: 3 }],
  ]),
  ...examples({ owner, world: breaking, at: "stages.0" }, [
    ["repeat.on_round_error", "keep", byDefault("fail")],
    ["repeat.on_no_new_call", "end", byDefault("continue")],
  ]),
  ...examples({ owner, world: failing, at: "stages.0" }, [
    ["on_error", "continue", byDefault("fail")],
    ["fallback", { uses: "work", with: { value: 1 } }, { uses: "work", with: { value: 2 } }],
  ]),
  ...examples({ owner, world: replaced, at: "stages.0" }, [
    ["fallback.with", { value: 3 }, { value: 2 }],
  ]),
  ...examples({ owner, world: promptedFallback, at: "stages.0" }, [
    [
      "fallback.uses",
      "stages.0.fallback",
      { uses: "work" },
      { uses: "generate", with: { task: "Speak." } },
    ],
    ["fallback.prompt", "a", "b"],
    ["fallback.prompt.use", "a", "b"],
    ["fallback.prompt.mode", "full", "brief"],
    ["fallback.model", "scripted/two", "scripted/three"],
  ]),
  ...examples({ owner, world: asking(), at: "stages.0" }, [
    ["model", "scripted/one", "scripted/two"],
  ]),
  ...examples({ owner, world: { ...prompted, files: { ...prompted.files } }, at: "stages.0" }, [
    ["prompt", "a", "b"],
    ["prompt.use", "a", "b"],
    ["prompt.mode", "full", "brief"],
  ]),
  ...examples({ owner, world: shown, at: "stages.0" }, [
    [
      "examples",
      { file: "a.yaml", user: "A: ${{ inputs.q }}" },
      { file: "b.yaml", user: "${{ inputs.q }}" },
    ],
    ["examples.file", "a.yaml", "b.yaml"],
    ["examples.user", "A: ${{ inputs.q }}", "B: ${{ inputs.q }}"],
    ["examples.max_tokens", 12, 1],
  ]),
  ...examples({ owner, world: misshapen, at: "stages.0" }, [["repair", false, byDefault(true)]]),
]
