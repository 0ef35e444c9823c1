/** One workload in one database, killed as often as asked, then left in peace; and what its witness saw. */
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { endsIn, lostOf, recordedIn } from "./stored.ts"
import type { Moment } from "./watched.ts"
import { sightings, type Sighting } from "./Witness.ts"

/** From inside at the so-manieth moment, or from outside as soon as `when` is fulfilled. */
export type Kill =
  | { readonly moment: Moment; readonly count: number }
  | { readonly when: (process: Watched) => Promise<void> }

/** A process under way. */
export interface Watched {
  readonly process: number
  readonly over: Promise<void>
  readonly witness: string
}

export interface Tally {
  readonly runs: number
  /** Processes that were killed; one that was done first is not. */
  readonly kills: number
  /** Processes that were stopped for longer than a silence that means death, and continued. */
  readonly freezes: number
  /** Runs that were begun and did not come to their right end, or whose events have gaps. */
  readonly lost: ReadonlyArray<string>
  /** Steps that were recorded when their process died, and ran again. */
  readonly recordedRepeated: ReadonlyArray<string>
  /** Steps that started again while the process that had started them was alive. */
  readonly livingRepeated: ReadonlyArray<string>
  /** Steps whose effect had ended when their process died, which were not recorded yet, and ran again. */
  readonly endedRepeated: number
  /** Steps that had started, and not ended, and started again. */
  readonly startedRepeated: number
  /** Steps that were recorded, over all deaths. */
  readonly recordedAtDeath: number
  /** Of the last process, from its spawn to its end, when all runs have ended. */
  readonly lastMs: number
  readonly outputs: ReadonlyMap<string, string>
}

/** Milliseconds a process may take. */
const PATIENCE = 120_000

/** Stands in for packed JavaScript: from source, stripping types is most of a start. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "planloom-chaos-compiled") }

const watch = (module: string, folder: string, kill: Kill | undefined) => {
  const moment =
    kill !== undefined && "moment" in kill ? ["--die", `${kill.moment}:${kill.count}`] : []
  const args = [join(import.meta.dirname, "victim.ts"), module, folder, ...moment]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"], env })
  let said = ""
  child.stderr.on("data", (data: Buffer) => (said += data.toString()))
  const over = new Promise<void>((resolve) => child.on("close", () => resolve()))
  const watched: Watched = {
    over,
    process: child.pid!,
    witness: join(folder, "witness"),
  }
  if (kill !== undefined && "when" in kill)
    void kill.when(watched).then(() => child.kill("SIGKILL"))
  let stuck = false
  const patience = setTimeout(() => {
    stuck = true
    child.kill("SIGKILL")
  }, PATIENCE)
  return over.then(() => {
    clearTimeout(patience)
    if (stuck) throw new Error(`a process was not done after ${PATIENCE} ms in ${folder}: ${said}`)
    const killed = child.signalCode === "SIGKILL"
    if (!killed && child.exitCode !== 0) throw new Error(said)
    return killed
  })
}

/** `kills` are tried in turn, until they are used up or the work is done; `right` is how the runs should end. */
export const trial = async (
  module: string,
  folder: string,
  kills: Iterable<Kill>,
  right?: ReadonlyMap<string, string>,
): Promise<Tally> => {
  const deaths: Array<{ readonly seen: number; readonly recorded: ReadonlySet<string> }> = []
  const witness = join(folder, "witness")
  let began = 0
  const attempt = async (kill?: Kill) => {
    began = performance.timeOrigin + performance.now()
    return watch(module, folder, kill)
  }
  let done = false
  for (const kill of kills) {
    if (!(await attempt(kill))) {
      done = true
      break
    }
    deaths.push({ seen: sightings(witness).length, recorded: await recordedIn(folder) })
  }
  if (!done) await attempt()
  const lastMs = performance.timeOrigin + performance.now() - began
  const seen = sightings(witness)
  const ends = await endsIn(folder)
  const begun = new Set(seen.map(({ run }) => run))
  return {
    runs: begun.size,
    kills: deaths.length,
    freezes: 0,
    lost: lostOf(begun, ends, right),
    ...repeats(seen, deaths),
    lastMs,
    outputs: ends.outputs,
  }
}

const repeats = (
  seen: ReadonlyArray<Sighting>,
  deaths: ReadonlyArray<{ readonly seen: number; readonly recorded: ReadonlySet<string> }>,
) => {
  const recordedRepeated: Array<string> = []
  const livingRepeated: Array<string> = []
  let [endedRepeated, startedRepeated, recordedAtDeath] = [0, 0, 0]
  let from = 0
  for (const [index, { recorded, seen: until }] of deaths.entries()) {
    recordedAtDeath += recorded.size
    const [started, ended] = [new Set<string>(), new Set<string>()]
    for (const { fact, run, what } of seen.slice(from, until)) {
      if (fact === "started") {
        if (started.has(`${run} ${what}`)) livingRepeated.push(`${run} ${what}`)
        started.add(`${run} ${what}`)
      }
      if (fact === "ended") ended.add(`${run} ${what}`)
    }
    const next = deaths[index + 1]?.seen ?? seen.length
    for (const { fact, run, what } of seen.slice(until, next)) {
      const name = `${run} ${what}`
      if (fact !== "started") continue
      if (recorded.has(name)) recordedRepeated.push(name)
      else if (ended.has(name)) endedRepeated++
      else if (started.has(name)) startedRepeated++
    }
    from = until
  }
  return { recordedRepeated, livingRepeated, endedRepeated, startedRepeated, recordedAtDeath }
}
