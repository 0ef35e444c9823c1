/** Infers the type of a field or list item and reports unknown ones. */
import { abridge, hint, onlyNear, suggest } from "../Suggestion.ts"
import { namedIssue, reportOperand } from "./Checker.ts"
import type { Bound, Checker } from "./Checker.ts"
import type { TextFix } from "../syntax/TextFix.ts"
import type { Proof } from "./guards.ts"
import { pathOf } from "../syntax/Node.ts"
import type { FieldAccess, IndexAccess, Node } from "../syntax/Node.ts"
import { widen } from "./operators.ts"
import { any, describeType, fieldIn, fits, membersOf, namesIn, union } from "./Type.ts"
import type { Field, FieldIssue, ObjectType, Type } from "./Type.ts"

/** Reads a known field and reports a forbidden or unguarded read. */
export const readField = (
  field: Field,
  node: Node,
  start: number,
  name: string,
  proof: Proof,
  checker: Checker,
): Type => {
  if (field.forbidden) {
    checker.report(namedIssue(field.forbidden, start, start + name.length))
    return any
  }
  if (!field.optional) return field.type
  const path = pathOf(node)
  if (path && proof.present.has(path.join("."))) return field.type
  const shown = checker.source.slice(node.start, node.end)
  const defaultIssue: FieldIssue & { readonly severity: "warning" } = {
    code: "PL1206",
    severity: "warning",
    message: `${shown} may be missing`,
    help: `guard it: has(${shown}) ? ${shown} : …`,
  }
  checker.report(namedIssue(field.whenMissing ?? defaultIssue, start, start + name.length))
  return field.type
}

export const inferField = (
  node: FieldAccess,
  proof: Proof,
  bound: Bound,
  checker: Checker,
): Type => {
  const of = checker.infer(node.of, proof, bound)
  return fieldOf(of, node, node.name, node.nameStart, proof, checker)
}

/** The type of a field of a value of any type, including unions. */
const fieldOf = (
  of: Type,
  node: FieldAccess | IndexAccess,
  name: string,
  start: number,
  proof: Proof,
  checker: Checker,
): Type => {
  if (of.kind === "any" || of.kind === "never") return any
  const at = { start, end: start + (node.op === "field" ? name.length : node.end - start) }
  const holder = checker.source.slice(node.of.start, node.of.end)
  const members = membersOf(of)
  const objects = members.filter((member): member is ObjectType => member.kind === "object")
  if (objects.length === 0) {
    checker.report({
      code: "PL1201",
      ...notAnObject(of, holder, name, node, checker.source),
      ...at,
    })
    return any
  }
  if (objects.length < members.length) {
    const isNull = members.some((member) => member.kind === "null")
    checker.report({
      code: "PL1202",
      message: `${holder} may be ${isNull ? "null" : describeType(union(members.filter((member) => member.kind !== "object")))}, which has no "${name}"`,
      help: isNull ? `guard it: ${holder} != null ? ${holder}.${name} : …` : undefined,
      ...at,
    })
    return any
  }
  const found = objects.flatMap((object): ReadonlyArray<Field> => {
    const field = fieldIn(object, name)
    if (field) return [field]
    return object.rest ? [{ type: object.rest, optional: false }] : []
  })
  if (found.length === 0) {
    const { fix, ...issue } = unknownField(objects, holder, name)
    // A name in brackets is quoted.
    checker.report(
      node.op === "field" ? namedIssue({ ...issue, fix }, at.start, at.end) : { ...issue, ...at },
    )
    return any
  }
  const field: Field =
    found.length === 1 && objects.length === 1
      ? found[0]!
      : {
          type: union(found.map(({ type }) => type)),
          optional: found.length < objects.length || found.some(({ optional }) => optional),
        }
  return readField(field, node, start, name, proof, checker)
}

const unknownField = (
  objects: ReadonlyArray<ObjectType>,
  holder: string,
  name: string,
): FieldIssue => {
  const noun = objects[0]!.noun ?? { word: "field", code: "PL1201" }
  const names = [...new Set(objects.flatMap(namesIn))]
  const among = noun.word === "field" ? "it has" : "there are"
  const isOnly = objects.length === 1 && noun.word === "field"
  const inside = isOnly ? innerField(objects[0]!, name) : undefined
  return {
    code: noun.code,
    message:
      noun.word === "field"
        ? `${holder} has no field "${name}"`
        : `there is no ${noun.word} "${name}"`,
    help:
      inside === undefined || suggest(name, names) !== undefined
        ? (hint(name, names, among) ?? "it has no fields")
        : `did you mean "${inside}"? ${among}: ${abridge(names)}`,
    fix: onlyNear(name, names) ?? inside,
  }
}

/** The only path that ends in a field, such as `output.text` for `text`, or `output.value.text`. */
const innerField = (object: ObjectType, name: string, depth = 2): string | undefined => {
  const inner = namesIn(object).flatMap((outer) => {
    const field = fieldIn(object, outer)!
    if (field.type.kind !== "object" || (field.optional && outer !== "output")) return []
    if (fieldIn(field.type, name) !== undefined) return [`${outer}.${name}`]
    const below = depth > 1 ? innerField(field.type, name, depth - 1) : undefined
    return below === undefined ? [] : [`${outer}.${below}`]
  })
  return inner.length === 1 ? inner[0] : undefined
}

/** Fields by which other tools read all of a value. */
const wholeValue: ReadonlySet<string> = new Set(["value", "text", "output", "result"])

const notAnObject = (
  of: Type,
  holder: string,
  name: string,
  node: FieldAccess | IndexAccess,
  source: string,
): { readonly message: string; readonly help?: string; readonly fix?: TextFix } => {
  const message = `${holder} is ${describeType(of)}, it has no field "${name}"`
  const list = membersOf(of).find((member) => member.kind === "list")
  // A holder in parentheses begins inside of them.
  const isBare = /^\s*\.\s*\w+$/.test(source.slice(node.of.end, node.end))
  const instead = (text: string): { readonly fix?: TextFix } =>
    isBare ? { fix: { start: node.start, end: node.end, text } } : {}
  if (name === "length" || name === "size") {
    const text = `size(${holder})`
    return { message, help: `its length is ${text}`, ...instead(text) }
  }
  if (list?.kind !== "list") {
    const isWhole = wholeValue.has(name)
    return { message, help: `write ${holder}`, ...(isWhole ? instead(holder) : {}) }
  }
  return { message, help: `of one item: ${holder}[0].${name}; of all: ${holder}.map(x, x.${name})` }
}

export const inferIndex = (
  node: IndexAccess,
  proof: Proof,
  bound: Bound,
  checker: Checker,
): Type => {
  const of = checker.infer(node.of, proof, bound)
  const index = checker.infer(node.index, proof, bound)
  if (of.kind === "any" || of.kind === "never") return any
  if (node.index.op === "literal" && typeof node.index.value === "string" && of.kind !== "list") {
    return fieldOf(of, node, node.index.value, node.index.start, proof, checker)
  }
  const results = membersOf(of).map((member): Type | undefined => {
    if (member.kind === "list") return fits(widen(index), { kind: "int" }) ? member.item : undefined
    if (member.kind !== "object" || !fits(widen(index), { kind: "string" })) return undefined
    const types = Object.values(member.fields).map(({ type }) => type)
    return union(member.rest ? [...types, member.rest] : types)
  })
  const wrong = results.indexOf(undefined)
  if (wrong === -1) return union(results as ReadonlyArray<Type>)
  const holder = checker.source.slice(node.of.start, node.of.end)
  reportOperand(
    node.index,
    `${holder} is ${describeType(membersOf(of)[wrong]!)}, it has no [${describeType(index)}]`,
    checker,
  )
  return any
}
