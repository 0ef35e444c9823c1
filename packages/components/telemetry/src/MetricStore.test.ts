/** The text format of metrics, and the bounds of what is kept. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { MetricStore } from "./MetricStore.ts"
import { metrics, type Metric } from "./Metrics.ts"
import { prometheusName } from "./prometheusName.ts"
import { prometheusText } from "./prometheusText.ts"

/** Reads the text as Prometheus does: name, labels and value of each sample. */
const samplesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name, labels = "", value] =
        /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:\\[\\n"]|[^\\"\n])*",?)*)\})? (\S+)$/u.exec(
          line,
        ) ?? assert.fail(`no sample: ${line}`)
      const read = [...labels.matchAll(/(\w+)="((?:\\.|[^\\"])*)"/gu)].map(
        ([, label, quoted]) =>
          [
            label!,
            quoted!.replaceAll(/\\(.)/gu, (_, sign) => (sign === "n" ? "\n" : sign)),
          ] as const,
      )
      return { name: name!, labels: Object.fromEntries(read), value: Number(value) }
    })

describe("the text for Prometheus", () => {
  it("has help, type, cumulative buckets, sum and count of a histogram", () => {
    const store = new MetricStore()
    for (const calls of [0, 1, 1, 4, 1000]) {
      store.add("runCalls", calls, { "planloom.workflow": "w" })
    }
    assert.strictEqual(
      prometheusText(store),
      `# HELP planloom_run_tool_calls Tool calls that a run made until its end, in all processes that worked on it
# TYPE planloom_run_tool_calls histogram
${[
  [0, 1],
  [1, 3],
  [2, 3],
  [3, 3],
  [4, 4],
  [5, 4],
  [6, 4],
  [8, 4],
  [10, 4],
  [15, 4],
  [20, 4],
  [50, 4],
  [100, 4],
  ["+Inf", 5],
]
  .map(([le, n]) => `planloom_run_tool_calls_bucket{planloom_workflow="w",le="${le}"} ${n}`)
  .join("\n")}
planloom_run_tool_calls_sum{planloom_workflow="w"} 1006
planloom_run_tool_calls_count{planloom_workflow="w"} 5
`,
    )
  })

  it("is empty before anything is measured", () => {
    assert.strictEqual(prometheusText(new MetricStore()), "")
  })

  it("keeps any text of an attribute and any number", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes("\u0000")),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, value) => {
          const store = new MetricStore()
          store.add("cost", value, { "planloom.workflow": text })
          const [sample] = samplesOf(prometheusText(store))
          assert.deepStrictEqual(sample, {
            name: "planloom_cost_USD_total",
            labels: { planloom_workflow: text },
            value,
          })
        },
      ),
      { numRuns: cases(200) },
    )
  })

  it("has as many values in its buckets as were measured, and never fewer in a larger one", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true })), (values) => {
        const store = new MetricStore()
        for (const value of values) store.add("runCalls", value, {})
        const samples = samplesOf(prometheusText(store))
        const buckets = samples.filter(({ name }) => name.endsWith("_bucket"))
        for (const { labels, value } of buckets) {
          const bound = labels["le"] === "+Inf" ? Infinity : Number(labels["le"])
          assert.strictEqual(value, values.filter((one) => one <= bound).length)
        }
        assert.strictEqual(
          samples.find(({ name }) => name.endsWith("_count"))?.value ?? 0,
          values.length,
        )
      }),
      { numRuns: cases(100) },
    )
  })
})

describe("kept series", () => {
  it("are bounded: further combinations count together", () => {
    const store = new MetricStore()
    for (let at = 0; at < 3000; at++) {
      store.add("runCalls", 1, { "planloom.workflow": `w${at}` })
      store.add("serverRuns", 1, { "planloom.server.run.state": "active" })
    }
    const counts = samplesOf(prometheusText(store)).filter(({ name }) => name.endsWith("_count"))
    assert.lengthOf(counts, 2001)
    assert.deepStrictEqual(counts.at(-1), {
      name: "planloom_run_tool_calls_count",
      labels: { otel_metric_overflow: "true" },
      value: 1000,
    })
  })
})

describe("declared metrics", () => {
  const all: ReadonlyArray<Metric> = Object.values(metrics)

  it("have names of their own, in both forms", () => {
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
    assert.strictEqual(new Set(all.map(prometheusName)).size, all.length)
  })

  it.each(all.map((metric) => [prometheusName(metric), metric] as const))(
    "%s is named by the rules, and its buckets ascend",
    (name, metric) => {
      assert.match(metric.name, /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/)
      assert.match(name, /^[a-z][a-zA-Z0-9_]*$/)
      assert.strictEqual(new Set(metric.attributes).size, metric.attributes.length)
      const buckets = metric.kind === "histogram" ? metric.buckets : []
      assert.deepStrictEqual(
        [...buckets],
        [...new Set(buckets)].toSorted((a, b) => a - b),
      )
    },
  )
})
