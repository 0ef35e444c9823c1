/** Worlds of test files and evaluations, and keys that both have. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { runEvaluation, runWorkflowTest } from "@planloom/testing"
import { definePlugin } from "@planloom/plugin/effect"
import { stubTools } from "../../src/double/stubTools.ts"
import type { KeyExample } from "./KeyExample.ts"
import type { Observation } from "./Observation.ts"
import { VirtualClock } from "./VirtualClock.ts"
import { work } from "./work.ts"
import { examples, file, mapping } from "./worlds.ts"

const weighed = { weight: "result", param: "has(params.k) ? params.k : null" }
const measured = { length: "result" }

const options = () => ({
  load: {
    extraPlugins: [
      stages,
      definePlugin({
        id: "world",
        summary: "A stage kind and a tool.",
        components: {
          stages: [work()],
          tools: [
            stubTools({
              weigh: { result: 0, tool: { entities: weighed } },
              measure: { result: 0, tool: { entities: measured } },
            }),
          ],
        },
      }),
    ],
    flag: () => undefined,
  },
})

const inVirtualTime = async <A>(effect: Effect.Effect<A>, shown: (report: A) => Json) => {
  const clock = new VirtualClock()
  const report = await Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))
  return { shown: [shown(report)], ms: clock.currentTimeMillisUnsafe() } as Partial<Observation>
}

const refused = (
  diagnostics: ReadonlyArray<{
    readonly severity: string
    readonly code: string
    readonly message: string
  }>,
) => {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  return errors.length === 0
    ? {}
    : { refused: errors.map(({ code, message }) => `${code} ${message}`) }
}

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json

/** Observes the test file `t.yaml`. */
export const runsTests = async (folder: string) => {
  let problems = {}
  const seen = await inVirtualTime(runWorkflowTest(join(folder, "t.yaml"), options()), (report) => {
    problems = refused(report.diagnostics)
    return plain(
      report.tests.map(({ failures, ok, result, test }) => ({
        test,
        ok,
        failures: failures.map(({ assertion, message }) => ({ assertion, message })),
        result,
      })),
    )
  })
  return { ...seen, ...problems }
}

/** Records the runs of a test file. */
export const records = (path: string) =>
  Effect.runPromise(runWorkflowTest(path, { ...options(), record: `${path}.tapes` }))

/** Observes the evaluation `e.yaml`. */
export const evaluates = async (folder: string) => {
  let problems = {}
  const seen = await inVirtualTime(
    runEvaluation(join(folder, "e.yaml"), { ...options() }),
    (report) => {
      problems = refused(report.diagnostics)
      const {
        diagnostics: _,
        sources: __,
        ms: ___,
        ...rest
      } = report as unknown as {
        readonly [key: string]: Json
      }
      return plain(rest)
    },
  )
  return { ...seen, ...problems }
}

const workflow = (body: string) => ({
  apiVersion: "planloom/v1",
  kind: "Workflow",
  name: "flow",
  ...mapping(body),
})

export const files = (flow: string, extra = {}) => ({
  "flow.yaml": workflow(flow),
  "other.yaml": { ...workflow(flow), name: "other" },
  "planloom.yaml": file(
    "Project",
    "environments: { prod: { set: { flags.fast: true } }, dev: { set: { flags.fast: false, flags.n: 3 } } }",
  ),
  ...extra,
})

export const simple = `
inputs: { n: { type: integer, default: 1 } }
flags: { fast: false, n: 1 }
stages: [{ id: one, uses: work, with: { value: "\${{ [inputs.n, flags] }}" } }]
outputs: { n: { value: "\${{ stages.one.output }}" } }
`

export const conversing = `
session:
  { window: 2, compact: { after: 2, by: mechanical }, entities: 4, request: a, assistant: b, state: { n: { type: integer, default: 0, value: 1 } } }
stages: [{ id: one, uses: work, with: { value: "\${{ session }}" } }]
outputs: { said: { value: "\${{ stages.one.output }}" } }
`

export const forUser = `
user: { type: object, properties: { id: { type: string } } }
stages: [{ id: one, uses: work, with: { value: "\${{ user.id }}" } }]
outputs: { n: { value: "\${{ stages.one.output }}" } }
`

export const asking = `
stages: [{ id: ask, uses: generate, with: { task: Speak. } }]
outputs: { said: { value: "\${{ stages.ask.output }}" } }
`

export const agent = `
stages: [{ id: ask, uses: agent, with: { task: Weigh., tools: [weigh] } }]
outputs: { said: { value: "\${{ stages.ask.output }}" } }
`

export const calling = `
stages: [{ id: one, uses: call, retry: { max_retries: 1, delay: 1s, jitter: false, on: [rate_limit] }, with: { tool: weigh } }]
outputs: { said: { value: "\${{ stages.one.output }}" } }
`

export const approving = `
stages:
  - { id: sign, uses: approve, with: { message: Good? } }
  - { id: again, uses: approve, with: { message: Again? } }
outputs: { said: { value: "\${{ [stages.sign.output, stages.again.output] }}" } }
`

export const failureKeys = (
  owner: string,
  at: string,
  place: string,
  world: (fail: string) => KeyExample["world"],
) => [
  ...examples({ owner, world: world("class: rate_limit"), at, file: place }, [
    ["class", "internal", "tool_error"],
    ["message", "It broke.", "It tore."],
    ["detail", { a: 1 }, { a: 2 }],
    ["retry_after", "10s", "20s"],
  ]),
]

export const stubKeys = (
  owner: string,
  at: string,
  place: string,
  world: (stub: string) => KeyExample["world"],
) => [
  ...examples({ owner, world: world(""), at, file: place }, [
    ["result", 1, 2],
    ["results", [1], [2]],
    ["fail", "internal", "tool_error"],
  ]),
  ...examples({ owner, world: world("result: 1"), at, file: place }, [["delay", "1s", "2s"]]),
  ...failureKeys(`${owner}.fail`, `${at}.fail`, place, (fail) => world(`fail: { ${fail} }`)),
]
