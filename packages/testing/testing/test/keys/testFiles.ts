/** Examples of the keys of test files. */
import { join } from "node:path"
import type { KeyExample } from "./KeyExample.ts"
import {
  approving,
  asking,
  calling,
  files,
  forUser,
  records,
  runsTests,
  simple,
  stubKeys,
} from "./testWorlds.ts"
import { replyKeys } from "./replyKeys.ts"
import { examples, file } from "./worlds.ts"

const test = (given: string, flow: string, more = "") => ({
  files: files(flow, {
    "t.yaml": file(
      "WorkflowTest",
      `workflow: flow.yaml\ntests: [{ name: one, given: { ${given} }${more} }]`,
    ),
  }),
  observe: runsTests,
})

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
  ...examples({ ...inTest, world: recorded }, [["given.cassette", "first", "other"]]),
  ...examples({ ...inTest, world: kept }, [["expect.snapshot", "north", "south"]]),
  ...replyKeys(
    "WorkflowTest.tests.given.models.*",
    "tests.0.given.models.ask.0",
    "t.yaml",
    (models, flow, asserts) =>
      test(
        models,
        flow,
        asserts.length === 0 ? "" : `, expect: { assert: ${JSON.stringify(asserts)} }`,
      ),
  ),
  ...stubKeys("WorkflowTest.tests.given.tools.*", "tests.0.given.tools.weigh", "t.yaml", (stub) =>
    test(`tools: { weigh: { ${stub} } }`, calling),
  ),
]
