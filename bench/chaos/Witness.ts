/** A file that every effect appends to: what really happened, as opposed to what the store says. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"

/**
 * `watching`: a worker is at work. `began`: the store has the run. `started`, `ended`, `recorded`: a step's effect, and that the journal has given its
 * outcome back. `refused`: the process was told to record nothing more.
 */
type Fact = "watching" | "began" | "started" | "ended" | "recorded" | "refused"

export interface Sighting {
  readonly process: number
  /** Milliseconds of the clock that all processes of a machine share. */
  readonly at: number
  readonly fact: Fact
  readonly run: string
  /** The step or the reason. */
  readonly what: string
}

/** The monotonic clock, which no wrong time of day moves. */
export const sharedNow = (): number => Number(process.hrtime.bigint() / 1000n) / 1000

/** Each line is one write to a file opened for appending, so processes do not mix theirs. */
export const openWitness = (path: string) => {
  const file = openSync(path, "a")
  return {
    see: (fact: Fact, run: string, what = "") => {
      writeSync(file, `${JSON.stringify([process.pid, fact, run, what, sharedNow()])}\n`)
    },
    close: () => closeSync(file),
  }
}

export const sightings = (path: string): ReadonlyArray<Sighting> => {
  let text = ""
  try {
    text = readFileSync(path, "utf8")
  } catch {
    // Nothing has happened yet.
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [by, fact, run, what, at] = JSON.parse(line) as [number, Fact, string, string, number]
      return { process: by, fact, run, what, at }
    })
}
