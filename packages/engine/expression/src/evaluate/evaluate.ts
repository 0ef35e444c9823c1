/** Compiles a syntax tree to a function of the scope. Values are never converted. */
import type { Json } from "@planloom/plugin/effect"
import { define, fail, getOwn, read, readPath, type ExpressionScope } from "./access.ts"
import { add, arithmetic, contains, kind, numeric, truth } from "./calculate.ts"
import { equal, ExpressionFailed, allFunctions } from "./functions.ts"
import { macroOf, pathOf } from "../syntax/Node.ts"
import type { Binary, Call, FieldAccess, IndexAccess, Node } from "../syntax/Node.ts"

/** State of one evaluation: values bound by macros such as `map`, and the remaining work budget. */
interface Frame {
  readonly scope: ExpressionScope
  readonly bound: Array<Json>
  work: number
}

type Step = (frame: Frame) => Json

/** Items that macros such as `map` and functions on lists may visit in one evaluation. */
const MAX_VISITED_ITEMS = 1_000_000

/** Compiles a tree. A path of plain names reads the scope directly. */
export const compileNode = (node: Node): ((scope: ExpressionScope) => Json) => {
  if (node.op === "literal") return () => node.value
  const path = pathOf(node)
  if (path) return readPath(path)
  const step = compile(node, [])
  return (scope) => step({ scope, bound: [], work: MAX_VISITED_ITEMS })
}

const compile = (node: Node, names: ReadonlyArray<string>): Step => {
  switch (node.op) {
    case "literal":
      return () => node.value
    case "name": {
      const slot = names.lastIndexOf(node.name)
      if (slot >= 0) return (frame) => frame.bound[slot]!
      const { name } = node
      return ({ scope }) => {
        const value = Object.hasOwn(scope, name) ? scope[name] : undefined
        return value === undefined ? fail(`${name} has no value here`) : value
      }
    }
    case "field":
      return compileField(node, names)
    case "index":
      return compileIndex(node, names)
    case "call":
      return compileCall(node, names)
    case "list": {
      const items = node.items.map((item) => compile(item, names))
      return (frame) => items.map((item) => item(frame))
    }
    case "map": {
      const entries = node.entries.map(
        ([key, value]) => [compile(key, names), compile(value, names)] as const,
      )
      return (frame) => {
        const object: { [key: string]: Json } = {}
        for (const [key, value] of entries) {
          const name = key(frame)
          if (typeof name !== "string") return fail("a key must be text")
          define(object, name, value(frame))
        }
        return object
      }
    }
    case "unary": {
      const of = compile(node.of, names)
      return node.operator === "!"
        ? (frame) => !truth(of(frame), "!")
        : (frame) => 0 - numeric(of(frame), "-")
    }
    case "choice": {
      const [test, yes, no] = [node.test, node.yes, node.no].map((part) =>
        compile(part, names),
      ) as [Step, Step, Step]
      return (frame) => (truth(test(frame), "? :") ? yes(frame) : no(frame))
    }
    case "binary":
      return compileBinary(node, names)
  }
}

const compileField = (node: FieldAccess, names: ReadonlyArray<string>): Step => {
  const of = compile(node.of, names)
  const { name } = node
  const shown = pathOf(node.of)?.join(".") ?? "the value"
  return (frame) => read(of(frame), name, shown)
}

const compileIndex = (node: IndexAccess, names: ReadonlyArray<string>): Step => {
  const of = compile(node.of, names)
  const at = compile(node.index, names)
  const shown = pathOf(node.of)?.join(".") ?? "the value"
  return (frame) => {
    const holder = of(frame)
    const index = at(frame)
    if (Array.isArray(holder)) {
      const item = typeof index === "number" ? (holder[index] as Json | undefined) : undefined
      return item === undefined
        ? fail(`${shown} has ${holder.length} items, there is no [${JSON.stringify(index)}]`)
        : item
    }
    return typeof index === "string"
      ? read(holder, index, shown)
      : fail(`${shown} is not a list, it has no [${JSON.stringify(index)}]`)
  }
}

const compileBinary = (node: Binary, names: ReadonlyArray<string>): Step => {
  const left = compile(node.left, names)
  const right = compile(node.right, names)
  const { operator } = node
  switch (operator) {
    case "&&":
      return (frame) => decide(left, right, frame, false)
    case "||":
      return (frame) => decide(left, right, frame, true)
    case "==":
      return (frame) => equal(left(frame), right(frame))
    case "!=":
      return (frame) => !equal(left(frame), right(frame))
    case "in":
      return (frame) => contains(left(frame), right(frame))
    case "+":
      return (frame) => add(left(frame), right(frame))
    default: {
      const apply = arithmetic[operator]
      return (frame) => apply(left(frame), right(frame))
    }
  }
}

/**
 * `&&` and `||` with CEL's semantics: a deciding side wins even if the other side cannot be evaluated.
 */
const decide = (left: Step, right: Step, frame: Frame, decisive: boolean): boolean => {
  const operator = decisive ? "||" : "&&"
  let first: boolean
  try {
    first = truth(left(frame), operator)
  } catch (error) {
    if (error instanceof ExpressionFailed && right(frame) === decisive) return decisive
    throw error
  }
  return first === decisive ? decisive : truth(right(frame), operator)
}

const compileCall = (node: Call, names: ReadonlyArray<string>): Step => {
  if (!node.receiver && node.name === "has") return compileHas(node, names)
  const macro = macroOf(node)
  if (macro) return compileMacro(node.name, macro, names)
  const called = allFunctions().get(node.name)
  if (!called) return () => fail(`there is no function ${node.name}()`)
  const args = (node.receiver ? [node.receiver, ...node.args] : node.args).map((arg) =>
    compile(arg, names),
  )
  const apply = called.apply as (...values: ReadonlyArray<Json>) => Json
  return (frame) => {
    const values = args.map((arg) => arg(frame))
    if (!called.instant) for (const value of values) spend(frame, itemCount(value))
    try {
      const result = apply(...values)
      spend(frame, itemCount(result))
      return result
    } catch (error) {
      // Unchecked data can violate the function's parameter types.
      if (error instanceof ExpressionFailed) throw error
      return fail(`${node.name}() cannot work on ${values.map(kind).join(", ")}`)
    }
  }
}

const itemCount = (value: Json): number => (Array.isArray(value) ? value.length : 0)

const spend = (frame: Frame, items: number): void => {
  frame.work -= items
  if (frame.work < 0) fail(`more than ${MAX_VISITED_ITEMS.toLocaleString("en")} items visited`)
}

/**
 * `has(a.b.c)`: whether the path has a value. Unlike in CEL, a missing `a.b` is false instead of a failure: a skipped
 * stage has no `stages.x`, and a check of its output must be safe.
 */
const compileHas = (node: Call, names: ReadonlyArray<string>): Step => {
  const argument = node.args[0]
  if (argument?.op !== "field") return () => fail("has() needs a field: has(a.b)")
  const of = compileOptional(argument.of, names)
  const { name } = argument
  return (frame) => getOwn(of(frame), name) !== undefined
}

/** Compiles a path so that a missing link yields undefined; other nodes as usual. */
const compileOptional = (
  node: Node,
  names: ReadonlyArray<string>,
): ((frame: Frame) => Json | undefined) => {
  if (node.op === "field") {
    const of = compileOptional(node.of, names)
    return (frame) => getOwn(of(frame), node.name)
  }
  if (node.op === "name" && !names.includes(node.name)) {
    return ({ scope }) => getOwn(scope, node.name)
  }
  return compile(node, names)
}

const itemsOf = (value: Json, macro: string): ReadonlyArray<Json> => {
  if (Array.isArray(value)) return value
  if (value !== null && typeof value === "object") return Object.keys(value)
  return fail(`${macro}() needs a list or an object, found ${kind(value)}`)
}

const compileMacro = (
  macro: string,
  { over, name, bodies }: NonNullable<ReturnType<typeof macroOf>>,
  names: ReadonlyArray<string>,
): Step => {
  const list = compile(over, names)
  const slot = names.length
  const inner = [...names, name]
  const [first, second] = bodies.map((body) => compile(body, inner))
  if (!first) return () => fail(`${macro}() needs a name and an expression`)
  const visit = (frame: Frame, item: Json, step: Step): Json => {
    spend(frame, 1)
    frame.bound[slot] = item
    return step(frame)
  }
  const test = (frame: Frame, item: Json): boolean => truth(visit(frame, item, first), `${macro}()`)
  switch (macro) {
    case "map":
      return second === undefined
        ? (frame) => itemsOf(list(frame), macro).map((item) => visit(frame, item, first))
        : (frame) =>
            itemsOf(list(frame), macro).flatMap((item) =>
              test(frame, item) ? [visit(frame, item, second)] : [],
            )
    case "filter":
      return (frame) => itemsOf(list(frame), macro).filter((item) => test(frame, item))
    case "exists_one":
      return (frame) => itemsOf(list(frame), macro).filter((item) => test(frame, item)).length === 1
    default:
      return (frame) =>
        quantify(itemsOf(list(frame), macro), (item) => test(frame, item), macro === "exists")
  }
}

/** `all` and `exists`: one deciding item is enough, even if another item cannot be tested. */
const quantify = (
  items: ReadonlyArray<Json>,
  test: (item: Json) => boolean,
  decisive: boolean,
): boolean => {
  let failure: unknown
  for (const item of items) {
    try {
      if (test(item) === decisive) return decisive
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return !decisive
}
