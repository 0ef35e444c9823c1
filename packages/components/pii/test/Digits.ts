/** Random digits of a seed, in the forms of numbers. */
export class Digits {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  of(length: number): string {
    return Array.from({ length }, () => String(this.#below(10))).join("")
  }

  one(...values: ReadonlyArray<string>): string {
    return values[this.#below(values.length)]!
  }

  chance(): boolean {
    return this.#below(2) === 0
  }

  completed(digits: string, last: (digits: string) => string): string {
    return digits + last(digits)
  }

  /** In one of the groupings, at random; an empty one leaves it whole. */
  grouped(digits: string, ...groupings: ReadonlyArray<ReadonlyArray<number>>): string {
    const sizes = groupings[this.#below(groupings.length)]!
    const separator = this.one(" ", "-")
    const groups: Array<string> = []
    let at = 0
    for (const size of sizes) groups.push(digits.slice(at, (at += size)))
    return groups.length === 0 ? digits : groups.join(separator)
  }

  /** Lehmer's generator. */
  #below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state % limit
  }
}
