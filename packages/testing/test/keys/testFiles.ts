/** Examples of the keys of test files. */
import { join } from "node:path"
import type { KeyExample } from "./KeyExample.ts"
import {
  agent,
  approving,
  asking,
  calling,
  failureKeys,
  files,
  forUser,
  records,
  runsTests,
  simple,
  stubKeys,
} from "./testWorlds.ts"
import { byDefault, examples, file } from "./worlds.ts"

const test = (given: string, flow: string, more = "") => ({
  files: files(flow, {
    "t.yaml": file(
      "WorkflowTest",
      `workflow: flow.yaml\ntests: [{ name: one, given: { ${given} }${more} }]`,
    ),
  }),
  observe: runsTests,
})

/** Assertions that fail and so show the failed attempt. */
const shownFailure = `, expect: { assert: ["events.exists(e, e.type == 'AttemptFailed' && e.delay > 1000)", "events.exists(e, e.type == 'AttemptFailed' && e.delay > 12000)", "events.exists(e, e.type == 'AttemptFailed' && has(e.failure.detail))", "events.exists(e, e.type == 'AttemptFailed' && has(e.failure.detail) && e.failure.detail.a == 2)", "events.exists(e, e.type == 'AttemptFailed' && e.failure.message == 'It broke.')", "events.exists(e, e.type == 'AttemptFailed' && e.failure.message == 'It tore.')"] }`

const replyAt = "tests.0.given.models.ask.0"
const reply = (given: string) =>
  test(`models: { ask: [{ ${given} }, { text: next }, { text: last }] }`, asking)
const replied = { owner: "WorkflowTest.tests.given.models.*", at: replyAt, file: "t.yaml" }
const inTest = { owner: "WorkflowTest.tests", at: "tests.0", file: "t.yaml" }

const tape = (folder: string, result: number) =>
  file(
    "WorkflowTest",
    `workflow: flow.yaml
tests: [{ name: tape, given: { cassette: ${folder}, tools: { weigh: { result: ${result} } } } }]`,
  )

const plainTest = test("", calling)

/** Two recordings, made before the test runs. */
const recorded = {
  files: { ...plainTest.files, "first.yaml": tape("first", 1), "other.yaml": tape("other", 2) },
  observe: async (folder: string) => {
    for (const name of ["first.yaml", "other.yaml"]) await records(join(folder, name))
    return await runsTests(folder)
  },
}

/** Two snapshots, neither of which has the outputs. */
const kept = {
  files: {
    ...plainTest.files,
    "snapshots/t.north.json": { said: 8 },
    "snapshots/t.south.json": { said: 9 },
  },
  observe: runsTests,
}

export const testExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "WorkflowTest", world: test("", simple), file: "t.yaml" }, [
    ["workflow", "flow.yaml", "other.yaml"],
    ["tests", [{ name: "a" }], [{ name: "b" }]],
  ]),
  ...examples({ ...inTest, world: test("", simple) }, [
    ["name", "first", "other"],
    ["given", { inputs: { n: 2 } }, { inputs: { n: 3 } }],
    ["given.inputs", { n: 2 }, { n: 3 }],
    ["given.set", { "inputs.n.default": 5 }, { "inputs.n.default": 6 }],
    ["given.env", "prod", "dev"],
    ["given.flags", { fast: true }, { n: 7 }],
    ["expect", { assert: ["false"] }, { status: "failed" }],
    ["expect.status", "failed", "cancelled"],
    ["expect.assert", ["outputs.n[0] == 2"], ["outputs.n[0] == 3"]],
    ["expect.requirements", ["metrics:n"], ["metrics:m"]],
    ["expect.diagnostics", ["PL1201"], ["PL1202"]],
  ]),
  ...examples({ ...inTest, world: test("", forUser) }, [
    ["given.user", { id: "ada" }, { id: "bob" }],
  ]),
  ...examples({ ...inTest, world: test("", asking) }, [
    ["given.models", { ask: ["tea"] }, { ask: ["milk"] }],
  ]),
  ...examples({ ...inTest, world: test("", calling) }, [
    ["given.tools", { weigh: { result: 1 } }, { weigh: { result: 2 } }],
    [
      "given.sources",
      { stubs: { tools: [{ name: "weigh", effect: "read" }] } },
      { stubs: { fail: { message: "no route" } } },
    ],
  ]),
  ...examples({ ...inTest, world: test("", approving) }, [
    [
      "given.answers",
      [{ stage: "sign", value: { approved: false } }],
      [{ stage: "again", value: { approved: false } }],
    ],
    [
      "given.answers.stage",
      "tests.0.given.answers",
      [{ stage: "sign", value: { approved: false } }],
      [{ stage: "again", value: { approved: false } }],
    ],
    [
      "given.answers.name",
      "tests.0.given.answers",
      [{ name: "sign", value: { approved: false } }],
      [{ name: "again", value: { approved: false } }],
    ],
    [
      "given.answers.value",
      "tests.0.given.answers",
      [{ stage: "sign", value: { approved: false } }],
      [{ stage: "sign", value: { approved: true, comment: "fine" } }],
    ],
  ]),
  ...examples({ ...replied, world: reply("") }, [
    ["text", "tea", "milk"],
    ["json", { a: 1 }, { a: 2 }],
    ["chunks", ["a", "b"], ["c"]],
    ["fail", "internal", "timeout"],
  ]),
  ...examples({ ...replied, world: reply("text: tea") }, [
    ["delay", "1s", "2s"],
    ["when", "Sing.", byDefault("Speak.")],
    ["usage", { input: 1 }, { input: 2 }],
    ["usage.input", 1, 2],
    ["usage.output", 1, 2],
  ]),
  ...examples(
    {
      ...replied,
      world: test(
        "models: { ask: [{ text: tea }] }",
        asking,
        `, expect: { assert: ["events.exists(e, e.type == 'ModelCalled' && e.finish == 'length')"] }`,
      ),
    },
    [["cut", true, byDefault(false)]],
  ),
  ...examples({ ...replied, world: reply("text: tea, usage: { input: 10 }") }, [
    ["usage.cached", 1, 2],
  ]),
  ...examples(
    {
      ...replied,
      world: test(
        "models: { ask: [{ text: tea }] }",
        asking,
        `, expect: { assert: ["events.exists(e, e.type == 'Reasoned')", "events.exists(e, e.type == 'Reasoned' && e.text == 'Cold?')"] }`,
      ),
    },
    [["reasoning", "Hot?", "Cold?"]],
  ),
  ...examples({ ...inTest, world: recorded }, [["given.cassette", "first", "other"]]),
  ...examples({ ...inTest, world: kept }, [["expect.snapshot", "north", "south"]]),
  ...failureKeys("WorkflowTest.tests.given.models.*.fail", `${replyAt}.fail`, "t.yaml", (fail) =>
    test(
      `models: { ask: [{ fail: { ${fail} } }, { text: next }] }`,
      asking.replace(
        "generate,",
        "generate, retry: { max_retries: 1, delay: 1s, jitter: false, on: [rate_limit] },",
      ),
      shownFailure,
    ),
  ),
  ...examples(
    { ...replied, world: test("models: { ask: [{}, { text: next }, { text: last }] }", agent) },
    [
      ["tool_calls", [{ name: "weigh" }], [{ name: "weigh", arguments: { n: 1 } }]],
      ["tool_calls.name", `${replyAt}.tool_calls`, [{ name: "weigh" }], [{ name: "count" }]],
      [
        "tool_calls.arguments",
        `${replyAt}.tool_calls`,
        [{ name: "weigh", arguments: { n: 1 } }],
        [{ name: "weigh", arguments: { n: 2 } }],
      ],
    ],
  ),
  ...stubKeys("WorkflowTest.tests.given.tools.*", "tests.0.given.tools.weigh", "t.yaml", (stub) =>
    test(`tools: { weigh: { ${stub} } }`, calling),
  ),
]
