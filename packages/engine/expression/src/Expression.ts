/** Compiles expressions (CEL over plain data) to pure, synchronous functions of a scope. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { compileNode } from "./evaluate/evaluate.ts"
import type { ExpressionScope } from "./evaluate/access.ts"
import { ExpressionFailed, renderText } from "./evaluate/functions.ts"
import { childrenOf, macroOf, pathOf } from "./syntax/Node.ts"
import type { Node } from "./syntax/Node.ts"
import { parseExpression } from "./syntax/parse.ts"
import { parseTemplate } from "./syntax/Template.ts"
import { SyntaxProblem } from "./syntax/tokenize.ts"

export { ExpressionFailed }
export type { ExpressionScope }

/** A compiled expression. */
export interface CompiledExpression {
  readonly source: string
  /** Throws `ExpressionFailed`. */
  readonly evaluate: (scope: ExpressionScope) => Json
  /** Every path the expression reads from the scope, such as `["stages", "plan", "output"]`. */
  readonly references: ReadonlyArray<ReadonlyArray<string>>
}

export interface CompiledValue {
  /** Throws `ExpressionFailed`. */
  readonly evaluate: (scope: ExpressionScope) => Json
  readonly references: ReadonlyArray<ReadonlyArray<string>>
  /** Whether it contains no expression and always evaluates to the same value. */
  readonly constant: boolean
  /** The values of a mapping, which can be evaluated separately. */
  readonly entries?: ReadonlyArray<readonly [key: string, value: CompiledValue]>
}

/** Compiles raw CEL, as in `if:`; a single enclosing `${{ }}` is allowed. Throws `ExpressionFailed` on bad syntax. */
export const compileExpression = (text: string): CompiledExpression => {
  const source = unwrapExpression(text)
  const node = parse(source)
  return { source, evaluate: withSource(source, compileNode(node)), references: referencesOf(node) }
}

/** The CEL of a condition: the text itself, or the content of a single enclosing `${{ }}`. */
export const unwrapExpression = (text: string): string => {
  const parts = text.includes("${{") ? parseTemplate(text).parts : []
  const only = parts.length === 1 ? parts[0] : undefined
  return only?.type === "expression" ? only.source : text
}

const parse = (source: string): Node => {
  try {
    return parseExpression(source)
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const failure = new ExpressionFailed(error.message)
    failure.source = source
    throw failure
  }
}

/** Adds the expression's source to its failures. */
const withSource =
  (source: string, evaluate: (scope: ExpressionScope) => Json) =>
  (scope: ExpressionScope): Json => {
    try {
      return evaluate(scope)
    } catch (error) {
      if (error instanceof ExpressionFailed && error.source === "") {
        error.source = source
        error.message = `${error.message} (in ${abridged(source)})`
      }
      throw error
    }
  }

const abridged = (source: string): string => {
  const line = source.trim().replace(/\s+/g, " ")
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** The longest paths a tree reads from the scope, without names it binds itself. */
export const referencesOf = (node: Node): ReadonlyArray<ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  const walk = (part: Node, bound: ReadonlySet<string>): void => {
    const path = pathOf(part)
    if (path) {
      if (!bound.has(path[0]!)) found.set(path.join("\0"), path)
      return
    }
    const macro = part.op === "call" ? macroOf(part) : undefined
    if (macro) {
      walk(macro.over, bound)
      const inner = new Set([...bound, macro.name])
      for (const body of macro.bodies) walk(body, inner)
      return
    }
    for (const child of childrenOf(part)) walk(child, bound)
  }
  walk(node, new Set())
  return [...found.values()]
}

/** Compiles a JSON value with `${{ }}` in its texts. Throws `ExpressionFailed` on bad syntax. */
export const compileValue = (value: Json): CompiledValue => {
  if (typeof value === "string") return compileText(value)
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => compileValue(item))
    return combine(items, value, (scope) => items.map((item) => item.evaluate(scope)))
  }
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, entry]) => [key, compileValue(entry as Json)] as const,
    )
    const whole = combine(
      entries.map(([, entry]) => entry),
      value,
      (scope) => {
        const object: { [key: string]: Json } = {}
        for (const [key, entry] of entries) object[key] = entry.evaluate(scope)
        return object
      },
    )
    return { ...whole, entries }
  }
  return { constant: true, references: [], evaluate: () => value }
}

const combine = (
  parts: ReadonlyArray<CompiledValue>,
  value: Json,
  evaluate: (scope: ExpressionScope) => Json,
): CompiledValue =>
  parts.every((part) => part.constant)
    ? { constant: true, references: [], evaluate: constant(value, evaluate) }
    : { constant: false, references: parts.flatMap((part) => part.references), evaluate }

/** Evaluates a constant once; only the escape `$${{` differs from the source. */
const constant = (value: Json, evaluate: (scope: ExpressionScope) => Json): (() => Json) => {
  const fixed = containsExpression(value) ? evaluate({}) : value
  return () => fixed
}

const compileText = (text: string): CompiledValue => {
  if (!text.includes("${{")) return { constant: true, references: [], evaluate: () => text }
  const { parts, unclosed } = parseTemplate(text)
  if (unclosed !== undefined) {
    const failure = new ExpressionFailed("`${{` has no closing `}}`")
    failure.source = text
    throw failure
  }
  const compiled = parts.map((part) =>
    part.type === "text" ? part.text : compileExpression(part.source),
  )
  const references = compiled.flatMap((part) => (typeof part === "string" ? [] : part.references))
  const [only] = compiled
  if (compiled.length === 1 && typeof only === "object") {
    return { constant: false, references, evaluate: only.evaluate }
  }
  return {
    constant: compiled.every((part) => typeof part === "string"),
    references,
    evaluate: (scope) =>
      compiled
        .map((part) => (typeof part === "string" ? part : renderText(part.evaluate(scope))))
        .join(""),
  }
}

/** The value with another one in place of the text at a dotted path; the same value if there is no text. */
export const withTextAt = (value: Json, path: string, turn: (text: string) => Json): Json => {
  const [step, ...rest] = path.split(".") as [string, ...Array<string>]
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return value
  const inner = (value as { readonly [key: string]: Json })[step]!
  const turned =
    rest.length > 0
      ? withTextAt(inner, rest.join("."), turn)
      : typeof inner === "string"
        ? turn(inner)
        : inner
  if (turned === inner) return value
  return Array.isArray(value)
    ? value.with(Number(step), turned)
    : { ...(value as JsonObject), [step]: turned }
}

/** The entries of a mapping that contain no expression, so that their values are known before a run. */
export const literalEntries = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => !containsExpression(entry)))

export const containsExpression = (value: Json): boolean => {
  if (typeof value === "string") return value.includes("${{")
  if (value === null || typeof value !== "object") return false
  return Object.values(value).some((entry) => containsExpression(entry as Json))
}
