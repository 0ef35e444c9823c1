/** Names of the runs under way in memory that another thread reads: each has a place of its own, so that a change is one write. */
import type { RunFollower } from "../worker/OnHand.ts"

/** Bytes of a place: the length of a name, and the name as UTF-8. A longer name is cut. */
export const PLACE_BYTES = 64

/** Further names wait for a place. */
const PLACES = 64

export class RunNames implements RunFollower {
  readonly memory = new Uint8Array(new SharedArrayBuffer(PLACES * PLACE_BYTES))
  private readonly encoder = new TextEncoder()
  private readonly places = new Map<string, number>()
  private readonly free = Array.from({ length: PLACES }, (_, index) => PLACES - 1 - index)
  private readonly waiting = new Set<string>()

  begins(run: string): void {
    const place = this.free.pop()
    if (place === undefined) {
      this.waiting.add(run)
      return
    }
    this.places.set(run, place)
    const start = place * PLACE_BYTES
    const { written } = this.encoder.encodeInto(
      run,
      this.memory.subarray(start + 1, start + PLACE_BYTES),
    )
    Atomics.store(this.memory, start, written)
  }

  ends(run: string): void {
    this.waiting.delete(run)
    const place = this.places.get(run)
    if (place === undefined) return
    this.places.delete(run)
    Atomics.store(this.memory, place * PLACE_BYTES, 0)
    this.free.push(place)
    for (const next of this.waiting) {
      this.waiting.delete(next)
      this.begins(next)
      return
    }
  }
}
