/** Makes the id of a run. */

/** A random UUID. Clients ask for stored runs by their ids, which cannot be guessed. */
export const newRunId = (isStored: boolean): string =>
  isStored ? crypto.randomUUID() : countedId()

/** Counts of nine digits, which need no padding. */
const FIRST = 100_000_000
const END = 1_000_000_000

let prefix = ""
let count = END

/**
 * A UUID that is random for each process, and then counts. Web Crypto would take 6 ms of the start of a host whose runs
 * are not stored; Node seeds `Math.random` of each process from it.
 */
const countedId = (): string => {
  if (count === END) {
    prefix = `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(3)}`
    count = FIRST
  }
  return prefix + String(count++)
}

const digits = (length: number): string =>
  Math.trunc(Math.random() * 16 ** length)
    .toString(16)
    .padStart(length, "0")
