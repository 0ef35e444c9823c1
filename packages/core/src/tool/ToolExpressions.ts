/** The expressions of tools, compiled once: `normalize` changes params before a call, `summarize` gives one line on its result. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { compileExpression, ExpressionFailed, type CompiledExpression } from "@planloom/expression"
import { oneLine, summaryOf } from "./summaryOf.ts"

/** An expression of a tool that failed; what it would have changed stays as it was. */
export interface ExpressionFault {
  /** `summarize`, or `normalize.city`. */
  readonly key: string
  readonly message: string
}

interface Compiled {
  readonly normalize: ReadonlyArray<readonly [param: string, expression: Evaluate]>
  readonly summarize: Evaluate | undefined
}

type Evaluate = CompiledExpression["evaluate"]

const known = new WeakMap<Tool, Compiled>()

const compiled = (tool: Tool): Compiled => {
  let made = known.get(tool)
  if (made === undefined) {
    made = {
      normalize: Object.entries(tool.normalize ?? {}).map(([param, text]) => [
        param,
        evaluator(text),
      ]),
      summarize: tool.summarize === undefined ? undefined : evaluator(tool.summarize),
    }
    known.set(tool, made)
  }
  return made
}

/** A text that is no expression fails when it is evaluated. */
const evaluator = (text: string): Evaluate => {
  try {
    return compileExpression(text).evaluate
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const attempt = (
  evaluate: Evaluate,
  scope: JsonObject,
  key: string,
): { readonly value: Json } | { readonly fault: ExpressionFault } => {
  try {
    return { value: evaluate(scope) }
  } catch (error) {
    if (!(error instanceof ExpressionFailed)) throw error
    return { fault: { key, message: error.message } }
  }
}

/** The params with which a call is checked, identified and made. Each expression reads the params as given. */
export const normalizeParams = (
  tool: Tool,
  params: JsonObject,
): { readonly params: JsonObject; readonly faults: ReadonlyArray<ExpressionFault> } => {
  if (tool.normalize === undefined) return { params, faults: [] }
  const changed: { [param: string]: Json } = { ...params }
  const faults: Array<ExpressionFault> = []
  for (const [param, evaluate] of compiled(tool).normalize) {
    if (!Object.hasOwn(params, param)) continue
    const made = attempt(evaluate, { params }, `normalize.${param}`)
    if ("fault" in made) faults.push(made.fault)
    else changed[param] = made.value
  }
  return { params: changed, faults }
}

/** One line on a result: the tool's own, or a general one. */
export const summarize = (
  tool: Tool | undefined,
  params: JsonObject,
  result: Json,
): { readonly summary: string; readonly fault: ExpressionFault | undefined } => {
  const evaluate = tool?.summarize === undefined ? undefined : compiled(tool).summarize
  if (evaluate === undefined) return { summary: summaryOf(result), fault: undefined }
  const made = attempt(evaluate, { params, result }, "summarize")
  if ("fault" in made) return { summary: summaryOf(result), fault: made.fault }
  return typeof made.value === "string"
    ? { summary: oneLine(made.value), fault: undefined }
    : {
        summary: summaryOf(result),
        fault: { key: "summarize", message: "its value is not a text" },
      }
}
