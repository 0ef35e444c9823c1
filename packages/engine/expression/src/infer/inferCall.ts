/** Infers the type of a call: a function, `has`, or a macro that binds a name. */
import { didYouMean, onlyNear } from "../Suggestion.ts"
import { allFunctions } from "../evaluate/functions.ts"
import type { ExpressionFunction } from "../evaluate/functions.ts"
import { combineProofs, provenBy, type Proof } from "./guards.ts"
import type { Bound, Checker } from "./Checker.ts"
import type { TextFix } from "../syntax/TextFix.ts"
import { macroOf, macros, pathOf } from "../syntax/Node.ts"
import type { Call, Node } from "../syntax/Node.ts"
import { any, bool, describeType, fits, listOf, membersOf, string, union } from "./Type.ts"
import type { Type } from "./Type.ts"

export const inferCall = (node: Call, proof: Proof, bound: Bound, checker: Checker): Type => {
  if (!node.receiver && node.name === "has") return inferHas(node, proof, bound, checker)
  if (node.receiver && macros.has(node.name)) return inferMacro(node, proof, bound, checker)
  const called = allFunctions().get(node.name)
  if (!called) {
    if (node.receiver) checker.infer(node.receiver, proof, bound)
    // A misspelled macro binds its first argument.
    const names = node.receiver ? node.args.filter((part) => part.op === "name") : []
    const inner = new Map([...bound, ...names.map(({ name }) => [name, any] as const)])
    for (const part of node.args) checker.infer(part, proof, inner)
    reportUnknown(node, checker)
    return any
  }
  const parts = node.receiver ? [node.receiver, ...node.args] : node.args
  const types = parts.map((part) => checker.infer(part, proof, bound))
  if (!checkCount(node, called, parts, checker)) return any
  const wrong = types.findIndex((type, index) => !fits(type, paramOf(called, index)))
  if (wrong !== -1) {
    reportArgument(parts[wrong]!, types[wrong]!, called, paramOf(called, wrong), checker)
    return any
  }
  const issue = called.check?.(types)
  if (issue) {
    const { end, start } = parts[issue.index]!
    checker.report({ ...issue, start, end })
    return any
  }
  return typeof called.returns === "function" ? called.returns(types) : called.returns
}

/** The type of a parameter; the last one of a variadic function is that of all further ones. */
const paramOf = ({ params }: ExpressionFunction, index: number): Type =>
  params[Math.min(index, params.length - 1)]!

const at = (node: Call) => ({ start: node.nameStart, end: node.nameStart + node.name.length })

/** Function names of other languages and their equivalents. */
const foreign: { readonly [name: string]: string } = {
  length: "size(x)",
  len: "size(x)",
  count: "size(xs)",
  includes: "xs.exists(x, x == …) or text.contains(…)",
  toLowerCase: "lower(text)",
  toUpperCase: "upper(text)",
  toString: "string(x)",
  str: "string(x)",
  float: "to_number(x)",
  number: "to_number(x)",
  mean: "avg(xs)",
  average: "avg(xs)",
  unique: "distinct(xs)",
  enumerate: "indexed(xs)",
  fromJSON: "parse_json(text)",
  concat: "xs + ys",
  toJSON: "json(x)",
  any: "xs.exists(x, …)",
  some: "xs.exists(x, …)",
  every: "xs.all(x, …)",
  find: "xs.filter(x, …)[0]",
  default: "has(a.b) ? a.b : …",
  always: "put the stage under finally",
  failure: 'stages.x.outcome == "failure"',
  success: 'stages.x.outcome == "success"',
}

/** For those who know slices of texts from other languages. */
export const SLICE_HELP = "slice takes a list; of a text, write text.substring(start, end)"

const reportUnknown = (node: Call, checker: Checker): void => {
  if (node.name === "matches") {
    checker.report({
      code: "PL1301",
      message: "matches() can take unbounded time on a malicious text",
      help: "write re_match(text, pattern): the same in time linear in the text",
      ...at(node),
    })
    return
  }
  const replacement = Object.hasOwn(foreign, node.name) ? foreign[node.name] : undefined
  const names = [...allFunctions().keys(), ...macros, "has"]
  checker.report({
    code: "PL1102",
    message: `there is no function ${node.name}()`,
    help: replacement
      ? `write ${replacement}`
      : `${didYouMean(node.name, names) ?? ""} planloom list functions prints all`.trim(),
    ...renamedCall(node, replacement, names),
    ...at(node),
  })
}

/** The other name of a call with the same arguments: a function that takes one value, or the nearest name. */
const renamedCall = (
  node: Call,
  replacement: string | undefined,
  names: ReadonlyArray<string>,
): { readonly fix?: TextFix } => {
  const values = node.args.length + (node.receiver ? 1 : 0)
  const text =
    replacement === undefined
      ? onlyNear(node.name, names)
      : values === 1
        ? /^(\w+)\((?:x|xs|text)\)$/.exec(replacement)?.[1]
        : undefined
  return text === undefined ? {} : { fix: { ...at(node), text } }
}

const checkCount = (
  node: Call,
  called: ExpressionFunction,
  parts: ReadonlyArray<Node>,
  checker: Checker,
): boolean => {
  const maxArgs = called.params.length
  if ((called.variadic || parts.length <= maxArgs) && parts.length >= maxArgs - called.optional)
    return true
  const own = node.receiver ? 1 : 0
  checker.report({
    code: "PL1203",
    message: `${node.name}() takes ${maxArgs - own} ${maxArgs - own === 1 ? "value" : "values"}, found ${parts.length - own}`,
    help: `write ${called.signature}`,
    ...at(node),
  })
  return false
}

const reportArgument = (
  part: Node,
  type: Type,
  called: ExpressionFunction,
  param: Type,
  checker: Checker,
): void => {
  const wanted = describeType(param)
  const isNull = membersOf(type).some((member) => member.kind === "null")
  const text = checker.source.slice(part.start, part.end)
  checker.report({
    code: "PL1203",
    message: `${called.name}() works on ${wanted}, this is ${describeType(type)}`,
    help: isNull
      ? `guard it: ${text} != null ? … : …`
      : fits(type, union([{ kind: "number" }, bool])) && fits(string, param)
        ? `make it text: string(${text})`
        : called.name === "slice" && fits(type, string)
          ? SLICE_HELP
          : undefined,
    start: part.start,
    end: part.end,
  })
}

const inferHas = (node: Call, proof: Proof, bound: Bound, checker: Checker): Type => {
  const [argument] = node.args
  if (argument?.op !== "field" || node.args.length !== 1) {
    checker.report({
      code: "PL1203",
      message: "has() needs one field as its argument",
      help: 'write has(a.b); to check for a key: "b" in a',
      start: node.start,
      end: node.end,
    })
    return bool
  }
  // Infers the field as present, so that only a field that can never exist is reported.
  const path = pathOf(argument)
  const present = path ? new Set([...proof.present, path.join(".")]) : proof.present
  checker.infer(argument, { ...proof, present }, bound)
  return bool
}

const inferMacro = (node: Call, proof: Proof, bound: Bound, checker: Checker): Type => {
  const macro = macroOf(node)
  const maxArgs = node.name === "map" ? 3 : 2
  const over = checker.infer(node.receiver!, proof, bound)
  if (!macro || node.args.length < 2 || node.args.length > maxArgs) {
    checker.report({
      code: "PL1203",
      message: `${node.name}() takes a name for the item, then an expression`,
      help: `write xs.${node.name}(x, …)`,
      ...at(node),
    })
    return node.name === "map" || node.name === "filter" ? listOf(any) : bool
  }
  const item = itemType(over)
  if (!item) {
    checker.report({
      code: "PL1203",
      message: `${node.name}() needs a list, this is ${describeType(over)}`,
      start: node.receiver!.start,
      end: node.receiver!.end,
    })
  }
  const inner = new Map([...bound, [macro.name, item ?? any]])
  // Of map(x, condition, expression), the expression is read for the items that the condition lets through.
  const [first, ...others] = macro.bodies
  const known = combineProofs(proof, provenBy(first!, true))
  const types = [
    checker.infer(first!, proof, inner),
    ...others.map((body) => checker.infer(body, known, inner)),
  ]
  const tests = node.name === "map" ? macro.bodies.slice(0, -1) : macro.bodies
  tests.forEach((test, index) => {
    if (fits(types[index]!, bool)) return
    checker.report({
      code: "PL1203",
      message: `${node.name}() needs true or false for each item, this is ${describeType(types[index]!)}`,
      start: test.start,
      end: test.end,
    })
  })
  if (node.name === "map") return listOf(types.at(-1)!)
  return node.name === "filter" ? listOf(item ?? any) : bool
}

/** The type of the items that a macro visits: the items of a list, or the keys of an object. */
const itemType = (over: Type): Type | undefined => {
  const items = membersOf(over).map((member): Type | undefined =>
    member.kind === "list"
      ? member.item
      : member.kind === "object"
        ? string
        : member.kind === "any" || member.kind === "never"
          ? any
          : undefined,
  )
  return items.includes(undefined) ? undefined : union(items as ReadonlyArray<Type>)
}
