/** An assertion on given values: whether it holds, and which values decided that. */
import type { Json } from "@planloom/plugin"
import { compileNode } from "./evaluate/evaluate.ts"
import type { ExpressionScope } from "./evaluate/access.ts"
import { ExpressionFailed } from "./evaluate/functions.ts"
import { childrenOf, macroOf } from "./syntax/Node.ts"
import type { Call, Node } from "./syntax/Node.ts"
import { parseExpression } from "./syntax/parse.ts"

/** A part of an assertion and what it came to. */
export interface JudgedPart {
  readonly source: string
  readonly value?: Json
  /** Why it has no value. */
  readonly failure?: string
}

export interface Judgement {
  readonly holds: boolean
  /** Why the whole has no truth value, when it has none. */
  readonly failure?: string
  /** The values an assertion that does not hold was decided by, left to right. */
  readonly parts: ReadonlyArray<JudgedPart>
}

/** Throws `SyntaxProblem` on bad syntax. */
export const judge = (source: string, scope: ExpressionScope): Judgement => {
  const node = parseExpression(source)
  const part = (of: Node): JudgedPart => {
    const told = source.slice(of.start, of.end)
    try {
      return { source: told, value: compileNode(of)(scope) }
    } catch (error) {
      return { source: told, failure: reason(error) }
    }
  }
  const parts = (): ReadonlyArray<JudgedPart> => {
    const told = deciding(node, (of) => part(of).value).map(part)
    return told.filter(
      (one, index) => told.findIndex(({ source: s }) => s === one.source) === index,
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

/** The parts whose values a reader wants to see: operands rather than the whole. */
const deciding = (node: Node, valueOf: (node: Node) => Json | undefined): ReadonlyArray<Node> => {
  switch (node.op) {
    case "literal":
      return []
    case "unary":
      return node.operator === "!" ? deciding(node.of, valueOf) : [node]
    case "choice":
      return [node.test, node.yes, node.no].flatMap((part) => deciding(part, valueOf))
    case "binary":
      return node.operator === "&&" || node.operator === "||"
        ? [node.left, node.right]
            .filter((side) => valueOf(side) !== true)
            .flatMap((side) => deciding(side, valueOf))
        : ["+", "-", "*", "/", "%"].includes(node.operator)
          ? [node]
          : [node.left, node.right].filter((side) => !isConstant(side))
    case "call":
      return decidingCall(node)
    default:
      return [node]
  }
}

/** `has(a.b)` is decided by `a`; `xs.all(…)` by `xs`; other calls by what they are given. */
const decidingCall = (node: Call): ReadonlyArray<Node> => {
  const [asked] = node.args
  if (node.receiver === undefined && node.name === "has" && asked?.op === "field") return [asked.of]
  const macro = macroOf(node)
  if (macro !== undefined) return [macro.over]
  return [...(node.receiver === undefined ? [] : [node.receiver]), ...node.args].filter(
    (part) => !isConstant(part),
  )
}

/** A value written out: a reader sees it in the assertion itself. */
const isConstant = (node: Node): boolean =>
  node.op === "literal" ||
  ((node.op === "list" || node.op === "map" || node.op === "unary") &&
    childrenOf(node).every(isConstant))
