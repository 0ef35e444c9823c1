/** Plans as random as the laws must allow. */
import * as fc from "fast-check"
import { SOURCE } from "../src/index.ts"
import type { Plan, Step } from "../src/index.ts"

const ids = ["a", "b", "c", "d", "e"]

const step = (id: string): fc.Arbitrary<Step> =>
  fc
    .record(
      {
        id: fc.constant(id),
        tool: fc.constantFrom("fetch", "book", "send", "no_such_tool"),
        inputs: fc.record({ data: fc.constantFrom(SOURCE, ...ids) }),
        params: fc.dictionary(fc.constantFrom("to", "date", "count"), fc.nat(), { maxKeys: 2 }),
        needs: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 2 }),
        satisfies: fc.uniqueArray(fc.constantFrom("tool:book", "task:travel", "nonsense")),
      },
      { requiredKeys: ["id", "tool", "inputs", "params", "satisfies"] },
    )
    // The key is absent rather than undefined.
    .map(({ needs, ...rest }) => (needs === undefined ? rest : { ...rest, needs }))

/** Any plan at all: with cycles, dangling references and false citations. */
export const plans: fc.Arbitrary<Plan> = fc
  .integer({ min: 0, max: ids.length })
  .chain((count) => fc.tuple(...ids.slice(0, count).map(step)))
  .map((steps) => ({ steps }))
