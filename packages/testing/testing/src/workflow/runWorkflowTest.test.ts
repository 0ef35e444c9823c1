/** The runner on workflows and test files written to a folder of its own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  definePlugin,
  stageKind,
  StageFailed,
  type JsonObject,
  type ToolEffect,
} from "@planloom/plugin/effect"
import { checkFile } from "@planloom/language"
import { fileKinds } from "../file/fileKinds.ts"
import { runWorkflowTest, type WorkflowTestOptions } from "./runWorkflowTest.ts"
import { passed } from "./TestReport.ts"

/** A stage that asks its model for a list of words or reads them off mechanically, and one that counts by a tool. */
const kitWhoseTool = (effect: ToolEffect) =>
  definePlugin({
    id: "kit",
    summary: "for these tests",
    components: {
      stages: [
        stageKind<{ readonly text: string }>({
          id: "words",
          summary: "finds words",
          input: {
            type: "object",
            properties: { text: { type: "string" } },
            required: ["text"],
            additionalProperties: false,
          },
          output: {
            type: "object",
            properties: { words: { type: "array", items: { type: "string" } } },
            required: ["words"],
          },
          model: ({ text }, { feedback, model }) =>
            model.json(
              {
                messages: [
                  { role: "user", content: feedback ? `${text} (${feedback.message})` : text },
                ],
              },
              {
                name: "words",
                schema: {
                  type: "object",
                  properties: { words: { type: "array", items: { type: "string" } } },
                  required: ["words"],
                },
              },
            ),
          mechanical: ({ text }) => Effect.succeed({ words: text.split(" ") }),
        }),
        stageKind<{ readonly words: ReadonlyArray<string> }>({
          id: "tally",
          summary: "counts by a tool",
          input: {
            type: "object",
            properties: { words: { type: "array", items: { type: "string" } } },
            required: ["words"],
            additionalProperties: false,
          },
          output: {
            type: "object",
            properties: { count: { type: "integer" } },
            required: ["count"],
          },
          run: ({ words }, { callTool }) =>
            Effect.flatMap(callTool({ tool: "count", params: { words }, key: "count" }), (count) =>
              typeof count === "number"
                ? Effect.succeed({ count })
                : Effect.fail(new StageFailed({ class: "tool_error", message: "no number" })),
            ),
        }),
      ],
      tools: [
        {
          id: "counting",
          summary: "counts",
          list: Effect.succeed({
            tools: [
              {
                name: "count",
                summary: "counts words",
                capabilities: ["count"],
                inputs: {},
                params: {
                  type: "object",
                  properties: { words: { type: "array" } },
                  required: ["words"],
                },
                outputs: ["number"],
                effect,
              },
            ],
          }),
          call: ({ params }) =>
            Effect.succeed({ value: (params["words"] as ReadonlyArray<string>).length }),
        },
      ],
    },
  })

const kit = kitWhoseTool("none")

const workflow = `
apiVersion: planloom/v1
kind: Workflow
name: counted
use: { plugins: [kit] }
inputs:
  text: { type: string }
models:
  reader: { try: [acme/small], otherwise: mechanical }
stages:
  - id: found
    uses: words
    model: reader
    with: { text: "\${{ inputs.text }}" }
    retry: { max_retries: 1, delay: 1h, on: [rate_limit] }
    assert:
      - that: size(stages.found.output.words) < 4
        message: too many words
        on_fail: { rerun: found, max_reruns: 1 }
  - id: counted
    uses: tally
    with: { words: "\${{ stages.found.output.words }}" }
outputs:
  count: { type: integer, value: "\${{ stages.counted.output.count }}" }
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "runner-"))
  writeFileSync(join(folder, "counted.yaml"), workflow)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const running = (tests: string, options: WorkflowTestOptions = {}) => {
  const file = join(folder, "counted.test.yaml")
  writeFileSync(
    file,
    `apiVersion: planloom/v1\nkind: WorkflowTest\nworkflow: ./counted.yaml\ntests:\n${tests}`,
  )
  return runWorkflowTest(file, {
    ...options,
    load: { plugins: { kit: () => Promise.resolve(kit) }, ...options.load },
  })
}

const said = ({ failures }: { readonly failures: ReadonlyArray<JsonObject | object> }) =>
  failures.map((failure) => {
    const { assertion, message, start } = failure as {
      assertion: string
      message: string
      start: { line: number; col: number }
    }
    return `${start.line}:${start.col} ${assertion}: ${message}`
  })

describe("a test without scripted replies", () => {
  it.effect("runs the workflow as it is without a key, on its real tools", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: counts the words of the text
    given: { inputs: { text: "one two three" } }
    expect:
      assert:
        - outputs.count == 3
        - size(degraded) == 1
        - stages.found.strategy == "mechanical"
        - usage.toolCalls == 1 && failure == null && status == "succeeded"
`)
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepStrictEqual(report.tests.flatMap(said), [])
      assert.isTrue(passed([report]))
      assert.strictEqual(report.tests[0]!.test, "counts the words of the text")
    }),
  )
})

describe("scripted replies", () => {
  it.effect(
    "answer by stage id, in order; a failure is retried without waiting for its pause",
    () =>
      Effect.gen(function* () {
        const report = yield* running(`
  - name: asks again when it is told to slow down
    given:
      inputs: { text: anything }
      models: { found: [{ fail: rate_limit }, { json: { words: [a, b] }, usage: { input: 9, output: 2 } }] }
    expect:
      assert:
        - outputs.count == 2
        - stages.found.attempts == 2
        - usage.inputTokens == 9
        - events.exists_one(e, e.type == "AttemptFailed" && e.failure.class == "rate_limit")
`)
        assert.deepStrictEqual(report.diagnostics, [])
        assert.deepStrictEqual(report.tests.flatMap(said), [])
      }),
  )

  it.effect("answer by alias, and see what the assertion sent back", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: sends too many words back
    given:
      inputs: { text: anything }
      models:
        reader:
          - json: { words: [a, b, c, d] }
          - { when: too many words, json: { words: [a] } }
    expect:
      assert:
        - outputs.count == 1
        - size(events.filter(e, e.type == 'AssertionFailed')) == 1
`)
      assert.deepStrictEqual(report.tests.flatMap(said), [])
    }),
  )

  it.effect("that run out, or that nobody asks for, are failures at their place", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: asks more often than there are replies
    given:
      inputs: { text: anything }
      models: { reader: [{ json: { words: [a, b, c, d] } }] }
  - name: asks less often than there are replies
    given:
      inputs: { text: anything }
      models:
        reader:
          - { json: { words: [a] } }
          - { json: { words: [b] } }
`)
      const [more, less] = report.tests
      assert.include(said(more!)[0]!, "the run failed")
      assert.include(
        said(more!)[1]!,
        'the script of "reader" has 1 reply; request 2 asks: anything (too many words)',
      )
      assert.deepStrictEqual(said(less!), [
        '16:13 every reply is used: this reply of "reader" was not used',
      ])
    }),
  )
})

describe("stubbed tools", () => {
  it.effect("answer instead of the real ones", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: believes the stub
    given: { inputs: { text: a }, tools: { count: { result: 41 } } }
    expect: { assert: [outputs.count == 41] }
  - name: fails as the stub fails
    given: { inputs: { text: a }, tools: { count: { fail: { class: tool_error, message: broken } } } }
    expect: { status: failed, assert: ['failure.class == "tool_error"', 'failure.message.contains("broken")', stages.counted.outcome == "failure"] }
`)
      assert.deepStrictEqual(report.tests.flatMap(said), [])
    }),
  )

  it.effect("take the place of tools that may write, unless the test calls those", () =>
    Effect.gen(function* () {
      const load = { plugins: { kit: () => Promise.resolve(kitWhoseTool("write")) } }
      const report = yield* running(
        `
  - { name: no stub, given: { inputs: { text: a } } }
  - { name: real, given: { inputs: { text: a }, tools: { count: real } }, expect: { assert: [outputs.count == 1] } }
`,
        { load },
      )
      const [missing, real] = report.tests.map(said)
      assert.include(
        missing!.join("\n"),
        'the tool "count" has no stub: give it a result under `tools`, or write `count: real` to call it',
      )
      assert.deepStrictEqual(real, [])
    }),
  )
})

describe("what does not hold", () => {
  it.effect("is told at its line, with the values that decided", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: is wrong in many ways
    given: { inputs: { text: "one two" } }
    expect:
      status: failed
      assert:
        - outputs.count == 3
        - outputs.count > 1 && stages.found.output.words[0].startsWith("t")
        - stages.found.output.words[7] == "x"
        - stages.found.output.words.all(w, w == "one")
`)
      assert.deepStrictEqual(said(report.tests[0]!), [
        "9:15 status == 'failed': the run succeeded",
        "11:11 outputs.count == 3: outputs.count is 2",
        '12:11 outputs.count > 1 && stages.found.output.words[0].startsWith("t"): stages.found.output.words[0] is "one"',
        '13:11 stages.found.output.words[7] == "x": stages.found.output.words[7]: stages.found.output.words has 2 items, there is no [7]',
        '14:11 stages.found.output.words.all(w, w == "one"): stages.found.output.words is ["one","two"]',
      ])
      assert.isFalse(passed([report]))
    }),
  )

  it.effect("can be inputs that do not fit", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - { name: has no text, given: { inputs: { text: 3 } } }
`)
      assert.include(
        said(report.tests[0]!)[0]!,
        'the inputs and the user fit: the inputs of "counted" do not fit',
      )
    }),
  )
})

describe("the user that a test gives", () => {
  const forUser = workflow
    .replace(
      "inputs:",
      "user: { type: object, required: [id], properties: { id: { type: string } } }\ninputs:",
    )
    .replace('"${{ inputs.text }}"', '"${{ inputs.text }} ${{ user.id }}"')

  it.effect("is read by the workflow", () =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "counted.yaml"), forUser)
      const report = yield* running(`
  - name: counts the user
    given: { inputs: { text: one two }, user: { id: u_1 } }
    expect: { assert: [outputs.count == 3, 'stages.found.output.words[2] == "u_1"'] }
`)
      assert.deepStrictEqual(report.tests.flatMap(said), [])
      assert.isTrue(passed([report]))
    }),
  )

  it.effect("is missed by a test without one", () =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "counted.yaml"), forUser)
      const report = yield* running(`
  - { name: has no user, given: { inputs: { text: one } } }
`)
      assert.include(said(report.tests[0]!)[0]!, "declares `user:` and needs a user")
    }),
  )

  it.effect(
    "is reported where it does not fit the workflow, and where the workflow declares none",
    () =>
      Effect.gen(function* () {
        const test = `
  - { name: wrong user, given: { inputs: { text: one }, user: { id: 7 } } }
`
        const none = yield* running(test)
        const problems = ({ diagnostics }: typeof none) =>
          diagnostics.map(
            ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
          )
        assert.deepStrictEqual(problems(none), [
          '6:57 PL0101 the workflow "counted" declares no user',
        ])
        writeFileSync(join(folder, "counted.yaml"), forUser)
        const wrong = yield* running(test)
        assert.deepStrictEqual(problems(wrong), ['6:69 PL0103 the user "id" must be string'])
      }),
  )
})

describe("a wrong test file", () => {
  it.effect("is refused with every mistake at its place, and nothing runs", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: names what is not there
    given:
      inputs: { txt: a }
      models: { raeder: [] }
      tools: { cuont: { result: 1 } }
    expect:
      assert:
        - outputs.cuont == 1
        - stages.fuond.output == 1
        - size(outputs.count
        - outputs.count + 1
`)
      assert.deepStrictEqual(
        report.diagnostics.map(
          ({ code, help, message, start }) =>
            `${start.line}:${start.col} ${code} ${message} | ${help}`,
        ),
        [
          '8:17 PL0101 there is no input "txt" | did you mean "text"?',
          '9:17 PL2002 there is no stage, reviewer or model alias "raeder" | did you mean "reader"? there are: found, counted, reader',
          '10:16 PL4008 there is no tool "cuont" | did you mean "count"?',
          '13:19 PL1201 there is no output "cuont" | did you mean "count"?',
          '14:18 PL2002 there is no stage "fuond" | did you mean "found"? there are: found, counted',
          '15:29 PL1001 expected ")", but the expression ends | undefined',
          "16:11 PL1204 an assertion is true or false, this is neither | undefined",
        ],
      )
      assert.deepStrictEqual(report.tests, [])
      assert.isFalse(passed([report]))
    }),
  )

  it.effect("may be of the wrong shape", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - name: half
    given:
      models: { reader: [{ text: a, json: 1 }, {}, { fail: rate_limits }] }
      tools: { count: {} }
    expect: { status: success }
`)
      assert.deepStrictEqual(
        report.diagnostics.map(({ code, start }) => `${start.line} ${code}`),
        ["8 PL0110", "8 PL0102", "8 PL0104", "9 PL0102", "10 PL0104"],
      )
    }),
  )

  it.effect("may test a workflow that does not pass check", () =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "counted.yaml"), workflow.replace("uses: tally", "use: tally"))
      const report = yield* running("\n  - { name: runs }\n")
      assert.isAbove(report.diagnostics.length, 0)
      assert.isTrue(report.diagnostics.every(({ file }) => file === join(folder, "counted.yaml")))
      assert.isTrue(report.sources.has(join(folder, "counted.yaml")))
      assert.deepStrictEqual(report.tests, [])
    }),
  )
})

it.effect("a workflow that must be refused is checked and not run", () =>
  Effect.gen(function* () {
    writeFileSync(join(folder, "counted.yaml"), workflow.replace("uses: tally", "use: tally"))
    const report = yield* running(`
  - { name: is refused, expect: { diagnostics: [PL0101] } }
  - { name: is refused otherwise, expect: { diagnostics: [PL9999] } }
`)
    const [refused, otherwise] = report.tests
    assert.isTrue(refused!.ok, said(refused!).join("\n"))
    assert.include(said(otherwise!)[0]!, "7:59 the workflow is refused with PL9999")
    assert.include(said(otherwise!)[0]!, "PL0101")
  }),
)

it.effect("only the tests whose name the filter names are run", () =>
  Effect.gen(function* () {
    const report = yield* running(
      `
  - { name: counts one, given: { inputs: { text: a } } }
  - { name: counts two, given: { inputs: { text: a b } } }
`,
      { filter: "two" },
    )
    assert.deepStrictEqual(
      report.tests.map(({ test }) => test),
      ["counts two"],
    )
    assert.strictEqual(report.skipped, 1)
  }),
)

it.effect("a snapshot is written on request, compared afterwards, and told when it differs", () =>
  Effect.gen(function* () {
    const test = (text: string) =>
      `\n  - { name: counts, given: { inputs: { text: ${text} } }, expect: { snapshot: the count } }\n`
    const missing = yield* running(test("a b"))
    assert.include(said(missing.tests[0]!)[0]!, "--update keeps the outputs")
    assert.isTrue((yield* running(test("a b"), { update: true })).tests[0]!.ok)
    const kept = readFileSync(join(folder, "snapshots/counted.the_count.json"), "utf8")
    assert.strictEqual(kept, '{\n  "count": 2\n}\n')
    assert.isTrue((yield* running(test("a b"))).tests[0]!.ok)
    const differs = yield* running(test("a"))
    assert.include(said(differs.tests[0]!)[0]!, '-   "count": 2\n+   "count": 1')
  }),
)

describe("how a test reads its workflow", () => {
  const switched = workflow
    .replace("acme/small", "")
    .replace("inputs:", "flags: { careful: false, least: 1 }\ninputs:")
    .replace("outputs:", "outputs:\n  careful: { type: boolean, value: '${{ flags.careful }}' }")
  const careful = (value: string) => `expect: { assert: ["outputs.careful == ${value}"] }`
  beforeEach(() => {
    writeFileSync(join(folder, "counted.yaml"), switched)
    writeFileSync(
      join(folder, "planloom.yaml"),
      "apiVersion: planloom/v1\nkind: Project\nenvironments: { prod: { set: { flags.careful: true } } }\n",
    )
  })

  it.effect("is its own: flags, settings and an environment, each for that test alone", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - { name: plainly, given: { inputs: { text: a } }, ${careful("false")} }
  - { name: with a flag, given: { inputs: { text: a }, flags: { careful: true } }, ${careful("true")} }
  - { name: with a setting, given: { inputs: { text: a }, set: { flags.careful: true } }, ${careful("true")} }
  - { name: in an environment, given: { inputs: { text: a }, env: prod }, ${careful("true")} }
  - { name: with a flag in an environment, given: { inputs: { text: a }, env: prod, flags: { careful: false } }, ${careful("false")} }
  - { name: plainly again, given: { inputs: { text: a } }, ${careful("false")} }
`)
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepStrictEqual(report.tests.flatMap(said), [])
      assert.lengthOf(report.tests, 6)
    }),
  )

  it.effect("is not the process's: its variables switch nothing", () =>
    Effect.gen(function* () {
      process.env["PLANLOOM_FLAG_CAREFUL"] = "true"
      process.env["PLANLOOM_FLAG_LEAST"] = "none"
      const report = yield* running(`
  - { name: plainly, given: { inputs: { text: a } }, ${careful("false")} }
  - { name: is refused by nothing, expect: { diagnostics: [PL4015] } }
`).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            delete process.env["PLANLOOM_FLAG_CAREFUL"]
            delete process.env["PLANLOOM_FLAG_LEAST"]
          }),
        ),
      )
      assert.deepStrictEqual(report.diagnostics, [])
      const [plainly, refused] = report.tests
      assert.isTrue(plainly!.ok)
      assert.include(said(refused!)[0], "it passes check")
    }),
  )

  it.effect("is told at its place in the test where it names nothing, by test and by check", () =>
    Effect.gen(function* () {
      const tests = `
  - { name: a flag, given: { inputs: { text: a }, flags: { carefull: true } } }
  - { name: of another type, given: { inputs: { text: a }, flags: { least: many } } }
  - { name: a setting, given: { inputs: { text: a }, set: { stages.fuond.timeout: 1s } } }
  - { name: an environment, given: { inputs: { text: a }, env: prd } }
  - { name: a wrong value, given: { inputs: { text: a }, set: { stages.found.timeout: soon } } }
`
      const report = yield* running(tests)
      const wrong = report.diagnostics.map(
        ({ code, file, help, message, start }) =>
          `${basename(file)}:${start.line} ${code} ${message} | ${help}`,
      )
      assert.deepStrictEqual(wrong.slice(0, 4), [
        'counted.test.yaml:6 PL4015 there is no flag "carefull"; there are: careful, least | did you mean "careful"?',
        'counted.test.yaml:7 PL4015 the flag "least" is a number, not "many" | undefined',
        'counted.test.yaml:8 PL4016 the setting "stages.fuond.timeout" names nothing: stages has no "fuond" | did you mean "found"? there is: found, counted',
        'counted.test.yaml:9 PL4014 there is no environment "prd"; there are: prod | did you mean "prod"?',
      ])
      assert.match(
        wrong[4] ?? "",
        /^counted\.yaml:\d+ .*stages\.found\.timeout=soon.*\(test "a wrong value"\)/,
      )
      assert.deepStrictEqual(report.tests, [])
      const checked = yield* checkFile(join(folder, "counted.test.yaml"), {
        kinds: fileKinds,
        plugins: { kit: () => Promise.resolve(kit) },
      })
      assert.sameMembers(
        checked.diagnostics.map(({ code, start }) => `${code} ${start.line}`),
        report.diagnostics.map(({ code, start }) => `${code} ${start.line}`),
      )
    }),
  )

  it.effect("holds for what must be refused, too", () =>
    Effect.gen(function* () {
      const report = yield* running(`
  - { name: refuses, given: { flags: { carefull: true } }, expect: { diagnostics: [PL4015] } }
`)
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepStrictEqual(report.tests.flatMap(said), [])
    }),
  )
})

describe("a recording", () => {
  /** The real model of these tests; counts how often it is asked. */
  const asked = { count: 0 }
  const acme = definePlugin({
    id: "acme",
    summary: "for these tests",
    components: {
      providers: [
        {
          id: "acme",
          summary: "finds two words",
          generate: () =>
            Effect.sync(() => {
              asked.count++
              return {
                text: '{"words":["a","b"]}',
                reasoning: "",
                toolCalls: [],
                finish: "stop" as const,
                usage: { input: 3, output: 4 },
              }
            }),
        },
      ],
    },
  })
  const load = { extraPlugins: [acme] }
  const named = `
  - name: finds what was found
    given: { inputs: { text: x }, cassette: cassettes/found }
    expect: { assert: [outputs.count == 2, usage.inputTokens == 3, "size(degraded) == 0"] }
`

  it.effect("that a test names is made on request, and answers from then on", () =>
    Effect.gen(function* () {
      const missing = yield* running(named, { load })
      assert.include(said(missing.tests[0]!)[0]!, "there is no recording")
      asked.count = 0
      const made = yield* running(named, { load, record: join(folder, "unused") })
      assert.deepStrictEqual(made.diagnostics, [])
      assert.deepStrictEqual(made.tests.flatMap(said), [])
      assert.strictEqual(asked.count, 1)
      assert.include(readFileSync(join(folder, "cassettes/found/found.yaml"), "utf8"), "acme/small")
      const again = yield* running(named, { load })
      assert.deepStrictEqual(again.tests.flatMap(said), [])
      assert.strictEqual(asked.count, 1)
    }),
  )

  it.effect("that cannot be kept fails the test", () =>
    Effect.gen(function* () {
      yield* running(named, { load, record: join(folder, "unused") })
      const file = join(folder, "cassettes/found/found.yaml")
      rmSync(file)
      mkdirSync(file)
      const again = yield* running(named, { load, record: join(folder, "unused") })
      assert.include(again.tests.flatMap(said)[0]!, "the recording cannot be written")
    }),
  )

  it.effect("is made and used for every test without a script when a folder is given", () =>
    Effect.gen(function* () {
      const test = `
  - name: finds, whatever the text
    given: { inputs: { text: y } }
    expect: { assert: [outputs.count == 2] }
`
      const tapes = join(folder, "tapes")
      asked.count = 0
      assert.deepStrictEqual(
        (yield* running(test, { load, record: tapes })).tests.flatMap(said),
        [],
      )
      assert.deepStrictEqual(
        (yield* running(test, { load, replay: tapes })).tests.flatMap(said),
        [],
      )
      assert.strictEqual(asked.count, 1)
      const stale = yield* running(test.replace("text: y", "text: z"), { load, replay: tapes })
      assert.include(stale.tests.flatMap(said)[0]!, "is stale")
      const renamed = yield* running(test.replace("finds,", "seeks,"), { load, replay: tapes })
      assert.include(renamed.tests.flatMap(said)[0]!, "there is no recording")
    }),
  )
})

describe("scripted answers", () => {
  const ask = definePlugin({
    id: "ask",
    summary: "for these tests",
    components: {
      stages: [
        stageKind<{ readonly about: string }>({
          id: "ask",
          summary: "asks twice",
          input: { type: "object", properties: { about: { type: "string" } } },
          output: true,
          run: ({ about }, context) =>
            Effect.gen(function* () {
              const first = yield* context.ask({
                key: "first",
                message: `${about}?`,
                schema: { type: "integer" },
              })
              const second = yield* context.ask({
                key: "second",
                kind: "approval",
                message: "Sure?",
              })
              return [first.value, second.value]
            }),
        }),
      ],
    },
  })
  const load = { plugins: { kit: () => Promise.resolve(ask) } }
  beforeEach(() =>
    writeFileSync(
      join(folder, "counted.yaml"),
      `
apiVersion: planloom/v1
kind: Workflow
name: asks
use: { plugins: [kit] }
inputs: {}
stages:
  - { id: each, uses: ask, for_each: { in: "[1, 2]", as: n }, with: { about: number } }
  - { id: last, uses: ask, with: { about: last } }
outputs: { all: { value: "\${{ [stages.each.output, stages.last.output] }}" } }
`,
    ),
  )

  it.effect("are given in order, to the stage or the question they are for", () =>
    Effect.gen(function* () {
      const report = yield* running(
        `
  - name: says what was asked
    given:
      answers:
        - { name: "last/question:first", value: 9 }
        - { stage: each, value: 1 }
        - { name: "each[1]/question:first", value: 2 }
        - { stage: each, value: { approved: false } }
    expect:
      assert: ["outputs.all == [[[1, {'approved': false}], [2, {'approved': true}]], [9, {'approved': true}]]"]
  - name: is left open without one
    expect: { status: clarification, assert: ['failure.message.startsWith("number?")'] }
`,
        { load },
      )
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepStrictEqual(report.tests.flatMap(said), [])
    }),
  )

  it.effect("must fit what is asked, and be asked for", () =>
    Effect.gen(function* () {
      const report = yield* running(
        `
  - name: gives a text for a number
    given:
      answers:
        - { stage: each, value: many }
        - { stage: last, value: 1 }
`,
        { load },
      )
      const [wrong = "", unused] = report.tests.flatMap(said)
      assert.include(wrong, "the answer does not fit: it must be integer")
      assert.include(unused, 'every answer is used: this answer to the stage "last" was not used')
    }),
  )

  it.effect("must name a stage there is, and be for one thing", () =>
    Effect.gen(function* () {
      const report = yield* running(
        `
  - name: names nobody
    given: { answers: [{ stage: lost, value: 1 }] }
`,
        { load },
      )
      assert.deepStrictEqual(
        report.diagnostics.map(({ code, message }) => `${code} ${message}`),
        ['PL2002 there is no stage "lost"'],
      )
      const both = yield* running(
        `
  - name: names two
    given: { answers: [{ stage: last, name: last, value: 1 }] }
`,
        { load },
      )
      assert.deepStrictEqual(
        both.diagnostics.map(({ code }) => code),
        ["PL0110"],
      )
    }),
  )
})
