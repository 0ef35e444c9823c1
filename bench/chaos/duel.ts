/** An owner of runs and a worker that waits for its death, on one database: frozen, with wrong clocks, apart; and what their witness saw. */
import { join } from "node:path"
import { startVictim, type Victim, type VictimOptions } from "./startVictim.ts"
import { endsIn, lostOf } from "./stored.ts"
import type { Tally } from "./trial.ts"
import { sharedNow, sightings, type Sighting } from "./Witness.ts"

/** Five of them missed mean death. */
export const HEARTBEAT_MS = 300

export interface Duel {
  readonly owner?: VictimOptions
  readonly worker?: VictimOptions
  /** Who is stopped for longer than a silence that means death. */
  readonly freeze: "both" | "owner" | "worker" | "neither"
  /** Whether the owner is killed in the end. */
  readonly kill: boolean
}

const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const until = async (folder: string, is: (seen: Sighting) => boolean): Promise<void> => {
  while (!sightings(join(folder, "witness")).some(is)) await soon(5)
}

/** `random` gives numbers from 0 to 1. */
export const duel = async (
  module: string,
  folder: string,
  { freeze, kill, ...given }: Duel,
  random: () => number,
  right: ReadonlyMap<string, string>,
): Promise<Tally> => {
  const options = { heartbeatMs: HEARTBEAT_MS }
  const worker = await startVictim(module, folder, { ...options, ...given.worker, worker: true })
  await until(folder, ({ fact }) => fact === "watching")
  const startedAt = sharedNow()
  const owner = await startVictim(module, folder, { ...options, ...given.owner })
  await until(folder, ({ fact }) => fact === "started")
  await soon(random() * 1000)
  const stopped = {
    both: random() < 0.5 ? [owner, worker] : [worker, owner],
    owner: [owner],
    worker: [worker],
    neither: [],
  }[freeze]
  await frozen(stopped, random)
  await soon(random() * 500)
  const killedAt = kill ? owner.kill() : undefined
  const ends = await Promise.all([owner.over, worker.over])
  const doneAt = sharedNow()
  for (const [index, { code, said }] of ends.entries()) {
    if (code !== 0 && !(killedAt !== undefined && index === 0))
      throw new Error(`exit ${code} in ${folder}: ${said}`)
  }
  return {
    ...repeats(sightings(join(folder, "witness")), killedAt ?? Number.POSITIVE_INFINITY),
    ...(await ended(folder, right)),
    kills: killedAt === undefined ? 0 : 1,
    freezes: stopped.length,
    lastMs: doneAt - (killedAt ?? startedAt),
  }
}

/** For 1.5 to 2.5 times the silence that means death; they continue one after the other, soon enough to show that they live. */
const frozen = async (stopped: ReadonlyArray<Victim>, random: () => number): Promise<void> => {
  if (stopped.length === 0) return
  await Promise.all(stopped.map((victim) => victim.freeze()))
  await soon(5 * HEARTBEAT_MS * (1.5 + random()))
  for (const victim of stopped) {
    victim.resume()
    await soon(random() * HEARTBEAT_MS)
  }
}

const ended = async (folder: string, right: ReadonlyMap<string, string>) => {
  const ends = await endsIn(folder)
  const begun = new Set(right.keys())
  return { runs: begun.size, lost: lostOf(begun, ends, right), outputs: ends.outputs }
}

/** `killedAt`: on the clock of the sightings, the moment from which the owner is dead. */
const repeats = (seen: ReadonlyArray<Sighting>, killedAt: number) => {
  const [started, finished, recorded] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const recordedRepeated: Array<string> = []
  const livingRepeated: Array<string> = []
  let [endedRepeated, startedRepeated] = [0, 0]
  for (const { at, fact, run, what } of seen) {
    const name = `${run} ${what}`
    if (fact === "recorded") recorded.add(name)
    if (fact === "ended") finished.add(name)
    if (fact !== "started") continue
    if (recorded.has(name)) recordedRepeated.push(name)
    else if (started.has(name) && at < killedAt) livingRepeated.push(name)
    else if (finished.has(name)) endedRepeated++
    else if (started.has(name)) startedRepeated++
    started.add(name)
  }
  const recordedAtDeath = [...seen].filter(
    ({ at, fact }) => fact === "recorded" && at < killedAt,
  ).length
  return { recordedRepeated, livingRepeated, endedRepeated, startedRepeated, recordedAtDeath }
}
