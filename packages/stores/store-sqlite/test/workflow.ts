/** A small workflow with every kind of record, and a log of its effects. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  ToolFailed,
  definePlugin,
  stageKind,
  type Json,
  type Tool,
  type ToolResult,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import type { Workload } from "../../../../bench/chaos/Workload.ts"

const object = { type: "object", additionalProperties: true }

const tool: Tool = {
  name: "double",
  summary: "Doubles.",
  capabilities: [],
  inputs: {},
  params: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  outputs: ["number"],
}

/** `happens` is called for every effect just before it returns. */
export const plugin = (happens: (what: string) => void) =>
  definePlugin({
    id: "test",
    summary: "Work whose every effect is logged.",
    components: {
      stages: [
        stageKind<{ readonly n: number }>({
          id: "work",
          summary: "Uses a tool and a step of its own; some numbers fail.",
          input: object,
          output: object,
          run: ({ n }, context) =>
            Effect.gen(function* () {
              const doubled = yield* Effect.catch(
                context.callTool({ tool: "double", params: { n }, key: "double" }),
                () => Effect.succeed(null as Json),
              )
              const own = yield* context.step(
                "own",
                Effect.sync(() => {
                  happens(`own ${context.path} ${context.attempt}`)
                  return n + 1
                }),
              )
              if (n % 5 === 3 && context.attempt === 1) {
                return yield* new StageFailed({ class: "unavailable", message: `not yet ${n}` })
              }
              if (n % 7 === 6) {
                return yield* new StageFailed({ class: "unavailable", message: `never ${n}` })
              }
              return { doubled, own }
            }),
        }),
      ],
      tools: [
        {
          id: "numbers",
          summary: "Doubles.",
          list: Effect.succeed({ tools: [tool] }),
          call: ({ key, params }) =>
            Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
              happens(`tool ${key}`)
              const n = Number(params["n"])
              return n % 4 === 0
                ? Effect.fail(
                    new ToolFailed({ tool: "double", class: "tool_error", message: "no" }),
                  )
                : Effect.succeed({ value: n * 2 })
            }),
        },
      ],
    },
  })

const text = `apiVersion: planloom/v1
kind: Workflow
name: test
inputs: { list: { type: array, items: { type: integer }, default: [1, 3, 4, 6] } }
policies: { retry: { again: { max_retries: 1, delay: 0ms, on: [unavailable] } } }
stages:
  - { id: first, uses: work, retry: again, with: { n: 3 } }
  - { id: each, uses: work, retry: again, on_error: continue, timeout: 1m, for_each: { in: inputs.list, as: n, max_parallel: 2 }, with: { n: "\${{ n }}" } }
  - id: rounds
    repeat: { max_iterations: 3, until: iter.sum > 3, carry: { sum: 0 }, next: { sum: "\${{ iter.sum + stages.inner.output.own }}" } }
    stages:
      - { id: inner, uses: work, retry: again, with: { n: "\${{ 1 + iter.index }}" } }
  - { id: skipped, uses: work, if: size(inputs.list) > 90, with: { n: 1 } }
finally:
  - { id: tidy, uses: work, with: { n: 2 } }
outputs:
  each: "\${{ has(stages.each.output) ? stages.each.output : [] }}"
  sum: "\${{ stages.rounds.output.carry.sum }}"
`

export const workflowIn = (folder: string, happens: (what: string) => void) => {
  const path = join(folder, "workflow.yaml")
  writeFileSync(path, text)
  return load(path, { extraPlugins: [plugin(happens)] })
}

const file = join(import.meta.dirname, "workflow.yaml")

/** The same workflow as a workload for processes that are killed. */
export const workload: Workload = {
  file,
  options: {
    texts: new Map([[file, text]]),
    extraPlugins: [plugin(() => undefined)],
  },
  runs: { r: { list: [3, 4] } },
}
