/** Dependency graph of a block's `needs`: cycles and transitive dependencies. */

/** `needs[i]` lists the stages, by index, that stage `i` names. */
type Needs = ReadonlyArray<ReadonlyArray<number>>

/** Takes time and memory proportional to edges × stages / 32, which is cheap for thousands of stages. */
export class NeedsGraph {
  /** Each cycle once, starting with its first stage in the file. */
  readonly cycles: ReadonlyArray<ReadonlyArray<number>>
  private readonly needs: Needs
  private readonly order: ReadonlyArray<number>
  private reached: ReadonlyArray<Uint32Array> | undefined

  constructor(needs: Needs) {
    this.needs = needs
    const { cycles, order } = walk(needs)
    this.cycles = cycles
    this.order = order
  }

  /** Whether the first stage waits for the second, directly or through others. */
  waitsFor(stage: number, other: number): boolean {
    this.reached ??= closure(this.needs, this.order)
    return (this.reached[stage]![other >>> 5]! & bit(other)) !== 0
  }
}

const bit = (index: number): number => 1 << (index & 31)

/** Orders each stage after those it needs, except inside a cycle. Without recursion: a chain may be long. */
const walk = (needs: Needs) => {
  const cycles: Array<ReadonlyArray<number>> = []
  const order: Array<number> = []
  const done = new Set<number>()
  const position = new Map<number, number>()
  const path: Array<{ readonly stage: number; next: number }> = []
  const enter = (stage: number): void => {
    const start = position.get(stage)
    if (start !== undefined) cycles.push(fromFirst(path.slice(start).map((step) => step.stage)))
    if (start !== undefined || done.has(stage)) return
    position.set(stage, path.length)
    path.push({ stage, next: 0 })
  }
  for (const start of needs.keys()) {
    enter(start)
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const needed = needs[step.stage]![step.next++]
      if (needed !== undefined) {
        enter(needed)
        continue
      }
      path.pop()
      position.delete(step.stage)
      done.add(step.stage)
      order.push(step.stage)
    }
  }
  return { cycles, order }
}

/** One bit per dependency. Only cycles need more than one pass and a final pass without changes. */
const closure = (needs: Needs, order: ReadonlyArray<number>): ReadonlyArray<Uint32Array> => {
  const words = Math.ceil(needs.length / 32)
  const reached = needs.map(() => new Uint32Array(words))
  let changed = true
  while (changed) {
    changed = false
    for (const stage of order) {
      const bits = reached[stage]!
      for (const needed of needs[stage]!) {
        const more = reached[needed]!
        for (let word = 0; word < words; word++) {
          const before = bits[word]!
          bits[word] = before | more[word]! | (word === needed >>> 5 ? bit(needed) : 0)
          changed ||= bits[word] !== before
        }
      }
    }
  }
  return reached
}

const fromFirst = (cycle: ReadonlyArray<number>): ReadonlyArray<number> => {
  const first = cycle.indexOf(Math.min(...cycle))
  return [...cycle.slice(first), ...cycle.slice(0, first)]
}
