/**
 * Finds the containers of a text that are valid JSON, so that `JSON.parse` can read them. Scans each part of the text once,
 * however many containers are requested.
 */
import { mayRepeatNames } from "@planloom/schema"
import type { Json } from "../../Salvage.ts"
import type { Content, Node } from "../Node.ts"
import { readValidTree } from "./readValidTree.ts"
import { pastName, pastScalar } from "./validToken.ts"
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, pastBlanks } from "../units.ts"

/** Maximum nesting depth of such a container. */
export const MAX_VALID_DEPTH = 64

export class ValidContainers implements Content {
  private readonly text: string
  /** Start → end of the outermost valid containers inside an invalid one. */
  private readonly ends = new Map<number, number>()
  private scannedTo = 0
  /** Starts of the open containers. */
  private readonly open = new Int32Array(MAX_VALID_DEPTH)

  constructor(text: string) {
    this.text = text
  }

  contentOf(start: number): Node {
    return readValidTree(this.text, start)
  }

  mayRepeatNames(start: number, end: number, value: Json): boolean {
    return mayRepeatNames(this.text.slice(start, end), value)
  }

  /** Offset after the container that starts at `start`; -1 unless it is known to be valid. */
  endOf(start: number): number {
    return start < this.scannedTo ? (this.ends.get(start) ?? -1) : this.scan(start)
  }

  /** Returns `undefined` if `JSON.parse` rejects the text. */
  valueOf(start: number, end: number): Json | undefined {
    try {
      return JSON.parse(this.text.slice(start, end)) as Json
    } catch {
      return undefined
    }
  }

  private scan(start: number): number {
    const { open, text } = this
    let depth = 0
    /** Starts and ends in turn. */
    let closed: Array<number> | undefined
    let at = start
    for (;;) {
      const first = text.charCodeAt(at)
      if (first === OPEN_OBJECT || first === OPEN_LIST) {
        if (depth === MAX_VALID_DEPTH) return this.reject(at, closed)
        open[depth++] = at
        at = pastBlanks(text, at + 1)
        if (text.charCodeAt(at) !== closerOf(first)) {
          if (first === OPEN_OBJECT) at = pastName(text, at)
          if (at < 0) return this.reject(~at, closed)
          continue
        }
      } else {
        at = pastScalar(text, at, first)
        if (at < 0) return this.reject(~at, closed)
        at = pastBlanks(text, at)
      }
      // After a value: the containers that end here, then a comma.
      for (let code = text.charCodeAt(at); code !== COMMA; code = text.charCodeAt(at)) {
        const inner = open[--depth]!
        if (code !== closerOf(text.charCodeAt(inner))) return this.reject(at, closed)
        at++
        if (depth === 0) {
          this.scannedTo = at
          return at
        }
        closed ??= []
        while (closed.length > 0 && closed[closed.length - 2]! > inner) closed.length -= 2
        closed.push(inner, at)
        at = pastBlanks(text, at)
      }
      at = pastBlanks(text, at + 1)
      if (text.charCodeAt(open[depth - 1]!) === OPEN_OBJECT) at = pastName(text, at)
      if (at < 0) return this.reject(~at, closed)
    }
  }

  /** Records the valid containers found so far; the outermost one is invalid at `at`. */
  private reject(at: number, closed: ReadonlyArray<number> = []): number {
    this.scannedTo = at
    for (let i = 0; i < closed.length; i += 2) this.ends.set(closed[i]!, closed[i + 1]!)
    return -1
  }
}

const closerOf = (opener: number): number => (opener === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)
