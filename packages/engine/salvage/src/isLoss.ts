/** Detects repairs that omit possible data. Words around the answer, comments and reasoning do not count, parts of its document do. */
import { isContainer, type Node } from "./read/Node.ts"
import { SHOWN_NAME_UNITS } from "./read/string/QuotedText.ts"
import { isSpace } from "./read/characters.ts"
import type { RepairKind } from "./Salvage.ts"
import { isUnbalanced } from "./isUnbalanced.ts"

export interface Remark {
  readonly kind: RepairKind
  readonly at: number
  readonly node?: Node
  /** Of an item of `node`. */
  readonly slot?: number
  readonly detail?: string
  /** For a duplicate member: the one in the value. */
  readonly by?: Node
  /** For a candidate or text beside the answer: it holds data of the answer's document. For a comma or a dropped member: brackets are wrong, too. */
  readonly hasData?: boolean
}

/** `text`: the text that the remark's offsets refer to. */
export const isLoss = (remark: Remark, text: string): boolean => {
  const { at, by, detail, hasData, kind, node } = remark
  switch (kind) {
    case "ellipsis":
      return true
    case "dropped_text":
      return detail !== undefined && DATA.test(detail)
    case "not_finite":
      return detail !== undefined && /\d/.test(detail)
    case "dropped_member":
      return hasData === true || (node !== undefined && isContainer(node) && node.size > 0)
    case "duplicate_key":
      return node !== undefined && by !== undefined && !isSame(node, by, text)
    case "missing_comma":
      return followsStrayCloser(text, at, hasData === true)
    case "extra_comma":
    case "extra_closer":
    case "other_candidate":
    case "sequence":
    case "surrounding_text":
      return hasData === true
    case "to_array":
      // Words without quotes, in place of a list, that hold a piece of one.
      return node?.kind === "string" && !node.quoted && isUnbalanced(String(node.value))
    case "inner_quote":
    case "missing_quote":
    case "unquoted_text":
      return swallows(remark, text)
  }
  return false
}

/** Also a colon or `=`, which belongs to a name. */
const DATA = /[\p{L}\p{N}{}[\]:=]/u

/** `"a": } "b"`, `1, ] "b"`: before a missing comma, a closer is in place of an opener; in a broken document also in `"a": {} "b"`. */
const followsStrayCloser = (text: string, at: number, isBroken: boolean): boolean => {
  const closer = lastBefore(text, at)
  if (text[closer] !== "}" && text[closer] !== "]") return false
  const before = text[lastBefore(text, closer)]
  return before === ":" || before === "," || (isBroken && (before === "{" || before === "["))
}

/** Offset of the last character before `at` that is not blank. */
const lastBefore = (text: string, at: number): number => {
  let last = at - 1
  while (last >= 0 && isSpace(text[last]!)) last--
  return last
}

/** Whether a text or name whose quotes are in doubt holds what follows it in its document. */
const swallows = ({ detail = "", kind, node }: Remark, text: string): boolean => {
  if (node === undefined) return false
  // A name is in the detail.
  if (isContainer(node))
    return (
      detail.length === SHOWN_NAME_UNITS ||
      ENDS_NAME.test(detail) ||
      // A quote was passed over before the end of the name was found further in front.
      (kind === "inner_quote" && !/["']/.test(detail))
    )
  const raw = text.slice(node.start, node.end)
  const words = raw.startsWith("\\") ? raw.slice(1).replaceAll('\\"', '"') : raw
  const isCut = !node.closed
  return OPENS_PART.test(words) || isUnbalanced(words, isCut)
}

/** A quote before punctuation. */
const ENDS_NAME = /["']\s*[,:{}[\]]/

/** A quote that is not escaped before a colon or an opening bracket, or a literal or number before such a bracket. */
const OPENS_PART = /.(?<!\\)["'](?:\s*:|[{[])|^(?:true|false|null|[-\d.eE]+)\s*[{[]/s

/** Whether both have the same source text. */
const isSame = (a: Node, b: Node, text: string): boolean =>
  a.end - a.start === b.end - b.start && text.slice(a.start, a.end) === text.slice(b.start, b.end)
