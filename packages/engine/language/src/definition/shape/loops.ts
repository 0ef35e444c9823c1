/** The shapes of `for_each` and `repeat`. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { ForEach, Repeat } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { byType, jsonObject, map } from "./collections.ts"
import { defaulted, object, required } from "./object.ts"
import { expression, name, number, oneOf } from "./scalars.ts"

/** More rounds than any loop over models needs. */
export const MAX_ITERATIONS = 1000

const noValues: JsonObject = {}

export const forEach: Shape<ForEach> = byType<ForEach>(
  {
    string: map(expression("a list"), (source) => ({ in: source, as: "item", max_parallel: 4 })),
    mapping: object(
      {
        in: required(expression("a list"), "An expression of type list."),
        as: defaulted(name, "item", "What an item is called in expressions."),
        max_parallel: defaulted(
          number({ integer: true, minimum: 1, maximum: 1000 }),
          4,
          "How many items at once; 4 unless written.",
        ),
      },
      {
        expected: "for_each such as { in: inputs.rows, as: row, max_parallel: 4 }",
        aliases: {
          items: "in",
          list: "in",
          over: "in",
          var: "as",
          item: "as",
          parallel: "max_parallel",
          concurrency: "max_parallel",
        },
      },
    ),
  },
  "an expression that gives a list, or { in, as, max_parallel }",
  { in: "", as: "item", max_parallel: 1 },
  (value) =>
    Array.isArray(value)
      ? `write for_each: "${JSON.stringify(value).replaceAll('"', "'")}"`
      : undefined,
)

export const repeat: Shape<Repeat> = object(
  {
    carry: defaulted(jsonObject, noValues, "What `iter` holds in the first iteration."),
    until: required(expression("true or false"), "Read after each iteration; true ends the loop."),
    next: defaulted(jsonObject, noValues, "What `iter` holds in the next iteration."),
    max_iterations: required(
      byType<number | string>(
        {
          number: number({ integer: true, minimum: 1, maximum: MAX_ITERATIONS }),
          string: expression("a whole number"),
        },
        "a whole number, or an expression over flags and experiments",
        1,
      ),
      "The maximum number of iterations, or an expression over flags and experiments whose values are bounded.",
    ),
    on_exhausted: defaulted(
      oneOf("fail", "continue"),
      "fail",
      "What happens when `max_iterations` is reached before `until` is true.",
    ),
    on_round_error: defaulted(
      oneOf("fail", "keep"),
      "fail",
      "keep: a round that fails after a whole one ends the loop with what the last whole round left.",
    ),
    on_no_new_call: defaulted(
      oneOf("continue", "end"),
      "continue",
      "end: a round without a new tool call ends the loop.",
    ),
  },
  {
    expected: "repeat such as { until: …, max_iterations: 3 }",
    aliases: {
      while: "write the opposite under until",
      max: "max_iterations",
      limit: "max_iterations",
      times: "max_iterations",
      iterations: "max_iterations",
    },
    missingCodes: {
      max_iterations: {
        code: "PL2009",
        help: "limit the iterations: max_iterations: 3",
      },
    },
  },
)
