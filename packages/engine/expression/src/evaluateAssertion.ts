/** Evaluates an assertion and collects the values that decided its result. */
import type { Json } from "@planloom/plugin/effect"
import { compileNode } from "./evaluate/evaluate.ts"
import type { ExpressionScope } from "./evaluate/access.ts"
import { ExpressionFailed } from "./evaluate/functions.ts"
import { childrenOf, macroOf } from "./syntax/Node.ts"
import type { Call, Node } from "./syntax/Node.ts"
import { parseExpression } from "./syntax/parse.ts"

/** A part of an assertion with its value or failure. */
export interface AssertionPart {
  readonly source: string
  readonly value?: Json
  /** The reason if it has no value. */
  readonly failure?: string
}

export interface AssertionResult {
  readonly holds: boolean
  /** The reason if the assertion has no truth value. */
  readonly failure?: string
  /** The values that decided a failed assertion, left to right. */
  readonly parts: ReadonlyArray<AssertionPart>
}

/** Evaluates an assertion. Throws `SyntaxProblem` on bad syntax. */
export const evaluateAssertion = (source: string, scope: ExpressionScope): AssertionResult => {
  const node = parseExpression(source)
  const part = (of: Node): AssertionPart => {
    const text = source.slice(of.start, of.end)
    try {
      return { source: text, value: compileNode(of)(scope) }
    } catch (error) {
      return { source: text, failure: reason(error) }
    }
  }
  const parts = (): ReadonlyArray<AssertionPart> => {
    const found = decidingParts(node, (of) => part(of).value).map(part)
    return found.filter(
      (one, index) => found.findIndex(({ source: s }) => s === one.source) === index,
    )
  }
  const { failure, value } = part(node)
  if (value === true) return { holds: true, parts: [] }
  if (failure !== undefined) return { holds: false, failure, parts: parts() }
  return {
    holds: false,
    ...(value === false ? {} : { failure: "it is neither true nor false" }),
    parts: parts(),
  }
}

const reason = (error: unknown): string => {
  if (error instanceof ExpressionFailed) return error.message
  throw error
}

/** The parts whose values explain the result: operands rather than the whole. */
const decidingParts = (
  node: Node,
  valueOf: (node: Node) => Json | undefined,
): ReadonlyArray<Node> => {
  switch (node.op) {
    case "literal":
      return []
    case "unary":
      return node.operator === "!" ? decidingParts(node.of, valueOf) : [node]
    case "choice":
      return [node.test, node.yes, node.no].flatMap((part) => decidingParts(part, valueOf))
    case "binary":
      return node.operator === "&&" || node.operator === "||"
        ? [node.left, node.right]
            .filter((side) => valueOf(side) !== true)
            .flatMap((side) => decidingParts(side, valueOf))
        : ["+", "-", "*", "/", "%"].includes(node.operator)
          ? [node]
          : [node.left, node.right].filter((side) => !isConstant(side))
    case "call":
      return decidingCall(node)
    default:
      return [node]
  }
}

/** `has(a.b)` is decided by `a`, `xs.all(…)` by `xs`, other calls by their receiver and arguments. */
const decidingCall = (node: Call): ReadonlyArray<Node> => {
  const [argument] = node.args
  if (node.receiver === undefined && node.name === "has" && argument?.op === "field")
    return [argument.of]
  const macro = macroOf(node)
  if (macro !== undefined) return [macro.over]
  return [...(node.receiver === undefined ? [] : [node.receiver]), ...node.args].filter(
    (part) => !isConstant(part),
  )
}

/** Whether a value is a literal, which the assertion's text shows already. */
const isConstant = (node: Node): boolean =>
  node.op === "literal" ||
  ((node.op === "list" || node.op === "map" || node.op === "unary") &&
    childrenOf(node).every(isConstant))
