/** Copies an unfinished value: open containers are copied, finished parts shared. */
import { type Node, scalar, stepTo } from "../read/Node.ts"
import { Growing } from "../read/Growing.ts"
import { BareText } from "../read/scalar/BareText.ts"
import { QuotedText } from "../read/string/QuotedText.ts"
import type { Reader } from "../read/Reader.ts"

export interface Snapshot {
  readonly node: Node
  /** JSON Pointers of unfinished values, outermost first. */
  readonly open: ReadonlyArray<string>
}

export const snapshot = (reader: Reader): Snapshot => {
  const { frames } = reader
  const open: Array<string> = []
  const copies: Array<Node> = []
  let path = ""
  for (const [depth, { node }] of frames.entries()) {
    if (depth > 0) path += stepTo(copies[depth - 1]!, node.slot)
    const copy = new Growing(node)
    if (depth > 0) copies[depth - 1]!.items[node.slot] = copy
    copies.push(copy)
    open.push(path)
  }
  const inner = copies.at(-1)!
  const token = tokenOf(reader)
  const { name } = frames.at(-1)!
  if (token !== undefined && (inner.kind === "array" || name !== undefined)) {
    inner.items.push(token)
    if (inner.kind === "object") inner.keys.push(name!.text)
    open.push(path + stepTo(inner, inner.items.length - 1))
  }
  return { node: copies[0]!, open }
}

const tokenOf = ({ token, source, pos, frame }: Reader): Node | undefined => {
  if (
    token === undefined &&
    frame.mode === "value" &&
    /^(?:""?|''?)$/.test(source.slice(pos, pos + 3))
  ) {
    // One or two quotes: a triple quote may follow.
    return unfinished("", pos)
  }
  if (token instanceof BareText) return token.soFar()
  if (!(token instanceof QuotedText) || token.position.role === "key") return undefined
  return unfinished(token.soFar(), token.start)
}

const unfinished = (text: string, start: number): Node => {
  const node = scalar("string", text, start, start)
  node.quoted = true
  node.closed = false
  return node
}
