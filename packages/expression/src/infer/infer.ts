/** The type of an expression, and everything in it that cannot work on any value. */
import { suggest } from "../Suggestion.ts"
import { objectTo } from "./Checker.ts"
import type { Bound, Checker, Issue } from "./Checker.ts"
import { both, nothing, proves } from "./guards.ts"
import type { Proof } from "./guards.ts"
import { inferCall } from "./inferCall.ts"
import { inferField, inferIndex, readField } from "./inferField.ts"
import { pathOf } from "../syntax/Node.ts"
import type { Binary, Node } from "../syntax/Node.ts"
import { binaryType, widened } from "./operators.ts"
import { any, bool, canEqual, describe, fits, listOf, mapOf, membersOf, union } from "./Type.ts"
import type { Field, Objection, Type } from "./Type.ts"
import { typeOfValue } from "./typeOfSchema.ts"

/** The names an expression may begin with. */
export interface Environment {
  readonly roots: { readonly [name: string]: Field }
  /** What to say of a name that is none of the roots. */
  readonly unknownRoot: (name: string) => Objection
}

export interface Inference {
  readonly type: Type
  readonly issues: ReadonlyArray<Issue>
}

/** `proof` is what is known before: the reading stage's own `if`. */
export const infer = (
  node: Node,
  source: string,
  environment: Environment,
  proof: Proof = nothing,
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
        checker.report({ ...environment.unknownRoot(node.name), start: node.start, end: node.end })
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
        objectTo(node.of, `"-" needs a number, this is ${describe(type)}`, checker)
        return any
      }
      return type
    }
    case "choice": {
      expectTruth(checker.infer(node.test, proof, bound), node.test, "? :", checker)
      return union([
        checker.infer(node.yes, both(proof, proves(node.test, true)), bound),
        checker.infer(node.no, both(proof, proves(node.test, false)), bound),
      ])
    }
    case "binary":
      return inferBinary(node, proof, bound, checker)
  }
}

/** A path that was compared with null is not null where the comparison says so. */
const narrow = (type: Type, node: Node, proof: Proof): Type => {
  if (type.kind !== "union" || proof.notNull.size === 0) return type
  const path = pathOf(node)
  return path && proof.notNull.has(path.join("."))
    ? union(type.members.filter((member) => member.kind !== "null"))
    : type
}

/** Conditions take true or false, nothing that is merely like it. */
const expectTruth = (type: Type, node: Node, operator: string, checker: Checker): void => {
  if (fits(type, bool)) return
  objectTo(
    node,
    `"${operator}" needs true or false, this is ${describe(type)}`,
    checker,
    truthHelp(type, checker.source.slice(node.start, node.end)),
  )
}

/** How to make a condition of a value of this type. */
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
      objectTo(key, `a key is text, this is ${describe(keyType)}`, checker)
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
  const known = shortCircuits ? both(proof, proves(node.left, operator === "&&")) : proof
  const right = checker.infer(node.right, known, bound)
  if (shortCircuits) {
    expectTruth(left, node.left, operator, checker)
    expectTruth(right, node.right, operator, checker)
    return bool
  }
  const result = binaryType(operator, left, right)
  if ("type" in result) {
    if (operator === "==" || operator === "!=" || operator === "in") {
      checkEquality(node, left, operator === "in" ? itemsOf(right) : right, checker)
    }
    return result.type
  }
  objectTo(
    node,
    `"${operator}" has no meaning for ${describe(result.left)} and ${describe(result.right)}`,
    checker,
    operatorHelp(node, result.left, result.right, checker.source),
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

/** A comparison that can never hold is a typing mistake, in both senses. */
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
    severity: canEqual(widened(left), widened(right)) ? "warning" : "error",
    message: `this is ${never} true: ${describe(left)} and ${describe(right)} differ`,
    help:
      near === undefined
        ? values.length > 0
          ? `it is one of: ${values.join(", ")}`
          : undefined
        : `did you mean "${near}"?`,
    start: at.start,
    end: at.end,
  })
}

const operatorHelp = (
  node: Binary,
  left: Type,
  right: Type,
  source: string,
): string | undefined => {
  if (left.kind === "null" || right.kind === "null")
    return "it may be null: compare it with null first"
  if (node.operator !== "+") return undefined
  const text = (part: Node): string => source.slice(part.start, part.end)
  if (left.kind === "string" && right.kind !== "list")
    return `make it text: string(${text(node.right)})`
  if (right.kind === "string" && left.kind !== "list")
    return `make it text: string(${text(node.left)})`
  if (left.kind === "list") return `add a list: [${text(node.right)}]`
  return undefined
}
