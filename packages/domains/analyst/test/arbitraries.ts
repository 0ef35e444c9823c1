/** Random requirements and plans for property tests. */
import * as fc from "fast-check"
import { SOURCE } from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import { analyses, askedGrains, outputs } from "../src/requirements/Requirements.ts"
import type { Constraint, Requirements } from "../src/requirements/Requirements.ts"
import { tools } from "./sales.ts"

const measures = ["revenue", "units", "returns"]
const groups = ["region", "product_category"]
const some = <A>(items: ReadonlyArray<A>, most = items.length) =>
  fc.uniqueArray(fc.constantFrom(...items), { maxLength: most })

const constraint: fc.Arbitrary<Constraint> = fc.oneof(
  fc.record({
    kind: fc.constant("filter" as const),
    column: fc.constant("region"),
    op: fc.constantFrom("=", "!=" as const),
    value: fc.constantFrom("North", "South"),
  }),
  fc.record({
    kind: fc.constant("filter" as const),
    column: fc.constant("date"),
    op: fc.constant("=" as const),
    value: fc.constantFrom("2023", "2024-Q1"),
  }),
  fc.record({
    kind: fc.constant("top_n" as const),
    n: fc.integer({ min: 1, max: 20 }),
    order: fc.constantFrom("asc", "desc" as const),
  }),
  fc.record({ kind: fc.constant("exclude" as const), output: fc.constantFrom(...outputs) }),
  fc.record({
    kind: fc.constant("chart_type" as const),
    chart: fc.constantFrom("bar", "line", "pie"),
  }),
)

export const requirements: fc.Arbitrary<Requirements> = fc.record({
  metrics: some(measures, 2),
  group_by: some(groups),
  time: fc.oneof(
    fc.constant({ column: "", grain: "unknown" as const }),
    fc.record({ column: fc.constant("date"), grain: fc.constantFrom(...askedGrains) }),
  ),
  analysis: some(analyses, 3),
  outputs: some(outputs),
  constraints: fc.array(constraint, { maxLength: 3 }),
  unknown: fc.constant([]),
})

const params = fc.oneof(
  fc.constant({}),
  fc.record({ group_by: some(groups), metrics: some(measures) }, { requiredKeys: [] }),
  fc.record({ x: fc.constantFrom("date", "region"), y: fc.constantFrom(...measures) }),
  fc.record({ column: fc.constantFrom(...measures, "nothing") }),
)

const citations = fc.array(
  fc.constantFrom(
    ...measures.map((name) => `metrics:${name}`),
    ...groups.map((name) => `group_by:${name}`),
    "time:month",
    ...analyses.map((name) => `analysis:${name}`),
    "outputs:chart",
    "outputs:table",
    "nonsense",
  ),
  { maxLength: 4 },
)

const ids = ["a", "b", "c", "d", "e"]

const step = (id: string): fc.Arbitrary<Step> =>
  fc.record({
    id: fc.constant(id),
    tool: fc.constantFrom(...tools.map(({ name }) => name), "no_such_tool"),
    inputs: fc.record({ table: fc.constantFrom(SOURCE, ...ids) }),
    params,
    satisfies: citations,
  })

/** Any plan at all: with cycles, dangling references, wrong arguments and false citations. */
export const plans: fc.Arbitrary<Plan> = fc
  .integer({ min: 0, max: ids.length })
  .chain((count) => fc.tuple(...ids.slice(0, count).map(step)))
  .map((steps) => ({ steps }))
