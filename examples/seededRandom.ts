/** Random numbers that a seed repeats, for scripts that write example data. */

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state, 0 ≤ x < 1. */
export const generator = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
