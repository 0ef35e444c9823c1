/** Registry of all expression functions, with types for `check` and implementations for runs. */
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { listFunctions } from "./listFunctions.ts"
import { objectFunctions } from "./objectFunctions.ts"
import { orderFunctions } from "./orderFunctions.ts"
import { retrievalFunctions } from "./retrievalFunctions.ts"
import { toolFunctions } from "./toolFunctions.ts"
import { textFunctions } from "./textFunctions.ts"
import { valueFunctions } from "./valueFunctions.ts"

export { equal, ExpressionFailed, renderText } from "./ExpressionFunction.ts"
export type { ExpressionFunction } from "./ExpressionFunction.ts"

let functions: ReadonlyMap<string, ExpressionFunction> | undefined

/** By name; defined with the first call in an expression, because many workflows have none. */
export const allFunctions = (): ReadonlyMap<string, ExpressionFunction> =>
  (functions ??= new Map(
    [
      ...valueFunctions(),
      ...textFunctions(),
      ...listFunctions(),
      ...orderFunctions(),
      ...objectFunctions(),
      ...toolFunctions(),
      ...retrievalFunctions(),
    ].map((one) => [one.name, one]),
  ))
