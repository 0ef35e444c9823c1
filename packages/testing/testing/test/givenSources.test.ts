/** Tests that give what a tool source lists: nothing of the source itself runs. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { placeText } from "@planloom/language"
import { definePlugin, type JsonObject, type Plugin } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { checkTestFile } from "../src/check/checkTestFile.ts"
import { checkEvaluationFile } from "../src/check/checkEvaluationFile.ts"
import { runEvaluation } from "../src/evaluation/runEvaluation.ts"
import { runWorkflowTest } from "../src/workflow/runWorkflowTest.ts"

const started = () => Effect.die("the source was started")

/** A source of servers, whose tests have a form of their own: by server, the names of its tools. */
const far = (ofServers: boolean): Plugin => {
  const source = {
    id: "far",
    ...(ofServers
      ? {
          given: {
            schema: { type: "object", additionalProperties: { type: "array" } },
            list: (value: unknown) =>
              Effect.succeed({
                tools: Object.entries(value as { [server: string]: ReadonlyArray<string> }).flatMap(
                  ([server, names]) =>
                    names.map((name) => ({
                      name: `${server}.${name}`,
                      summary: `Does ${name}.`,
                      capabilities: [],
                      inputs: {},
                      params: { type: "object" },
                      outputs: [],
                      effect: "read" as const,
                    })),
                ),
              }),
          },
        }
      : {}),
  }
  return definePlugin({
    id: "far",
    summary: "Servers far away.",
    provides: { tools: [{ ...source, tools: [], known: () => started() as never }] },
    setup: () =>
      Effect.succeed({
        tools: [
          {
            ...source,
            summary: "Servers far away.",
            list: started() as never,
            known: started() as never,
            call: () => started() as never,
          },
        ],
      }),
  })
}

const world = (tests: string, ofServers = false, catalog?: string) => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), `apiVersion: planloom/v1\n${text}`)
  write(
    "flow.yaml",
    `kind: Workflow
name: flow
use: { plugins: [far, "@planloom/stages"], files: [${catalog === undefined ? "" : "catalog.yaml"}] }
stages:
  - { id: look, uses: call, with: { tool: base.look, params: { of: stone } } }
outputs: { found: "\${{ stages.look.output.n }}" }
`,
  )
  if (catalog !== undefined) write("catalog.yaml", `kind: Catalog\ntools: [${catalog}]\n`)
  const file = join(folder, "flow.test.yaml")
  write("flow.test.yaml", `kind: WorkflowTest\nworkflow: flow.yaml\ntests:\n${tests}`)
  const load = {
    plugins: { far: async () => far(ofServers), "@planloom/stages": async () => stages },
  }
  return { file, load }
}

const ran = async (given: ReturnType<typeof world>) => {
  const { diagnostics, tests } = await Effect.runPromise(
    runWorkflowTest(given.file, { load: given.load }),
  )
  return {
    diagnostics: diagnostics.map(
      (one) => `${placeText(one).split("/").at(-1)} ${one.code} ${one.message}`,
    ),
    failures: tests.flatMap(({ failures, test }) =>
      failures.map(({ message }) => `${test}: ${message}`),
    ),
    ok: tests.filter(({ ok }) => ok).map(({ test }) => test),
  }
}

/** An evaluation of the same workflow, beside it. */
const evaluated = async (evaluation: string, ofServers = false, catalog?: string) => {
  const { file, load } = world("", ofServers, catalog)
  const path = join(file, "../flow.eval.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1\nkind: Evaluation\nworkflow: flow.yaml\n${evaluation}`,
  )
  const report = await Effect.runPromise(runEvaluation(path, { load }))
  const checked = await Effect.runPromise(Effect.scoped(checkEvaluationFile(path, load)))
  const shown = (found: typeof report.diagnostics) =>
    found.map((one) => `${placeText(one).split("/").at(-1)} ${one.code} ${one.message}`)
  return {
    problems: shown(report.diagnostics),
    checked: shown(checked.diagnostics),
    passed: Object.fromEntries(
      Object.entries(report.variants).map(([name, { passed, runs }]) => [
        name,
        `${passed}/${runs}`,
      ]),
    ),
  }
}

const listed = (schema: JsonObject, effect = "read") =>
  `{ tools: [{ name: base.look, summary: Looks., effect: ${effect}, params: ${JSON.stringify(schema)}, result: { type: object, required: [n], properties: { n: { type: integer } } } }] }`

const free = { type: "object" }
const named = { type: "object", required: ["of"], properties: { of: { type: "string" } } }
const wrong = { type: "object", properties: { of: { type: "integer" } } }
const other = { type: "object", required: ["stone"], properties: { stone: { type: "string" } } }

describe("a test that gives what a source lists", () => {
  it("runs with the tools that it gives, a list of its own for each test", async () => {
    const results = `tools: { base.look: { result: { n: 1 } } }`
    const found = await ran(
      world(`  - name: any params
    given: { sources: { far: ${listed(free)} }, ${results} }
    expect: { assert: [outputs.found == 1] }
  - name: the same params
    given: { sources: { far: ${listed(named)} }, ${results} }
  - name: other params
    given: { sources: { far: ${listed(other)} }, ${results} }
    expect: { diagnostics: [PL4005] }
  - name: a list that is only partial
    given: { sources: { far: { partial: no route, open: [base.*] } } }
    expect: { status: failed, assert: ["failure.message.contains('cannot list') || failure.message.contains('no route')"] }
  - name: no list at all
    given: { sources: { far: { fail: { class: unavailable, message: no route } } } }
    expect: { diagnostics: [PL4008, PL4013] }
`),
    )
    assert.deepStrictEqual(found, {
      diagnostics: [],
      failures: [],
      ok: [
        "any params",
        "the same params",
        "other params",
        "a list that is only partial",
        "no list at all",
      ],
    })
  })

  it("has the catalog's entry where the source cannot list its tool", async () => {
    const entry =
      "{ name: base.look, summary: Looks., effect: read, params: { type: object }, result: { type: object, required: [n], properties: { n: { type: integer } } } }"
    const found = await ran(
      world(
        `  - name: fallback
    given: { sources: { far: { partial: no route, open: [base.*] } }, tools: { base.look: { result: { n: 2 } } } }
    expect: { assert: [outputs.found == 2] }
`,
        false,
        entry,
      ),
    )
    assert.deepStrictEqual(found, { diagnostics: [], failures: [], ok: ["fallback"] })
  })

  it("gives it in the form of the source's plugin", async () => {
    const found = await ran(
      world(
        `  - name: by server
    given: { sources: { far: { base: [look], top: [dig] } }, tools: { base.look: { result: { n: 3 } } } }
    expect: { assert: [outputs.found == 3] }
`,
        true,
      ),
    )
    assert.deepStrictEqual(found, { diagnostics: [], failures: [], ok: ["by server"] })
  })

  it("asks for a result of a tool that is called", async () => {
    const { failures } = await ran(
      world(`  - name: silent
    given: { sources: { far: ${listed(free)} } }
`),
    )
    assert.include(
      failures.join("\n"),
      'the test gives the list of "far" and no result of "base.look": write one under `given.tools`',
    )
  })

  it("compares what a source lists in the variants of an evaluation, and its catalog's entry without it", async () => {
    const entry =
      "{ name: base.look, summary: Looks., effect: read, params: { type: object }, result: { type: object, required: [n], properties: { n: { type: integer } } } }"
    const found = await evaluated(
      `cases: [{ inputs: {} }, { inputs: {} }]
given:
  sources: { far: ${listed(free)} }
  tools: { base.look: { result: { n: 1 } } }
expect: { assert: ["outputs.found == 1 && calls[0].summary.contains('stone') == false"] }
variants:
  unchanged: {}
  named: { sources: { far: ${listed(named)} } }
  gone: { sources: { far: { partial: no route, open: [base.*] } } }
`,
      false,
      entry,
    )
    assert.deepStrictEqual(found, {
      problems: [],
      checked: [],
      passed: { unchanged: "2/2", named: "2/2", gone: "2/2" },
    })
  })

  it("fails the runs of a variant whose source lists nothing", async () => {
    const { passed } = await evaluated(`cases: [{ inputs: {} }]
given: { sources: { far: ${listed(free)} }, tools: { base.look: { result: { n: 1 } } } }
variants: { there: {}, away: { sources: { far: { partial: no route, open: [base.*] } } } }
`)
    assert.deepStrictEqual(passed, { there: "1/1", away: "0/1" })
  })

  it("is reported at its place in an evaluation, too", async () => {
    const near = await evaluated(`cases: [{ inputs: {} }]
given: { sources: { far: ${listed(free)}, near: 1 } }
`)
    const place = "flow.eval.yaml:5:"
    for (const found of [near.problems, near.checked]) {
      assert.deepStrictEqual(
        found.map((one) => one.replace(/:5:\d+/, ":5:")),
        [`${place} PL4025 there is no tool source "near"`],
      )
    }
    const own = await evaluated(`cases: [{ inputs: {} }]
given: { sources: { far: ${listed(free)} } }
variants:
  one: { sources: { far: { tools: 3 } } }
  two: { sources: { far: ${listed(wrong)} } }
`)
    assert.deepStrictEqual(own.checked, [
      'flow.eval.yaml:7:21 PL4025 this is no list of "far": tools must be array',
      'flow.yaml:6:43 PL4008 there is no tool "base.look" (variant one)',
      'flow.yaml:6:68 PL4007 "of" is a whole number, found the text "stone" (variant two)',
    ])
  })

  it("is reported at its place for a source that does not exist, and for a value of another form", async () => {
    const { file, load } = world(`  - name: one
    given: { sources: { near: { tools: [] } } }
  - name: two
    given: { sources: { far: { tools: 3 } } }
`)
    const { diagnostics } = await Effect.runPromise(Effect.scoped(checkTestFile(file, load)))
    const own = diagnostics.filter(({ code }) => code === "PL4025")
    assert.deepStrictEqual(
      own.map((one) => `${one.start.line}:${one.start.col} ${one.message}`),
      ['6:25 there is no tool source "near"', '8:25 this is no list of "far": tools must be array'],
    )
  })
})
