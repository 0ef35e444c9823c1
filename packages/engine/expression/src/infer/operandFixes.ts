/** Edits of operands: what other languages write or mean by an operator, as this one writes it. */
import { onlyNear } from "../Suggestion.ts"
import type { Binary, Node } from "../syntax/Node.ts"
import type { TextFix } from "../syntax/TextFix.ts"
import type { Type } from "./Type.ts"

/** `a || "b"` of texts, where an empty text counts as missing. */
export const defaultFix = (node: Binary, left: Type, source: string): TextFix | undefined => {
  const { start, end } = node
  // A part in parentheses begins inside of them.
  const isBare = /^\s*\|\|\s*$/.test(source.slice(node.left.end, node.right.start))
  if (left.kind !== "string" || node.right.op === "binary" || !isBare) return undefined
  const value = source.slice(node.left.start, node.left.end)
  const otherwise = source.slice(node.right.start, node.right.end)
  const isEmpty = node.right.op === "literal" && node.right.value === ""
  const has = `has(${presentIn(value)})${isEmpty ? "" : ` && ${value} != ""`}`
  const text = `${has.replaceAll('"', "'")} ? ${value} : ${otherwise}`
  const isAll = source.trim() === source.slice(start, end)
  return { start, end, text: isAll ? text : `(${text})` }
}

/** The part of a path whose absence is meant: a stage that did not run has no output at all. */
const presentIn = (path: string): string => /^stages\.\w+\.output\b/.exec(path)?.[0] ?? path

/** A number or a condition joined to a text, as other languages do by themselves. */
export const joinedText = (
  node: Binary,
  left: Type,
  right: Type,
  source: string,
): TextFix | undefined => {
  const isPlain = (type: Type) =>
    type.kind === "int" || type.kind === "number" || type.kind === "bool"
  const part =
    node.operator !== "+"
      ? undefined
      : left.kind === "string" && isPlain(right)
        ? node.right
        : right.kind === "string" && isPlain(left)
          ? node.left
          : undefined
  if (part === undefined || part.op === "binary") return undefined
  const { end, start } = part
  return { start, end, text: `string(${source.slice(start, end)})` }
}

/** The value that a misspelt text can only mean, in the quotes of the text. */
export const renamedValue = (
  literal: Node,
  values: ReadonlyArray<string>,
  source: string,
): { readonly fix?: TextFix } => {
  if (literal.op !== "literal" || typeof literal.value !== "string") return {}
  const { end, start } = literal
  const near = onlyNear(literal.value, values)
  const quote = source[start]!
  return near === undefined || source[end - 1] !== quote || source[start + 1] === quote
    ? {}
    : { fix: { start, end, text: `${quote}${near}${quote}` } }
}
