/** Functions and macros in groups, as documentation and lists show them. */
import type { FunctionReference } from "./evaluate/ExpressionFunction.ts"
import { listFunctions } from "./evaluate/listFunctions.ts"
import { objectFunctions } from "./evaluate/objectFunctions.ts"
import { orderFunctions } from "./evaluate/orderFunctions.ts"
import { retrievalFunctions } from "./evaluate/retrievalFunctions.ts"
import { toolFunctions } from "./evaluate/toolFunctions.ts"
import { textFunctions } from "./evaluate/textFunctions.ts"
import { valueFunctions } from "./evaluate/valueFunctions.ts"

/** Forms that the language itself reads: `has`, and macros that bind a name for each item. */
export const macroReferences: ReadonlyArray<FunctionReference> = [
  {
    name: "has",
    signature: "has(a.b) → bool",
    summary: "Whether a field has a value; false, too, if a part before it has none.",
    example: { expression: "has({'a': 1}.a)", result: true },
  },
  {
    name: "map",
    signature: "list.map(x, expression) → list",
    summary: "The expression for each item; `map(x, condition, expression)` skips the others.",
    example: { expression: "[1, 2].map(x, x * 10)", result: [10, 20] },
  },
  {
    name: "filter",
    signature: "list.filter(x, condition) → list",
    summary: "The items for which the condition is true.",
    example: { expression: "[1, 2, 3].filter(x, x > 1)", result: [2, 3] },
  },
  {
    name: "all",
    signature: "list.all(x, condition) → bool",
    summary: "Whether the condition is true for every item.",
    example: { expression: "[1, 2].all(x, x > 1)", result: false },
  },
  {
    name: "exists",
    signature: "list.exists(x, condition) → bool",
    summary: "Whether the condition is true for at least one item.",
    example: { expression: "[1, 2].exists(x, x > 1)", result: true },
  },
  {
    name: "exists_one",
    signature: "list.exists_one(x, condition) → bool",
    summary: "Whether the condition is true for exactly one item.",
    example: { expression: "[1, 2].exists_one(x, x > 0)", result: false },
  },
]

export const functionGroups: ReadonlyArray<{
  readonly title: string
  readonly functions: ReadonlyArray<FunctionReference>
}> = [
  { title: "Macros", functions: macroReferences },
  { title: "Values and numbers", functions: valueFunctions() },
  { title: "Texts", functions: textFunctions() },
  { title: "Lists", functions: listFunctions() },
  { title: "Sums, order and groups", functions: orderFunctions() },
  { title: "Objects", functions: objectFunctions() },
  { title: "Tools", functions: toolFunctions() },
  { title: "Retrieval", functions: retrievalFunctions() },
]
