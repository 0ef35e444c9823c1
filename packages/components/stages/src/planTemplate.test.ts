/** Plan templates under `use.files`, checked with the workflow that uses them. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { check } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { makeContext } from "../../stage-kit/test/context.ts"
import stages from "./plugin.ts"
import { templatesOf } from "./planTemplate.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: plans
use: { plugins: [stages], files: [./tools.yaml, ./totals.yaml] }
inputs: { asked: { type: array } }
stages:
  - id: tools
    uses: narrow
    with: { requirements: "\${{ inputs.asked }}", template: TEMPLATE }
outputs: { tools: { value: "\${{ stages.tools.output.tools }}" } }
`

const catalog = `apiVersion: planloom/v1
kind: Catalog
name: tools
tools:
  - { name: aggregate, summary: Sums rows. }
  - { name: plot_bar, summary: Draws bars. }
`

const header = "apiVersion: planloom/v1\nkind: PlanTemplate\n"
const totals = `${header}name: totals
intent: What do the parts sum up to?
tools: [aggregate, plot_bar]
steps:
  - { id: sums, tool: aggregate, inputs: { table: source } }
`

/** An index that `check` finds and no run uses. */
const search = definePlugin({
  id: "search",
  summary: "An index.",
  components: {
    indexes: [{ id: "none", summary: "Finds nothing.", build: () => Effect.die("not run") }],
  },
})

const problems = (template: string, named = "totals") =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "planloom-"))
    writeFileSync(join(folder, "tools.yaml"), catalog)
    writeFileSync(join(folder, "totals.yaml"), template)
    const path = join(folder, "plans.yaml")
    writeFileSync(path, workflow.replace("TEMPLATE", named))
    const { diagnostics } = yield* check(path, {
      plugins: { stages: async () => stages },
      extraPlugins: [search],
    })
    return diagnostics.map(
      ({ code, file, help, message, start }) =>
        `${file.split("/").at(-1)}:${start.line}:${start.col} ${code} ${message} | ${help}`,
    )
  })

describe("a plan template", () => {
  it.effect("that fits the tools of the workflow has no problems", () =>
    Effect.map(problems(totals), (found) => assert.deepStrictEqual(found, [])),
  )

  it.effect.each([
    [
      "a curated tool that does not exist",
      totals.replace("[aggregate, plot_bar]", "[aggregate, plot_bra]"),
      'totals.yaml:5:20 PL4008 there is no tool "plot_bra" | did you mean "plot_bar"? there are: aggregate, plot_bar',
    ],
    [
      "a step with a tool that does not exist",
      totals.replace("tool: aggregate", "tool: agregate"),
      'totals.yaml:7:23 PL4008 there is no tool "agregate" | did you mean "aggregate"? there are: aggregate, plot_bar',
    ],
    [
      "an unknown key of a step",
      totals.replace("inputs:", "input:"),
      'totals.yaml:7:34 PL0101 unknown key "input" | did you mean "inputs"?',
    ],
    [
      "no intent",
      totals.replace(/intent: .*\n/, ""),
      'totals.yaml:1:1 PL0102 the key "intent" is missing | intent: The user intent that this plan serves.',
    ],
  ] as const)("with %s is reported at its position", ([, template, expected]) =>
    Effect.map(problems(template), (found) =>
      assert.isTrue(
        found.some((one) => one.startsWith(expected)),
        found.join("\n"),
      ),
    ),
  )

  it.effect("that a stage names and no file has is reported with a suggestion", () =>
    Effect.map(problems(totals, "total"), (found) =>
      assert.deepStrictEqual(found, [
        'plans.yaml:9:60 PL4025 there is no PlanTemplate "total" | did you mean "totals"?',
      ]),
    ),
  )

  it("has empty values for the keys that its file leaves out", () => {
    const written = {
      name: "totals",
      intent: "sums",
      tools: ["sum"],
      steps: [{ id: "a", tool: "sum" }],
    }
    const { context } = makeContext({ files: { PlanTemplate: [written] } })
    assert.deepStrictEqual(templatesOf(context), [
      {
        ...written,
        match: {},
        steps: [{ id: "a", tool: "sum", inputs: {}, params: {}, satisfies: [], optional: false }],
      },
    ])
  })
})
