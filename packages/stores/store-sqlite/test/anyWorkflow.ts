/** Generated workflows. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { load } from "@planloom/embed"
import type { Shape, Whole } from "./Shape.ts"
import { filesOf, plainNames, type Namer } from "./workflowFiles.ts"
import { workPlugin, type World } from "./workPlugin.ts"

const policy = {
  onError: fc.constantFrom("fail" as const, "continue" as const, "fallback" as const),
  retry: fc.boolean(),
  conditional: fc.boolean(),
  needs: fc.nat({ max: 7 }),
}

const policyKeys = ["onError", "retry", "conditional", "needs"] as const

const number = fc.nat({ max: 30 })

const inner = (depth: number): fc.Arbitrary<ReadonlyArray<Shape>> =>
  fc.array(shape(depth - 1), { minLength: 1, maxLength: 3 })

const shape = (depth: number): fc.Arbitrary<Shape> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        {
          type: fc.constant("work" as const),
          n: number,
          each: fc.array(number, { maxLength: 4 }),
          parallel: fc.integer({ min: 1, max: 3 }),
          back: fc.nat({ max: 2 }),
          ...policy,
        },
        { requiredKeys: ["type", "n", "parallel", ...policyKeys] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant("asks" as const), n: number, ...policy }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("hangs" as const), ...policy }) },
    ...(depth === 0
      ? []
      : [
          {
            weight: 2,
            arbitrary: fc.record(
              {
                type: fc.constant("block" as const),
                stages: inner(depth),
                graph: fc.boolean(),
                late: fc.boolean(),
                times: fc.nat({ max: 2 }),
                keeps: fc.constantFrom("fails", "late", "calls"),
                ...policy,
              },
              { requiredKeys: ["type", "stages", "graph", "late", "times", ...policyKeys] },
            ),
          },
          {
            weight: 1,
            arbitrary: fc.record({
              type: fc.constant("chooses" as const),
              stages: inner(depth),
              chosen: fc.nat({ max: 3 }),
              ...policy,
            }),
          },
          {
            weight: 2,
            arbitrary: fc.record(
              {
                type: fc.constant("calls" as const),
                stages: inner(depth),
                times: fc.integer({ min: 1, max: 2 }),
                ...policy,
                instead: inner(depth),
              },
              { requiredKeys: ["type", "stages", "times", ...policyKeys] },
            ),
          },
        ]),
  )

export const anyWorkflow: fc.Arbitrary<Whole> = fc.record({
  stages: fc.array(shape(2), { minLength: 1, maxLength: 4 }),
  graph: fc.boolean(),
  tidy: fc.boolean(),
})

export const loadAny = (whole: Whole, folder: string, world: World, names: Namer = plainNames) => {
  for (const [name, document] of filesOf(whole, names)) {
    writeFileSync(join(folder, name), JSON.stringify(document, null, 2))
  }
  return load(join(folder, "workflow.yaml"), { extraPlugins: [workPlugin(world)] })
}
