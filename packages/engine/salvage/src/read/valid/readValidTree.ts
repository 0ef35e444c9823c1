/** Builds the tree of a container that is valid JSON. */
import { decode } from "../string/decode.ts"
import { Node, type Plain } from "../Node.ts"
import { pastName, pastScalar, pastText } from "./validToken.ts"
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  pastBlanks,
  QUOTE,
} from "../units.ts"

/** Expects text that `ValidContainers` accepted; checks nothing again. */
export const readValidTree = (text: string, start: number): Node => {
  const root = containerAt(text, start)
  const open = [root]
  let at = pastBlanks(text, start + 1)
  for (;;) {
    const node = open[open.length - 1]!
    const code = text.charCodeAt(at)
    if (code === COMMA) at = pastBlanks(text, at + 1)
    else if (isCloser(code)) {
      node.end = at + 1
      open.pop()
      if (open.length === 0) return root
      at = pastBlanks(text, at + 1)
    } else {
      let name: string | undefined
      if (node.kind === "object") {
        name = textBetween(text, at, pastText(text, at))
        at = pastName(text, at)
      }
      const first = text.charCodeAt(at)
      if (first === OPEN_OBJECT || first === OPEN_LIST) {
        const inner = containerAt(text, at)
        node.add(inner, name)
        open.push(inner)
        at = pastBlanks(text, at + 1)
      } else {
        const end = pastScalar(text, at, first)
        node.addPlain(scalarBetween(text, at, end, first), at, end, name)
        at = pastBlanks(text, end)
      }
    }
  }
}

const containerAt = (text: string, start: number): Node =>
  new Node(text.charCodeAt(start) === OPEN_OBJECT ? "object" : "array", start)

const isCloser = (code: number): boolean => code === CLOSE_LIST || code === CLOSE_OBJECT

const textBetween = (text: string, start: number, end: number): string =>
  decode(text.slice(start + 1, end - 1)).text

const scalarBetween = (text: string, start: number, end: number, first: number): Plain =>
  first === QUOTE ? textBetween(text, start, end) : (JSON.parse(text.slice(start, end)) as Plain)
