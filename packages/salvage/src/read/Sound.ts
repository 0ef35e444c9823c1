/**
 * Which containers of a text are valid JSON as they stand, so that `JSON.parse` may read them. Each part of the text is
 * looked at once, however many containers are asked about.
 */
import type { Json } from "../Salvage.ts"
import type { Content, Node } from "./Node.ts"
import { soundTree } from "./soundTree.ts"
import { pastBlanks, pastName, pastScalar } from "./soundToken.ts"

/** How deep such a container may nest. */
export const SOUND_DEPTH = 64

const COMMA = 44
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

export class Sound implements Content {
  private readonly text: string
  /** Start → end of the outermost sound containers inside one that is not. */
  private readonly ends = new Map<number, number>()
  private looked = 0

  constructor(text: string) {
    this.text = text
  }

  contentOf(start: number): Node {
    return soundTree(this.text, start)
  }

  /** Offset after the container that begins at `start`; -1 when it is not sound, or not known to be. */
  endOf(start: number): number {
    return start < this.looked ? (this.ends.get(start) ?? -1) : this.look(start)
  }

  /** `undefined` when `JSON.parse` knows better. */
  valueOf(start: number, end: number): Json | undefined {
    try {
      return JSON.parse(this.text.slice(start, end)) as Json
    } catch {
      return undefined
    }
  }

  private look(start: number): number {
    const { text } = this
    const open: Array<number> = []
    /** Starts and ends, by turns. */
    const closed: Array<number> = []
    let at = start
    for (;;) {
      const first = text.charCodeAt(at)
      if (first === OPEN_OBJECT || first === OPEN_LIST) {
        if (open.length === SOUND_DEPTH) return this.give(at, closed)
        open.push(at)
        at = pastBlanks(text, at + 1)
        if (text.charCodeAt(at) !== closerOf(first)) {
          if (first === OPEN_OBJECT) at = pastName(text, at)
          if (at < 0) return this.give(~at, closed)
          continue
        }
      } else {
        at = pastScalar(text, at, first)
        if (at < 0) return this.give(~at, closed)
        at = pastBlanks(text, at)
      }
      // After a value: the containers that end here, then a comma.
      for (let code = text.charCodeAt(at); code !== COMMA; code = text.charCodeAt(at)) {
        const inner = open.pop()!
        if (code !== closerOf(text.charCodeAt(inner))) return this.give(at, closed)
        at++
        if (open.length === 0) {
          this.looked = at
          return at
        }
        while (closed.length > 0 && closed[closed.length - 2]! > inner) closed.length -= 2
        closed.push(inner, at)
        at = pastBlanks(text, at)
      }
      at = pastBlanks(text, at + 1)
      if (text.charCodeAt(open[open.length - 1]!) === OPEN_OBJECT) at = pastName(text, at)
      if (at < 0) return this.give(~at, closed)
    }
  }

  /** Not sound, because of what stands at `at`. */
  private give(at: number, closed: ReadonlyArray<number>): number {
    this.looked = at
    for (let i = 0; i < closed.length; i += 2) this.ends.set(closed[i]!, closed[i + 1]!)
    return -1
  }
}

const closerOf = (opener: number): number => (opener === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)
