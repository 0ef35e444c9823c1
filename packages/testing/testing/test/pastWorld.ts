/** A workflow that keeps a session, on files of its own, for tests of given sessions. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import { definePlugin, type JsonObject } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { runWorkflowTest, scriptedProvider, stubTools } from "@planloom/testing"

const text = { type: "string" } as const
export const params = (name: string): JsonObject => ({
  type: "object",
  properties: { [name]: text },
  required: [name],
  additionalProperties: false,
})

const tools = stubTools({
  find_token: {
    result: { symbol: "PEPE", address: "0x69" },
    tool: {
      effect: "read",
      params: params("symbol"),
      entities: { token: "{'id': result.address, 'name': result.symbol}" },
    },
  },
  safety: { result: { safe: true }, tool: { effect: "read", params: params("address") } },
})

export const options = {
  load: {
    extraPlugins: [
      stages,
      definePlugin({ id: "world", summary: "Tools.", components: { tools: [tools] } }),
    ],
  },
}

export const plan = (...steps: ReadonlyArray<readonly [tool: string, params: JsonObject]>) => ({
  steps: steps.map(([tool, given], index) => ({
    id: `s${index}`,
    tool,
    inputs: {},
    params: given,
    satisfies: [],
  })),
})

export const scout = `inputs: { message: { type: string } }
session:
  window: 3
  request: "\${{ inputs.message }}"
  assistant: "\${{ stages.answer.output }}"
  entities: 5
  state: { asked: { type: integer, default: 0, value: "\${{ session.state.asked + 1 }}" } }
stages:
  - id: plan
    uses: generate
    with:
      task: "Plan the calls for: \${{ inputs.message }}. Look up no token that is known."
      context: { known: "\${{ session.entities }}", said: "\${{ session.turns }}", asked: "\${{ session.state.asked }}" }
      schema: { type: object, required: [steps], properties: { steps: { type: array } } }
  - { id: results, uses: execute, with: { plan: "\${{ stages.plan.output.value }}", on_step_error: keep } }
  - { id: answer, uses: set, with: { value: "\${{ size(stages.results.output.order) }} done" } }
outputs: { answer: { type: string, value: "\${{ stages.answer.output }}" } }
`

export const folderOf = (files: { readonly [name: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-past-"))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export const header = (kind: string, more = "") => `apiVersion: planloom/v1\nkind: ${kind}\n${more}`

export const withTests = (tests: string, flow = scout) =>
  join(
    folderOf({
      "flow.yaml": header("Workflow", `name: scout\ndefaults: { model: scripted/one }\n${flow}`),
      "flow.test.yaml": header("WorkflowTest", `workflow: flow.yaml\ntests:\n${tests}`),
    }),
    "flow.test.yaml",
  )

export const failuresOf = (tests: string, flow?: string) =>
  Effect.map(
    runWorkflowTest(withTests(tests, flow), options),
    ({ diagnostics, tests: results }) => [
      ...diagnostics.map(
        ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
      ),
      ...results.flatMap(({ failures }) =>
        failures.map((one) => `${one.assertion}: ${one.message}`),
      ),
    ],
  )

export const cached = JSON.stringify(plan(["safety", { address: "0x69" }]))

/** Plans the same call three times. */
export const safetyModel = () => {
  const reply = { json: plan(["safety", { address: "0x69" }]) }
  return scriptedProvider({ one: [reply, reply, reply] })
}
