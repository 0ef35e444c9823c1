/** Infers the type of an expression and reports everything that fails on every value. */
import { suggest } from "../Suggestion.ts"
import { namedIssue, reportOperand } from "./Checker.ts"
import type { Bound, Checker, Issue } from "./Checker.ts"
import { defaultFix, joinedText, renamedValue } from "./operandFixes.ts"
import type { TextFix } from "../syntax/TextFix.ts"
import { combineProofs, noProof, provenBy } from "./guards.ts"
import type { Proof } from "./guards.ts"
import { inferCall, SLICE_HELP } from "./inferCall.ts"
import { inferField, inferIndex, readField } from "./inferField.ts"
import { pathOf, type Binary, type Node } from "../syntax/Node.ts"
import { narrow } from "./narrow.ts"
import { binaryType, widen } from "./operators.ts"
import { any, bool, canEqual, describeType, fits, listOf, mapOf, membersOf, union } from "./Type.ts"
import type { Field, FieldIssue, Type } from "./Type.ts"
import { typeOfValue } from "./typeOfSchema.ts"

/** The root names available to an expression. */
export interface Environment {
  readonly roots: { readonly [name: string]: Field }
  /** The issue to report for an unknown root name, and what follows it in the expression. */
  readonly unknownRoot: (name: string, rest: string) => FieldIssue
}

export interface Inference {
  readonly type: Type
  readonly issues: ReadonlyArray<Issue>
}

/** `proof` is what is already proven, such as by the `if` of the stage. */
export const infer = (
  node: Node,
  source: string,
  environment: Environment,
  proof: Proof = noProof,
): Inference => {
  const issues: Array<Issue> = []
  const checker: Checker = {
    source,
    infer: (part, known, bound) => inferNode(part, known, bound, checker, environment),
    report: (issue) => issues.push(issue),
  }
  return { type: checker.infer(node, proof, new Map()), issues }
}

const inferNode = (
  node: Node,
  proof: Proof,
  bound: Bound,
  checker: Checker,
  environment: Environment,
): Type => {
  switch (node.op) {
    case "literal":
      return typeOfValue(node.value)
    case "name": {
      const local = bound.get(node.name)
      if (local) return narrow(local, node, proof)
      const root = Object.hasOwn(environment.roots, node.name)
        ? environment.roots[node.name]
        : undefined
      if (!root) {
        const issue = environment.unknownRoot(node.name, checker.source.slice(node.end))
        checker.report(namedIssue(issue, node.start, node.end))
        return any
      }
      return narrow(readField(root, node, node.start, node.name, proof, checker), node, proof)
    }
    case "field":
      return narrow(inferField(node, proof, bound, checker), node, proof)
    case "index":
      return narrow(inferIndex(node, proof, bound, checker), node, proof)
    case "call":
      return inferCall(node, proof, bound, checker)
    case "list":
      return listOf(union(node.items.map((item) => checker.infer(item, proof, bound))))
    case "map":
      return inferMap(node.entries, proof, bound, checker)
    case "unary": {
      const type = checker.infer(node.of, proof, bound)
      if (node.operator === "!") {
        expectTruth(type, node.of, "!", checker)
        return bool
      }
      if (!fits(type, { kind: "number" })) {
        reportOperand(node.of, `"-" needs a number, this is ${describeType(type)}`, checker)
        return any
      }
      return type
    }
    case "choice": {
      expectTruth(checker.infer(node.test, proof, bound), node.test, "? :", checker)
      return union([
        checker.infer(node.yes, combineProofs(proof, provenBy(node.test, true)), bound),
        checker.infer(node.no, combineProofs(proof, provenBy(node.test, false)), bound),
      ])
    }
    case "binary":
      return inferBinary(node, proof, bound, checker)
  }
}

/** Reports a condition that is not a boolean; there are no truthy values. */
const expectTruth = (
  type: Type,
  node: Node,
  operator: string,
  checker: Checker,
  help = truthHelp(type, checker.source.slice(node.start, node.end)),
  fix?: TextFix,
): void => {
  if (fits(type, bool)) return
  reportOperand(
    node,
    `"${operator}" needs true or false, this is ${describeType(type)}`,
    checker,
    help,
    fix,
  )
}

/** The meaning of `a || "b"` of other languages, where its left side is no condition. */
const defaultHelp = ({ left, right }: Binary, source: string): string | undefined => {
  if (pathOf(left) === undefined) return undefined
  const value = source.slice(left.start, left.end)
  return `a default: has(${value}) ? ${value} : ${source.slice(right.start, right.end)}`
}

/** A suggested fix that turns a value of this type into a condition. */
export const truthHelp = (type: Type, text: string): string | undefined => {
  const kinds = new Set(membersOf(type).map((member) => member.kind))
  if (kinds.has("null")) return `compare it: ${text} != null`
  if (kinds.has("list") || kinds.has("string")) return `compare it: size(${text}) > 0`
  if (kinds.has("int") || kinds.has("number")) return `compare it: ${text} > 0`
  return undefined
}

const inferMap = (
  entries: ReadonlyArray<readonly [Node, Node]>,
  proof: Proof,
  bound: Bound,
  checker: Checker,
): Type => {
  const fields: { [name: string]: Field } = {}
  const others: Array<Type> = []
  for (const [key, value] of entries) {
    const keyType = checker.infer(key, proof, bound)
    const type = checker.infer(value, proof, bound)
    if (!fits(keyType, { kind: "string" })) {
      reportOperand(key, `a key is text, this is ${describeType(keyType)}`, checker)
    } else if (key.op === "literal") fields[String(key.value)] = { type, optional: false }
    else others.push(type)
  }
  if (others.length === 0) return { kind: "object", fields, rest: undefined }
  return mapOf(union([...others, ...Object.values(fields).map(({ type }) => type)]))
}

const inferBinary = (node: Binary, proof: Proof, bound: Bound, checker: Checker): Type => {
  const { operator } = node
  const left = checker.infer(node.left, proof, bound)
  const shortCircuits = operator === "&&" || operator === "||"
  const known = shortCircuits ? combineProofs(proof, provenBy(node.left, operator === "&&")) : proof
  const right = checker.infer(node.right, known, bound)
  if (shortCircuits) {
    const isDefault = operator === "||" && !fits(left, bool)
    const help = isDefault ? defaultHelp(node, checker.source) : undefined
    const fix = help === undefined ? undefined : defaultFix(node, left, checker.source)
    expectTruth(left, node.left, operator, checker, help, fix)
    if (help === undefined) expectTruth(right, node.right, operator, checker)
    return bool
  }
  const result = binaryType(operator, left, right)
  if ("type" in result) {
    if (operator === "==" || operator === "!=" || operator === "in") {
      checkEquality(node, left, operator === "in" ? itemsOf(right) : right, checker)
    }
    return result.type
  }
  reportOperand(
    node,
    `"${operator}" has no meaning for ${describeType(result.left)} and ${describeType(result.right)}`,
    checker,
    operatorHelp(node, result.left, result.right, checker.source),
    joinedText(node, result.left, result.right, checker.source),
  )
  return operator === "+" || operator === "-" || operator === "*" || operator === "/" ? any : bool
}

const itemsOf = (type: Type): Type =>
  type.kind === "list"
    ? type.item
    : type.kind === "object"
      ? any
      : type.kind === "union"
        ? any
        : type

/** Reports a comparison of types that can never be equal. */
const checkEquality = (node: Binary, left: Type, right: Type, checker: Checker): void => {
  if (canEqual(left, right)) return
  const texts = (type: Type): ReadonlyArray<string> =>
    membersOf(type).flatMap((member) => (member.kind === "string" ? (member.values ?? []) : []))
  const literal = node.right.op === "literal" ? node.right : node.left
  const values = texts(literal === node.right ? left : right)
  const near =
    literal.op === "literal" && typeof literal.value === "string"
      ? suggest(literal.value, values)
      : undefined
  const never = node.operator === "!=" ? "always" : "never"
  const at = values.length > 0 && literal.op === "literal" ? literal : node
  checker.report({
    code: "PL1205",
    severity: canEqual(widen(left), widen(right)) ? "warning" : "error",
    message: `this is ${never} true: ${describeType(left)} and ${describeType(right)} differ`,
    help:
      near === undefined
        ? values.length > 0
          ? `it is one of: ${values.join(", ")}`
          : undefined
        : `did you mean "${near}"?`,
    start: at.start,
    end: at.end,
    ...renamedValue(literal, values, checker.source),
  })
}

/** The operand that is text where the other one is a number. */
const textNumber = (type: Type, node: Node, other: Type): Node | undefined =>
  type.kind === "string" && (other.kind === "int" || other.kind === "number") ? node : undefined

const operatorHelp = (
  node: Binary,
  left: Type,
  right: Type,
  source: string,
): string | undefined => {
  if (left.kind === "null" || right.kind === "null")
    return "it may be null: compare it with null first"
  const number = textNumber(left, node.left, right) ?? textNumber(right, node.right, left)
  if (number !== undefined && node.operator !== "+") {
    const text = source.slice(number.start, number.end)
    return `make it a number: to_number(${text})`
  }
  if (node.operator !== "+") return undefined
  const isSlice = (part: Node): boolean => part.op === "call" && part.name === "slice"
  if (isSlice(node.left) || isSlice(node.right)) return SLICE_HELP
  const text = (part: Node): string => source.slice(part.start, part.end)
  if (left.kind === "string" && right.kind !== "list")
    return `make it text: string(${text(node.right)})`
  if (right.kind === "string" && left.kind !== "list")
    return `make it text: string(${text(node.left)})`
  if (left.kind === "list") return `add a list: [${text(node.right)}]`
  return undefined
}
