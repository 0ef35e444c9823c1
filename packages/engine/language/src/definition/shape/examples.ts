/** The shape of a file of examples. */
import type { Example } from "../Examples.ts"
import type { Shape } from "../Shape.ts"
import { jsonObject, list, map } from "./collections.ts"
import { header } from "./header.ts"
import { object, optional, required } from "./object.ts"
import { past } from "./past.ts"
import { json } from "./scalars.ts"

const example: Shape<Example> = object(
  {
    inputs: required(jsonObject, "Inputs of the workflow."),
    session: optional(past, "The conversation before it."),
    output: required(json, "What the stage should give for them."),
    expect: optional(json, "The part of it that must hold; all of it unless written."),
  },
  {
    expected: "an example such as { inputs: { message: hello }, output: { … } }",
    aliases: { input: "inputs", given: "inputs", outputs: "output", expected: "expect" },
  },
)

export const examples: Shape<ReadonlyArray<Example>> = map(
  object(
    {
      ...header("Examples"),
      examples: required(
        list(example, { atLeast: 1, expected: "a list of examples" }),
        "In the order in which a model reads them.",
      ),
    },
    { expected: "a file of examples" },
  ),
  (file) => file.examples,
)
