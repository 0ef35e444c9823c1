/** Each query of a dashboard names metrics and labels that are declared. */
import { assert, describe, it } from "@effect/vitest"
import { dashboards, namedIn } from "../test/dashboard.ts"
import { metrics, type Metric } from "./Metrics.ts"
import { labelName, prometheusName } from "./prometheusName.ts"

/** Labels of each name that Prometheus has: those of its series, and the server that was read. */
const declared: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.values<Metric>(metrics).flatMap((metric): Array<[string, Array<string>]> => {
    const name = prometheusName(metric)
    const labels = ["instance", "job", ...metric.attributes.map(labelName)]
    return metric.kind === "histogram"
      ? [
          [`${name}_bucket`, [...labels, "le"]],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]]
  }),
)

/** Names in a query that are not declared; a label of a list must be one of each of its metrics, but `le`. */
const strayIn = (expr: string): ReadonlyArray<string> => {
  const named = [...namedIn(expr)]
  assert.isNotEmpty(named, expr)
  return named.flatMap(([metric, labels]) => {
    const own = declared.get(metric)
    return own === undefined
      ? [metric]
      : [...labels].filter((label) => !own.includes(label)).map((label) => `${metric}{${label}}`)
  })
}

const all = dashboards()

it("there is a dashboard of the market scout with the panels that its plan asks for", () => {
  const [scout] = all.filter(({ name }) => name === "market_scout.json")
  const panels = new Set(scout!.queries.map(({ panel }) => panel))
  for (const panel of [
    "JSON parse success",
    "Average confidence",
    "Clarification rate",
    "Refinement rate",
    "Tool calls of a request",
    "Planning latency",
    "Complete after one refinement",
    "Questions answered",
    "Thanks",
  ]) {
    assert.isTrue(panels.has(panel), panel)
  }
  const latency = scout!.queries.filter(({ panel }) => panel === "Planning latency")
  assert.deepStrictEqual(
    latency.map(({ expr }) => /quantile\((0\.\d+)/.exec(expr)?.[1]),
    ["0.5", "0.95", "0.99"],
  )
})

describe.each(all)("$name", ({ queries }) => {
  it.each(queries.map(({ expr, panel }) => [panel, expr] as const))(
    "the panel %s names declared metrics and labels: %s",
    (_, expr) => assert.deepStrictEqual(strayIn(expr), []),
  )
})

it("the check finds misspelt metrics and labels, wherever they are named", () => {
  const count = "planloom_run_tool_calls_count"
  assert.deepStrictEqual(
    [
      `rate(planloom_run_calls_count{planloom_workflow="a"}[5m])`,
      `sum by (planloom_stage_id) (rate(${count}[5m]))`,
      `rate(${count}{workflow="a, planloom_run_status=x"}[5m])`,
      `1 - planloom_servers`,
      `${count} / on (planloom_workflow) group_left planloom_runs_count`,
    ].map((expr) => strayIn(expr)),
    [
      ["planloom_run_calls_count"],
      [`${count}{planloom_stage_id}`],
      [`${count}{workflow}`],
      ["planloom_servers"],
      ["planloom_runs_count"],
    ],
  )
})
