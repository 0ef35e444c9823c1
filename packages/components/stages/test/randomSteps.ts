/** Random steps of plans over the tools of a market, of which about half can be executed. */
import * as fc from "fast-check"
import type { Json } from "@planloom/plugin/effect"
import { activity, pairs } from "./market.ts"

const ids = fc.constantFrom("a", "b", "a[0]", "source", "swap")

const value = fc.oneof(
  fc.constantFrom<Json>("uniswap_v3", "Uniswap V3", "0xabcdef12", "7", 7, null, [], ["sushi_v2"]),
  fc.record({ $from: ids, path: fc.constantFrom("", "[0].token.symbol", "token", "x.") }),
)

const step = fc.record(
  {
    id: ids,
    tool: fc.constantFrom("router_activity", "find_pairs", "get_transaction", "fly"),
    params: fc.dictionary(
      fc.constantFrom("router", "token", "hash", "minutes", "Router", "other"),
      value,
      { maxKeys: 3 },
    ),
    each: fc.record(
      { over: fc.record({ $from: ids }), as: ids, limit: fc.integer({ min: 1, max: 20 }) },
      { requiredKeys: ["over", "as"] },
    ),
  },
  { requiredKeys: ["id", "tool", "params"] },
)

/** Alone each can be executed; names may clash. */
const fitting = fc
  .record({
    of: fc.constantFrom<{ readonly id: string; readonly tool: string }>(activity, pairs, {
      ...activity,
      id: "a",
    }),
    id: fc.constantFrom("activity", "pairs", "a", "pairs[0]", "swap"),
    renames: fc.boolean(),
  })
  .map(({ id, of, renames }) => (renames ? { ...of, id } : of))

export const randomSteps = fc.array(fc.oneof(step, fitting), { maxLength: 3 })
