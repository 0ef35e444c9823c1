/** Words of other tools for keys of a stage, and what they are called here. */
import { isObject } from "@planloom/schema"
import { movedUnder } from "../restructure.ts"
import { under, type Elsewhere, type ObjectOptions } from "./object.ts"

/** Keys of kinds that other tools have on the stage itself. */
const inWith = [
  "labels",
  "categories",
  "classes",
  "task",
  "message",
  "context",
  "schema",
  "show",
  "queries",
]

/** `strategy: { matrix: { row: … }, max-parallel: 4 }` of GitHub Actions, with one list. */
const matrix: Elsewhere = {
  help: "write for_each: { in: …, as: row, max_parallel: 4 }",
  fix: (value) => {
    const { matrix: lists, "max-parallel": parallel, ...others } = isObject(value) ? value : {}
    const [[as, items] = [], ...more] = isObject(lists) ? Object.entries(lists) : []
    if (as === undefined || more.length > 0 || Object.keys(others).length > 0) return undefined
    const source = typeof items === "string" ? items : JSON.stringify(items)
    const most = parallel === undefined ? "" : `, max_parallel: ${String(parallel)}`
    return { entry: `for_each: { in: ${JSON.stringify(source)}, as: ${as}${most} }` }
  },
}

/** A time limit whose unit is in the name of its key. */
const timeoutIn = (unit: string): Elsewhere => ({
  help: `write the unit: timeout: 30${unit}`,
  fix: (value) =>
    typeof value === "number" && value > 0 ? { entry: `timeout: ${value}${unit}` } : undefined,
})

/** The data of the work: all of it, or the one text that it reads. */
const given: Elsewhere = {
  help: "write it under with: { context: … }",
  fix: (value) => (isObject(value) ? { key: "with" } : movedUnder("with", "input")),
}

export const stageWords: NonNullable<ObjectOptions["aliases"]> = {
  name: ["id", "description"],
  label: "description",
  depends: "needs",
  depends_on: "needs",
  after: "needs",
  when: "if",
  condition: "if",
  run_if: "if",
  kind: "uses",
  type: "uses",
  use: "uses",
  run: "uses",
  params: "with",
  inputs: given,
  input: given,
  args: "with",
  arguments: "with",
  config: "with",
  steps: "stages",
  do: "stages",
  tasks: "stages",
  foreach: "for_each",
  each: "for_each",
  matrix: "for_each",
  strategy: matrix,
  loop: "repeat",
  until: "write it under repeat: { until: …, max_iterations: 3 }",
  max_iterations: "write it under repeat: { until: …, max_iterations: 3 }",
  max_parallel: under("for_each", "max_parallel", "4"),
  max_retries: under("retry", "max_retries", "2"),
  max_attempts: "write it under retry: { max_retries: 2 }",
  retries: "retry",
  continue_on_error: {
    help: "write on_error: continue",
    fix: (value) => (value === true ? { entry: "on_error: continue" } : undefined),
  },
  catch: "fallback",
  on_failure: "on_error",
  on_fail: "on_error",
  if_error: "on_error",
  error_handling: "on_error",
  else: "write a second stage with the opposite if:, or uses: switch",
  sleep: "write a stage with uses: wait",
  script: "write a tool in a plugin, and run it with uses: call",
  command: "write a tool in a plugin, and run it with uses: call",
  shell: "write a tool in a plugin, and run it with uses: call",
  tool: {
    ...under("with", "tool"),
    help: "write it under with: { tool: … } of a stage with uses: call",
  },
  ...Object.fromEntries(inWith.map((key) => [key, under("with", key)])),
  temperature: "write it at a model under models:, and name that under model:",
  asserts: "assert",
  checks: "assert",
  timeout_seconds: timeoutIn("s"),
  timeout_minutes: timeoutIn("m"),
  timeout_ms: timeoutIn("ms"),
  outputs: "output",
  output_schema: "output",
  llm: "model",
  provider: "model",
}
