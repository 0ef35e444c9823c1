/** The plan that a model writes for a reading: one step per operation, citing what it serves. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

interface Constraint extends JsonObject {
  readonly kind: string
}

interface Step {
  readonly tool: string
  readonly params: JsonObject
  /** Kinds of requirements, and their labels where the kind is not enough. */
  readonly serves: ReadonlyArray<string>
}

const functions: { readonly [analysis: string]: string } = {
  total: "sum",
  average: "avg",
  median: "median",
  minimum: "min",
  maximum: "max",
  count: "count",
  distinct: "count_distinct",
}

const texts = (value: Json | undefined): ReadonlyArray<string> => value as ReadonlyArray<string>

/** The conditions of a kind, without it. */
const conditions = (constraints: ReadonlyArray<Constraint>, kind: string) =>
  constraints.filter((one) => one.kind === kind).map(({ kind: _, ...rest }) => rest)

const stepsOf = (reading: JsonObject): ReadonlyArray<Step> => {
  const constraints = reading["constraints"] as ReadonlyArray<Constraint>
  const [analysis, metrics] = [texts(reading["analysis"]), texts(reading["metrics"])]
  const { column, grain } = reading["time"] as { column: string; grain: string }
  const divided = {
    ...(texts(reading["group_by"]).length === 0 ? {} : { group_by: reading["group_by"] }),
    ...(column === "" ? {} : { time_column: column, time_grain: grain }),
  } as JsonObject
  const steps: Array<Step> = []
  for (const part of conditions(constraints, "time_part"))
    steps.push({ tool: "time_part", params: part as JsonObject, serves: ["time_part"] })
  const filters = conditions(constraints, "filter") as unknown as Json
  if ((filters as ReadonlyArray<Json>).length > 0)
    steps.push({
      tool: "filter",
      params: { filters },
      serves: ["filter", "analysis:filter", "outputs"],
    })
  const grouped = ["metrics", "group_by", "time", "outputs"]
  const of = conditions(constraints, "part") as unknown as Json
  const own = analysis.find((one) => one === "ratio" || one === "difference")
  const functionsAsked = analysis.flatMap((one) => functions[one] ?? [])
  if (analysis.includes("rate"))
    steps.push({
      tool: "rate",
      params: { of, ...(metrics.length === 0 ? {} : { metrics }), ...divided },
      serves: [...grouped, "part", "analysis:rate"],
    })
  else if (own !== undefined)
    steps.push({
      tool: own,
      params: { metrics, ...divided },
      serves: [...grouped, `analysis:${own}`],
    })
  else if (analysis.includes("correlation"))
    steps.push({
      tool: "correlation",
      params: { columns: metrics },
      serves: [...grouped, "analysis"],
    })
  else if (functionsAsked.length > 0)
    steps.push({
      tool: "aggregate",
      params: {
        ...(metrics.length === 0 ? {} : { metrics }),
        agg: functionsAsked[0]!,
        ...(functionsAsked.length === 1 || metrics.length === 0
          ? {}
          : { measures: metrics.map((one) => ({ column: one, agg: functionsAsked[1]! })) }),
        ...divided,
      },
      serves: [
        ...grouped,
        ...analysis.filter((one) => one in functions).map((one) => `analysis:${one}`),
      ],
    })
  if (analysis.includes("change"))
    steps.push({
      tool: "change",
      params: { metrics, along: column === "" ? texts(reading["group_by"])[0]! : column },
      serves: ["analysis:change"],
    })
  const having = conditions(constraints, "having") as unknown as Json
  if ((having as ReadonlyArray<Json>).length > 0)
    steps.push({ tool: "keep_groups", params: { having }, serves: ["having"] })
  const top = constraints.find(({ kind }) => kind === "top_n")
  if (top !== undefined)
    steps.push({
      tool: "top_n",
      params: {
        order_by: rankedBy(metrics, steps),
        limit: top["n"]!,
        order: top["order"]!,
      },
      serves: ["top_n", "analysis:ranking", ...(steps.some(isComputed) ? [] : grouped)],
    })
  return steps
}

const isComputed = ({ tool }: Step): boolean => tool !== "filter" && tool !== "time_part"

const rankedBy = (metrics: ReadonlyArray<string>, steps: ReadonlyArray<Step>): string => {
  const own = steps.find(({ tool }) => ["rate", "ratio", "difference"].includes(tool))
  return own?.tool ?? metrics[0] ?? "count"
}

/** Modifications that turn the plan of the request into the plan for the reading. */
export const planFor = (reading: JsonObject, request: string): JsonObject => {
  const ids = [...request.matchAll(/^- ([a-z_]+:.*)$/gm)].map(([, id]) => id!)
  const written = [...request.matchAll(/^\{"steps":.*$/gm)].at(-1)?.[0] ?? '{"steps":[]}'
  const basis = JSON.parse(written) as {
    readonly steps: ReadonlyArray<{ readonly id: string }>
  }
  const steps = stepsOf(reading)
  const added = steps.map(({ params, serves, tool }, at) => ({
    op: "add",
    step: `made_${at}`,
    rationale: "the question asks for it",
    tool,
    inputs: { table: at === 0 ? "source" : `made_${at - 1}` },
    params,
    satisfies: ids.filter((id) => serves.some((kind) => id === kind || id.startsWith(`${kind}:`))),
  }))
  const removed = basis.steps.map(({ id }) => ({
    op: "remove",
    step: id,
    rationale: "another plan is simpler",
  }))
  return { modifications: [...removed, ...added] }
}
