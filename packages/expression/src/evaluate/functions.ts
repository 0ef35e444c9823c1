/** Registry of all expression functions, with types for `check` and implementations for runs. */
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { listFunctions } from "./listFunctions.ts"
import { textFunctions } from "./textFunctions.ts"
import { valueFunctions } from "./valueFunctions.ts"

export { equal, ExpressionFailed, renderText } from "./ExpressionFunction.ts"
export type { ExpressionFunction } from "./ExpressionFunction.ts"

export const functions: ReadonlyMap<string, ExpressionFunction> = new Map(
  [...valueFunctions, ...textFunctions, ...listFunctions].map((one) => [one.name, one]),
)

/** The signature of a function, such as `text.split(text)`. */
export const signatureOf = (one: ExpressionFunction): string => {
  const names = one.params.map((type) => (type.kind === "union" ? "value" : type.kind))
  const method = one.form === "method"
  const args = method ? names.slice(1) : names
  return `${method ? `${names[0]}.` : ""}${one.name}(${args.join(", ")})`
}
