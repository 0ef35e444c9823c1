/** Tests of workflows whose tools compute what their approvals show. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { runWorkflowTest } from "./runWorkflowTest.ts"

let previews = 0

const bank = definePlugin({
  id: "bank",
  summary: "for these tests",
  components: {
    stages: [
      stageKind<object>({
        id: "pay",
        summary: "pays twice",
        input: { type: "object" },
        output: true,
        run: (_, { callTool }) =>
          Effect.forEach(["a", "b"], (key) =>
            Effect.catchTag(
              callTool({ tool: "send", params: { of: key }, key }),
              "ToolFailed",
              ({ message }) => Effect.succeed(message),
            ),
          ),
      }),
    ],
    tools: [
      {
        id: "bank",
        summary: "pays",
        list: Effect.succeed({
          tools: [
            {
              name: "send",
              summary: "sends money",
              capabilities: [],
              inputs: {},
              outputs: [],
              effect: "write",
              needs_approval: true,
              params: { type: "object", properties: { of: { type: "string" } } },
              approval_fields: { type: "object", properties: { total: { type: "integer" } } },
            },
          ],
        }),
        preview: () =>
          Effect.sync(() => {
            previews++
            return { total: 5 }
          }),
        call: () => Effect.succeed({ value: "sent" }),
      },
    ],
  },
})

describe("the approval of a stubbed tool", () => {
  it.effect(
    "shows the params of a stub, is answered by its name, and is replayed without a preview",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "stubbed-"))),
          (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
        )
        writeFileSync(
          join(folder, "w.yaml"),
          `apiVersion: planloom/v1
kind: Workflow
name: pays
use: { plugins: [bank] }
stages: [{ id: pay, uses: pay }]
outputs: { made: "\${{ stages.pay.output }}" }
`,
        )
        const file = join(folder, "w.test.yaml")
        writeFileSync(
          file,
          `apiVersion: planloom/v1
kind: WorkflowTest
workflow: ./w.yaml
tests:
  - name: stubs the tool
    given:
      tools: { send: { result: stubbed } }
      answers: [{ name: "pay/tool:b/approval:1", value: { approved: false } }]
    expect:
      assert:
        - outputs.made[0] == "stubbed"
        - outputs.made[1].contains("not approved")
  - name: calls the real one
    given: { tools: { send: real } }
    expect: { assert: ["outputs.made == ['sent', 'sent']"] }
`,
        )
        const plugins = { bank: () => Promise.resolve(bank) }
        const tape = join(folder, "tape")
        const load = { plugins }
        for (const [options, computed] of [
          // Before each of two questions, and after each answer.
          [{ load }, 4],
          [{ load, record: tape }, 4],
          [{ load, replay: tape }, 0],
        ] as const) {
          previews = 0
          const { diagnostics, tests } = yield* runWorkflowTest(file, options)
          assert.deepStrictEqual(diagnostics, [])
          assert.deepStrictEqual(
            tests.flatMap(({ failures }) => failures),
            [],
          )
          assert.strictEqual(previews, computed)
        }
      }),
  )
})
