/** Bounds of the number that an expression gives, from the bounds of what it reads. */
import { pathOf, type Node } from "./syntax/Node.ts"
import { parseExpression } from "./syntax/parse.ts"

/** The smallest and the greatest value that there can be. */
export interface NumberRange {
  readonly min: number
  readonly max: number
}

/** A value that is constant throughout a run, with its declared bounds. */
interface Setting {
  readonly value: unknown
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly enum: ReadonlyArray<unknown> | undefined
}

type Settings = { readonly [name: string]: Setting }

/**
 * Of an expression over flags and experiments; undefined unless every value that it can have is bounded from above.
 * Throws SyntaxProblem.
 */
export const rangeOf = (source: string, flags: Settings): NumberRange | undefined => {
  const range = rangeIn(parseExpression(source), flags)
  return range === undefined || range.max === Infinity ? undefined : range
}

const rangeAt = (node: Node, flags: Settings): NumberRange | undefined => {
  const [root, name = "", ...more] = pathOf(node) ?? []
  return root === "flags" && more.length === 0 && Object.hasOwn(flags, name)
    ? rangeOfSetting(flags[name]!)
    : undefined
}

const rangeOfSetting = (setting: Setting): NumberRange | undefined => {
  const { enum: values, maximum, minimum, value } = setting
  if (typeof value !== "number") return undefined
  if (values !== undefined) return hull(values.map((one) => exactly(Number(one))))
  return { min: minimum ?? -Infinity, max: maximum ?? Infinity }
}

const rangeIn = (node: Node, flags: Settings): NumberRange | undefined => {
  switch (node.op) {
    case "literal":
      return typeof node.value === "number" ? exactly(node.value) : undefined
    case "name":
    case "field":
      return rangeAt(node, flags)
    case "index":
      // One of the values of a mapping that is written out.
      return node.of.op === "map"
        ? hull(node.of.entries.map(([, value]) => rangeIn(value, flags)))
        : rangeAt(node, flags)
    case "choice":
      return hull([rangeIn(node.yes, flags), rangeIn(node.no, flags)])
    case "call": {
      const { args, name, receiver } = node
      const [list = receiver] = args
      if (list?.op !== "list") return undefined
      const items = list.items.map((item) => rangeIn(item, flags))
      return name === "min"
        ? combined(items, Math.min)
        : name === "max"
          ? combined(items, Math.max)
          : undefined
    }
    default:
      return undefined
  }
}

const exactly = (value: number): NumberRange => ({ min: value, max: value })

const hull = (ranges: ReadonlyArray<NumberRange | undefined>): NumberRange | undefined => {
  const all = ranges.filter((range) => range !== undefined)
  return all.length < ranges.length || all.length === 0
    ? undefined
    : {
        min: Math.min(...all.map(({ min }) => min)),
        max: Math.max(...all.map(({ max }) => max)),
      }
}

/** Of the smallest or the greatest of several numbers. */
const combined = (
  ranges: ReadonlyArray<NumberRange | undefined>,
  choose: (...values: ReadonlyArray<number>) => number,
): NumberRange | undefined =>
  hull(ranges) && {
    min: choose(...ranges.map((range) => range!.min)),
    max: choose(...ranges.map((range) => range!.max)),
  }
