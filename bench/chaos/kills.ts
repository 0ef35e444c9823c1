/** Ways to choose when a process dies. */
import type { Kill, Watched } from "./trial.ts"
import type { Moment } from "./watched.ts"
import { sightings, type Sighting } from "./Witness.ts"

const soon = (ms: number) => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms))

/** Looks at the witness again and again; false when the process is over first. */
const until = async (
  { over, witness }: Pick<Watched, "over" | "witness">,
  is: (seen: ReadonlyArray<Sighting>) => boolean,
) => {
  const isOver = over.then(() => true)
  while (!is(sightings(witness))) if (await Promise.race([isOver, soon(1)])) return
}

/** From outside, this long after the process has begun its first step; a negative time kills it while it starts. */
const after = (ms: number): Kill => ({
  when: async (watched) => {
    const { over, process } = watched
    const began = ({ fact, process: by }: Sighting) => by === process && fact === "started"
    if (ms >= 0) await until(watched, (seen) => seen.some(began))
    await Promise.race([over, soon(Math.abs(ms))])
  },
})

/** Within the time the work takes, and now and then during a start. `random` gives numbers from 0 to 1. */
export const atRandom = function* (ms: number, random: () => number): Generator<Kill, never, void> {
  for (;;) yield after(random() < 0.15 ? -random() * 300 : random() * ms)
}

/** Every process dies among its first moments, when no event of a run and hardly a step is stored. */
export const early = function* (
  moments: number,
  random: () => number,
): Generator<Kill, never, void> {
  for (;;) yield { moment: "any", count: 1 + Math.floor(random() * moments) }
}

/** Every process dies at the first boundary it meets: first with the effect's end unrecorded, then recorded. */
export const atEveryBoundary = function* (
  moments: ReadonlyArray<Moment> = ["ended", "recorded"],
): Generator<Kill, never, void> {
  for (;;) for (const moment of moments) yield { moment, count: 1 }
}

/** From outside, when so many steps are recorded. */
export const whenRecorded = (steps: number) => ({
  when: (watched: Pick<Watched, "over" | "witness">) =>
    until(watched, (seen) => seen.filter(({ fact }) => fact === "recorded").length >= steps),
})
