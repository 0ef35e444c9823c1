/** Examples of the keys of sessions and outputs. */
import type { KeyExample } from "./KeyExample.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const talk = flow(
  `
inputs: { text: { type: string } }
defaults: { model: scripted/one }
stages:
  - { id: reply, uses: generate, with: { task: "\${{ inputs.text }}", context: "\${{ session }}" } }
session:
  request: "\${{ inputs.text }}"
  assistant: "\${{ stages.reply.output.text }}"
  state: { count: { type: integer, default: 1, value: "\${{ session.state.count + 1 }}" } }
outputs: { reply: { value: "\${{ stages.reply.output.text }}" } }
`,
  {
    turns: [{ text: "hi" }, { text: "tea" }, { text: "bye" }],
    replies: ["one", "two", "three"].map((text) => ({ text })),
  },
)

const counting = flow(
  `
inputs: { text: { type: string } }
stages: [{ id: one, uses: work, with: { value: "\${{ session.state }}" } }]
session:
  request: "\${{ inputs.text }}"
  assistant: Yes.
  state: { count: { type: integer, default: 1, value: "\${{ session.state.count + 1 }}" } }
`,
  { turns: [{ text: "hi" }, { text: "tea" }] },
)

const writing = flow(
  `
defaults: { model: scripted/one }
stages:
  - { id: say, uses: generate, with: { task: Speak. } }
  - { id: rest, uses: work, with: { takes: 1000, value: 1 } }
outputs: { said: { value: "\${{ stages.say.output.text }}" }, any: { value: "\${{ dyn(stages.say.output.text) }}" } }
`,
  { replies: many({ chunks: ["o", "ne"] }) },
)

const called = flow(
  `
use: { files: [tools.yaml] }
stages:
  - { id: weigh, uses: call, with: { tool: weigh } }
  - { id: seen, uses: work, with: { value: "\${{ session.entities }}" } }
session: { request: a, assistant: b }
`,
  { turns: [{}, {}], tools: { weigh: { result: 7 } } },
)

const weighing = {
  ...called,
  files: {
    ...called.files,
    "tools.yaml": file(
      "Catalog",
      `tools: [{ name: weigh, summary: Weighs., entities: { stone: "['a', 'b']" } }]`,
    ),
  },
}

/** Four turns, of which one is kept. */
const folding = (compact: string) =>
  flow(
    `
inputs: { text: { type: string } }
defaults: { model: scripted/one }
stages: [{ id: one, uses: work, with: { value: "\${{ session.summary }}" } }]
session: { window: 1, request: "\${{ inputs.text }}", assistant: Yes.${compact} }
`,
    {
      turns: [{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }],
      replies: many({ text: "Some letters." }),
    },
  )

export const outputExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "Workflow.session", world: talk, at: "session" }, [
    ["window", 1, 0],
    ["request", "${{ inputs.text }}", "You said ${{ inputs.text }}"],
    ["assistant", "${{ stages.reply.output.text }}", "I said ${{ stages.reply.output.text }}"],
    [
      "state",
      { other: { type: "string", default: "a", value: "b" } },
      { other: { type: "string", default: "a", value: "c" } },
    ],
  ]),
  ...examples({ owner: "Workflow.session", world: weighing, at: "session" }, [
    ["entities", 1, byDefault(0)],
  ]),
  ...examples({ owner: "Workflow.session", world: folding(""), at: "session" }, [
    ["compact", { by: "mechanical" }, { by: "model" }],
  ]),
  ...examples(
    { owner: "Workflow.session.compact", world: folding(", compact: {}"), at: "session.compact" },
    [
      ["after", 2, byDefault(1)],
      ["by", "model", byDefault("mechanical")],
      ["model", "scripted/one", "scripted/two"],
    ],
  ),
  ...examples(
    {
      owner: "Workflow.session.compact",
      world: folding(", compact: { by: model }"),
      at: "session.compact",
    },
    [["max_tokens", 50, byDefault(400)]],
  ),
  ...examples({ owner: "Workflow", world: talk }, [
    [
      "session",
      { request: "${{ inputs.text }}", assistant: "Yes." },
      { request: "${{ inputs.text }}", assistant: "No." },
    ],
  ]),
  ...examples({ owner: "Workflow.session.state.*", world: counting, at: "session.state.count" }, [
    ["default", 2, 3],
    ["value", "${{ session.state.count + 2 }}", "${{ session.state.count + 3 }}"],
    [
      "type",
      "session.state.count",
      { type: "integer", default: 1, value: "${{ inputs.text == 'hi' ? dyn('a') : dyn(1) }}" },
      {
        type: ["integer", "string"],
        default: 1,
        value: "${{ inputs.text == 'hi' ? dyn('a') : dyn(1) }}",
      },
    ],
  ]),
  ...examples({ owner: "Workflow.outputs.*", world: writing, at: "outputs.said" }, [
    ["type", "outputs.any.type", "integer", "boolean"],
    ["early", true, byDefault(false)],
    ["stream", true, byDefault(false)],
  ]),
]
