/** The shape of an assertion, which must hold once a stage has its output. */
import type { Assertion } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { byType, list, map } from "./collections.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { expression, name, number, oneOf, text } from "./scalars.ts"

const onFail: Shape<Assertion["on_fail"]> = byType<Assertion["on_fail"]>(
  {
    string: oneOf("fail"),
    mapping: object(
      {
        rerun: required(name, "The earlier stage of this block to rerun."),
        max_reruns: required(
          number({ integer: true, minimum: 1, maximum: 100 }),
          "Maximum number of reruns.",
        ),
      },
      {
        expected: "{ rerun: stage, max_reruns: 2 }",
        aliases: {
          stage: "rerun",
          goto: "rerun",
          retry: "rerun",
          max_retries: "max_reruns",
          limit: "max_reruns",
        },
        missingCodes: {
          max_reruns: { code: "PL2009", help: "limit the reruns: max_reruns: 2" },
        },
      },
    ),
  },
  "fail, or { rerun, max_reruns }",
  "fail",
)

const truth = expression("true or false")

const assertion: Shape<Assertion> = byType<Assertion>(
  {
    string: map(truth, (that) => ({ that, message: undefined, on_fail: "fail" as const })),
    mapping: object(
      {
        that: required(truth, "What must be true once the stage has its output."),
        message: optional(text(), "Message when it is false; may contain expressions."),
        on_fail: defaulted(onFail, "fail", "fail, or rerun from an earlier stage."),
      },
      {
        expected: "an assertion such as { that: stages.plan.output.ok }",
        aliases: {
          if: "that",
          expr: "that",
          condition: "that",
          assert: "that",
          rerun: "write it under on_fail: { rerun: …, max_reruns: 2 }",
        },
      },
    ),
  },
  "an expression, or { that, message, on_fail }",
  { that: "", message: undefined, on_fail: "fail" },
)

/** One assertion may stand without its list. */
export const assertions: Shape<ReadonlyArray<Assertion>> = byType<ReadonlyArray<Assertion>>(
  {
    list: list(assertion),
    mapping: map(assertion, (one) => [one]),
    string: map(assertion, (one) => [one]),
  },
  "a list of assertions",
  [],
)
