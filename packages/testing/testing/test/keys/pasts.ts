/** Examples of the keys of a session that a test, an evaluation or an example gives. */
import type { KeyExample } from "./KeyExample.ts"
import { conversing, evaluates, files, runsTests } from "./testWorlds.ts"
import { examples, file, flow, many } from "./worlds.ts"

type WorldOf = (session: string) => KeyExample["world"]

const ofTest: WorldOf = (session) => ({
  files: files(conversing, {
    "t.yaml": file(
      "WorkflowTest",
      `workflow: flow.yaml\ntests: [{ name: one, given: { ${session} } }]`,
    ),
  }),
  observe: runsTests,
})

/** Of each list, how long it is, and how long its texts are. */
const score = [
  ...["user", "assistant"].map((key) => `turns.map(t, t.${key})`),
  ...["type", "id", "name"].map((key) => `entities.map(e, e.${key})`),
].map((list) => `size(outputs.said.${list}.join("-"))`)

const ofEvaluation: WorldOf = (session) => ({
  files: files(conversing, {
    "e.yaml": file(
      "Evaluation",
      `workflow: flow.yaml
cases: [{ ${session} }]
score:
  texts: '${score.join(" + ")}'
  turn: 'outputs.said.entities.map(e, e.turn * e.turn).sum()'
  state: outputs.said.state.n
  summary: size(outputs.said.summary)`,
    ),
  }),
  observe: evaluates,
})

const ofExample: WorldOf = (session) =>
  flow(
    `
defaults: { model: scripted/one }
session:
  { window: 2, compact: { after: 2, by: mechanical }, entities: 4, request: a, assistant: b, state: { n: { type: integer, default: 0, value: 1 } } }
stages:
  - id: ask
    uses: generate
    with: { task: Say. }
    examples: { file: shown.yaml, user: "\${{ session.state.n }} \${{ session.summary }} \${{ session.entities }}" }
`,
    {
      files: {
        "shown.yaml": file(
          "Examples",
          `examples: [{ inputs: {}, output: { text: white }${session === "" ? "" : `, ${session}`} }]`,
        ),
      },
      replies: many({ text: "done" }),
    },
  )

const turn = "user: hello, assistant: Good day."
const call = "tool: weigh, params: { k: kilo }, result: 7"

const keysOf = (
  owner: string,
  at: string,
  place: string,
  world: WorldOf,
): ReadonlyArray<KeyExample> => {
  const inside = { owner: `${owner}.session`, file: place }
  const past = (session: string) => world(`session: { ${session} }`)
  const turns = (calls: string) => past(`turns: [{ ${turn}${calls} }]`)
  const without = (all: string, key: string) =>
    all
      .split(/, (?=\w+:)/)
      .filter((one) => !one.startsWith(`${key}:`))
      .join(", ")
  return [
    ...examples({ owner, file: place, world: world(""), at }, [
      ["session", { turns: [{ user: "a", assistant: "b" }] }, { state: { n: 4 } }],
    ]),
    ...examples({ ...inside, world: past(""), at: `${at}.session` }, [
      ["turns", [{ user: "a", assistant: "b" }], [{ user: "a", assistant: "bcd" }]],
      ["entities", [{ type: "weight", id: "5" }], [{ type: "weight", id: "55" }]],
      ["state", { n: 4 }, { n: 5 }],
      ["summary", "They met.", "They have met."],
    ]),
    ...["user", "assistant"].flatMap((key) =>
      examples({ ...inside, world: past(`turns: [{ ${without(turn, key)} }]`) }, [
        [`turns.${key}`, `${at}.session.turns.0.${key}`, "so", "and so"],
      ]),
    ),
    ...examples({ ...inside, world: turns("") }, [
      [
        "turns.calls",
        `${at}.session.turns.0.calls`,
        [{ tool: "weigh", result: 7 }],
        [{ tool: "weigh", result: 71 }],
      ],
    ]),
    ...(
      [
        ["tool", "weigh", "measure"],
        ["params", { k: "kilo" }, { k: "kilogram" }],
        ["result", 7, 71],
      ] as const
    ).flatMap(([key, one, other]) =>
      examples({ ...inside, world: turns(`, calls: [{ ${without(call, key)} }]`) }, [
        [`turns.calls.${key}`, `${at}.session.turns.0.calls.0.${key}`, one, other],
      ]),
    ),
    ...(
      [
        ["type", "weight", "age"],
        ["id", "5", "55"],
        ["name", "five", "fifty-five"],
        ["turn", 2, 3],
      ] as const
    ).flatMap(([key, one, other]) =>
      examples(
        { ...inside, world: past(`entities: [{ ${without("type: size, id: '3'", key)} }]`) },
        [[`entities.${key}`, `${at}.session.entities.0.${key}`, one, other]],
      ),
    ),
  ]
}

export const pastExamples: ReadonlyArray<KeyExample> = [
  ...keysOf("WorkflowTest.tests.given", "tests.0.given", "t.yaml", ofTest),
  ...keysOf("Evaluation.cases", "cases.0", "e.yaml", ofEvaluation),
  ...keysOf("Examples.examples", "examples.0", "shown.yaml", ofExample),
  ...examples(
    {
      owner: "Evaluation.given",
      at: "given",
      file: "e.yaml",
      world: ofEvaluation("inputs: {}"),
    },
    [["session", { state: { n: 4 } }, { turns: [{ user: "a", assistant: "b" }] }]],
  ),
]
