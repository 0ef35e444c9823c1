/**
 * Which containers of a text are valid JSON as they stand, so that `JSON.parse` may read them. Each part of the text is
 * looked at once, however many containers are asked about.
 */
import type { Json } from "../Salvage.ts"
import type { Content, Node } from "./Node.ts"
import { soundTree } from "./soundTree.ts"
import { pastName, pastScalar } from "./soundToken.ts"
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, pastBlanks } from "./units.ts"

/** How deep such a container may nest. */
export const SOUND_DEPTH = 64

export class Sound implements Content {
  private readonly text: string
  /** Start → end of the outermost sound containers inside one that is not. */
  private readonly ends = new Map<number, number>()
  private looked = 0
  /** Starts of the containers around what is looked at. */
  private readonly open = new Int32Array(SOUND_DEPTH)

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
    const { open, text } = this
    let depth = 0
    /** Starts and ends, by turns. */
    let closed: Array<number> | undefined
    let at = start
    for (;;) {
      const first = text.charCodeAt(at)
      if (first === OPEN_OBJECT || first === OPEN_LIST) {
        if (depth === SOUND_DEPTH) return this.give(at, closed)
        open[depth++] = at
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
        const inner = open[--depth]!
        if (code !== closerOf(text.charCodeAt(inner))) return this.give(at, closed)
        at++
        if (depth === 0) {
          this.looked = at
          return at
        }
        closed ??= []
        while (closed.length > 0 && closed[closed.length - 2]! > inner) closed.length -= 2
        closed.push(inner, at)
        at = pastBlanks(text, at)
      }
      at = pastBlanks(text, at + 1)
      if (text.charCodeAt(open[depth - 1]!) === OPEN_OBJECT) at = pastName(text, at)
      if (at < 0) return this.give(~at, closed)
    }
  }

  /** Not sound, because of what stands at `at`. */
  private give(at: number, closed: ReadonlyArray<number> = []): number {
    this.looked = at
    for (let i = 0; i < closed.length; i += 2) this.ends.set(closed[i]!, closed[i + 1]!)
    return -1
  }
}

const closerOf = (opener: number): number => (opener === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)
