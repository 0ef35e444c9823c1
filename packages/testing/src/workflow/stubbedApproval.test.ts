/** Tests of workflows whose tools compute what their approvals show. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { runWorkflowTest } from "./runWorkflowTest.ts"

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
        preview: () => Effect.succeed({ total: 5 }),
        call: () => Effect.succeed({ value: "sent" }),
      },
    ],
  },
})

describe("the approval of a stubbed tool", () => {
  it.effect("shows the params, because a stub computes nothing, and is answered by its name", () =>
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
      const { diagnostics, tests } = yield* runWorkflowTest(file, { load: { plugins } })
      assert.deepStrictEqual(diagnostics, [])
      assert.deepStrictEqual(
        tests.flatMap(({ failures }) => failures),
        [],
      )
    }),
  )
})
