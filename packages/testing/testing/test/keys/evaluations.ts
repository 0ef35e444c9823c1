/** Examples of the keys of evaluations. */
import type { KeyExample } from "./KeyExample.ts"
import { replyKeys } from "./replyKeys.ts"
import {
  approving,
  asking,
  calling,
  evaluates,
  files,
  forUser,
  simple,
  stubKeys,
} from "./testWorlds.ts"
import { examples, file } from "./worlds.ts"

const evaluation = (body: string, flow = simple) => ({
  files: files(flow, {
    "e.yaml": file("Evaluation", `workflow: flow.yaml\n${body}`),
    "a.yaml": [{ n: 1 }] as never,
    "b.yaml": [{ n: 1 }, { n: 2 }] as never,
  }),
  observe: evaluates,
})
const inEvaluation = { owner: "Evaluation", file: "e.yaml" }

/** The second question has its answer; the first answer is as given. */
const answered = (first: string) =>
  evaluation(
    `cases: [{ inputs: {} }]
score: { n: "outputs.said[0].approved ? 1 : 0" }
given: { answers: [{ ${first} }, { stage: again, value: { approved: true } }] }`,
    approving,
  )

const oneCase = "cases: [{ inputs: { n: 2 } }]"

/** Replies of every run, or of one case. */
const scriptedIn =
  (at: "given" | "cases.0.given") =>
  (models: string, flow: string, asserts: ReadonlyArray<string>) =>
    evaluation(
      `cases: [{ inputs: {}${at === "given" ? "" : `, given: { ${models} }`} }]
${at === "given" ? `given: { ${models} }` : ""}
expect: { assert: ${JSON.stringify(['json(outputs.said) == ""', 'json(calls) == ""', ...asserts])} }`,
      flow,
    )

export const evaluationExamples: ReadonlyArray<KeyExample> = [
  ...examples(
    { ...inEvaluation, world: evaluation('cases: [{ inputs: {} }]\nscore: { n: "outputs.n[0]" }') },
    [
      ["workflow", "flow.yaml", "other.yaml"],
      ["cases", [{ inputs: { n: 7 } }], [{ inputs: {} }, { inputs: {} }]],
      ["cases.inputs", "cases.0.inputs", { n: 7 }, { n: 8 }],
    ],
  ),
  ...examples({ ...inEvaluation, world: evaluation("") }, [["data", "a.yaml", "b.yaml"]]),
  ...examples({ ...inEvaluation, world: evaluation(`${oneCase}\nexpect: {}`) }, [
    ["expect", { assert: ["outputs.n[0] == 3"] }, { assert: ["outputs.n[0] == 4"] }],
    ["expect.assert", ["outputs.n[0] == 3"], ["outputs.n[0] == 4"]],
    ["expect.requirements", ["metrics:n"], ["metrics:m"]],
    [
      "cases.name",
      "cases.0",
      { name: "first", expect: { status: "failed" } },
      { name: "other", expect: { status: "failed" } },
    ],
    ["score", { n: "outputs.n[0]" }, { n: "outputs.n[0] + 1" }],
    ["misses", "[7].filter(n, !(n in outputs.n))", "[8].filter(n, !(n in outputs.n))"],
    ["repeat", 2, 3],
    ["expect.status", "failed", "cancelled"],
    ["cases.expect", "cases.0.expect", { status: "failed" }, { assert: ["1 == 2"] }],
    ["cases.expect.status", "cases.0.expect.status", "failed", "cancelled"],
    ["cases.expect.assert", "cases.0.expect.assert", ["1 == 2"], ["1 == 3"]],
    ["cases.expect.requirements", "cases.0.expect.requirements", ["metrics:n"], ["metrics:m"]],
    ["gate", ["pass_rate > 0.5"], ["pass_rate > 0.6"]],
    ["variants", { a: {} }, { b: {} }],
  ]),
  ...examples(
    { ...inEvaluation, world: evaluation("cases: [{ inputs: { n: 2 } }]\nscore: { n: row.k }") },
    [["cases.row", "cases.0.row", { k: 1 }, { k: 2 }]],
  ),
  ...examples(
    {
      ...inEvaluation,
      world: evaluation('cases: [{ row: { k: 3 } }]\nscore: { n: "outputs.n[0]" }'),
    },
    [["inputs", { n: "${{ row.k }}" }, { n: "${{ row.k + 1 }}" }]],
  ),
  ...examples(
    {
      ...inEvaluation,
      world: evaluation(
        "cases: [{ inputs: {} }, { inputs: {} }, { inputs: {} }, { inputs: {} }, { inputs: {} }]",
        "stages: [{ id: one, uses: work, with: { takes: 1000 } }]",
      ),
    },
    [["concurrency", 1, 2]],
  ),
  ...examples(
    {
      ...inEvaluation,
      owner: "Evaluation.variants.*",
      at: "variants.a",
      world: evaluation(
        `cases: [{ inputs: {} }]
score: { m: "outputs.n[1].fast ? 1 : 0", k: "outputs.n[1].n", i: "outputs.n[0]" }
variants: { a: {} }`,
      ),
    },
    [
      ["env", "prod", "dev"],
      ["flags", { fast: true }, { n: 7 }],
      ["set", { "inputs.n.default": 5 }, { "inputs.n.default": 6 }],
    ],
  ),
  ...examples({ ...inEvaluation, world: evaluation("cases: [{ inputs: {} }]", calling) }, [
    [
      "given",
      { tools: { weigh: { fail: "internal" } } },
      { tools: { weigh: { fail: "tool_error" } } },
    ],
    ["given.tools", { weigh: { fail: "internal" } }, { weigh: { fail: "tool_error" } }],
    [
      "given.sources",
      { stubs: { tools: [{ name: "weigh", effect: "read" }] } },
      { stubs: { fail: { message: "no route" } } },
    ],
  ]),
  ...examples(
    {
      ...inEvaluation,
      owner: "Evaluation.variants.*",
      at: "variants.a",
      world: evaluation("cases: [{ inputs: {} }]\nvariants: { a: {} }", calling),
    },
    [
      [
        "sources",
        { stubs: { tools: [{ name: "weigh", effect: "read" }] } },
        { stubs: { fail: { message: "no route" } } },
      ],
    ],
  ),
  ...examples(
    {
      ...inEvaluation,
      world: evaluation("cases: [{ inputs: {} }]\nscore: { n: size(outputs.n) }", forUser),
    },
    [["given.user", { id: "a" }, { id: "bobby" }]],
  ),
  ...examples(
    {
      ...inEvaluation,
      world: evaluation(
        'cases: [{ inputs: {} }]\nscore: { n: "outputs.said[0].approved ? 1 : 0", m: "outputs.said[1].approved ? 1 : 0" }\ngiven: { answers: [{ stage: again, value: { approved: true } }] }',
        approving,
      ),
    },
    [
      [
        "given.answers",
        [{ stage: "sign", value: { approved: true } }],
        [
          { stage: "sign", value: { approved: true } },
          { stage: "again", value: { approved: true } },
        ],
      ],
    ],
  ),
  ...examples(
    { ...inEvaluation, at: "given.answers.0", world: answered("value: { approved: true }") },
    [
      ["given.answers.stage", "given.answers.0.stage", "sign", "again"],
      ["given.answers.name", "given.answers.0.name", "sign", "again"],
    ],
  ),
  ...examples({ ...inEvaluation, world: answered("stage: sign") }, [
    ["given.answers.value", "given.answers.0.value", { approved: true }, { approved: false }],
  ]),
  ...(["given", "cases.0.given"] as const).flatMap((at) => {
    const owner = at === "given" ? "Evaluation.given" : "Evaluation.cases.given"
    return [
      ...replyKeys(`${owner}.models.*`, `${at}.models.ask.0`, "e.yaml", scriptedIn(at)),
      ...examples({ ...inEvaluation, world: scriptedIn(at)("models: {}", asking, []) }, [
        [
          owner.replace("Evaluation.", ""),
          at,
          { models: { ask: ["tea"] } },
          { models: { ask: ["milk"] } },
        ],
        [
          `${owner.replace("Evaluation.", "")}.models`,
          `${at}.models`,
          { ask: ["tea"] },
          { ask: ["milk"] },
        ],
      ]),
    ]
  }),
  ...examples(
    {
      ...inEvaluation,
      world: evaluation(
        "cases: [{ inputs: {}, given: {} }]\ngiven: { tools: { weigh: { result: 3 } } }\nscore: { n: outputs.said }",
        calling,
      ),
    },
    [
      [
        "cases.given.tools",
        "cases.0.given.tools",
        { weigh: { result: 1 } },
        { weigh: { result: 2 } },
      ],
    ],
  ),
  ...stubKeys("Evaluation.cases.given.tools.*", "cases.0.given.tools.weigh", "e.yaml", (stub) =>
    evaluation(
      `cases: [{ inputs: {}, given: { tools: { weigh: { ${stub} } } } }]\nscore: { n: outputs.said }\nexpect: { assert: ["failure.detail.a > 5"] }`,
      calling,
    ),
  ),
  ...stubKeys("Evaluation.given.tools.*", "given.tools.weigh", "e.yaml", (stub) =>
    evaluation(
      `cases: [{ inputs: {} }]\nscore: { n: outputs.said }\nexpect: { assert: ["failure.detail.a > 5"] }\ngiven: { tools: { weigh: { ${stub} } } }`,
      calling,
    ),
  ),
]
