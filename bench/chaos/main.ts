/**
 * Kills, stops and misleads processes that run workflows, and counts what that costs: `node bench/chaos/main.ts
 * [--kills 500] [--storms 9] [--early 100] [--duels 5] [--kinds 14] [--scouts 40] [--served 10] [--guides 40] [--boundaries] [--seed 1]`. `--kinds`: of duels, drawn by the seed. `--scouts`, `--guides`: kills of the market scout and of the conference guide. `--served`: kills of `planloom serve` while it runs the market scout. Exits with 1 when a promise is broken.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { duel, type Duel } from "./duel.ts"
import { atEveryBoundary, atRandom, early, whenRecorded } from "./kills.ts"
import { served } from "./served.ts"
import { namespacesRefused } from "./startVictim.ts"
import { trial, type Kill, type Tally } from "./trial.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "500" },
    storms: { type: "string", default: "9" },
    early: { type: "string", default: "100" },
    duels: { type: "string", default: "5" },
    kinds: { type: "string" },
    scouts: { type: "string", default: "40" },
    served: { type: "string", default: "10" },
    guides: { type: "string", default: "40" },
    boundaries: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
})

/** Mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c. */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const random = seeded(Number(values.seed))

const storm = join(import.meta.dirname, "storm.ts")
const analyst = join(import.meta.dirname, "analyst.ts")

const conversation = join(import.meta.dirname, "conversation.ts")
const scout = join(import.meta.dirname, "scout.ts")
const guide = join(import.meta.dirname, "guide.ts")
const breeze = join(import.meta.dirname, "breeze.ts")

const inFolder = async (use: (folder: string) => Promise<Tally>): Promise<Tally> => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-chaos-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const within = (module: string, kills: Iterable<Kill>, right?: ReadonlyMap<string, string>) =>
  inFolder((folder) => trial(module, folder, kills, right))

const sum = (tallies: ReadonlyArray<Tally>, of: (tally: Tally) => number) =>
  tallies.reduce((total, tally) => total + of(tally), 0)

let broken = false
const tell = (what: string, tallies: ReadonlyArray<Tally>) => {
  const lost = sum(tallies, (tally) => tally.lost.length)
  const recorded = sum(tallies, (tally) => tally.recordedRepeated.length)
  const living = sum(tallies, (tally) => tally.livingRepeated.length)
  const runs = sum(tallies, (tally) => tally.runs)
  const freezes = sum(tallies, (tally) => tally.freezes)
  const ended = sum(tallies, (tally) => tally.endedRepeated)
  const started = sum(tallies, (tally) => tally.startedRepeated)
  const times = tallies.map(({ lastMs }) => Math.round(lastMs)).toSorted((a, b) => a - b)
  const ms = `${times[times.length >> 1]} (${times[0]} to ${times.at(-1)})`
  const kills = sum(tallies, (tally) => tally.kills)
  const held = sum(tallies, (tally) => tally.recordedAtDeath)
  console.log(
    `| ${what} | ${runs} | ${kills} | ${freezes} | ${held} | ${lost} | ${recorded} | ${living} | ${ended} | ${started} | ${ms} |`,
  )
  for (const tally of tallies) {
    const faults = [...tally.lost, ...tally.recordedRepeated, ...tally.livingRepeated]
    for (const name of faults) console.error(`broken: ${name}`)
    broken ||= faults.length > 0
  }
}

/** New databases until so many processes have been killed. */
const killed = async (
  module: string,
  outputs: ReadonlyMap<string, string>,
  count: number,
  kills: () => Generator<Kill, never, void>,
  perDatabase = 25,
) => {
  const tallies: Array<Tally> = []
  for (let left = count; left > 0; left = count - sum(tallies, (tally) => tally.kills)) {
    tallies.push(await within(module, kills().take(Math.min(left, perDatabase)), outputs))
  }
  return tallies
}

const ahead = (): number => Math.round((random() - 0.5) * 2 * 3_600_000)

/** Each kind with the owner alive to the end, then with the owner killed. */
const duels: { readonly [kind: string]: () => Omit<Duel, "kill"> } = {
  "owner and worker stopped": () => ({ freeze: "both" }),
  "owner stopped": () => ({ freeze: "owner" }),
  "worker stopped": () => ({ freeze: "worker" }),
  "clocks up to an hour apart": () => ({
    freeze: "neither",
    owner: { clockAheadMs: ahead() },
    worker: { clockAheadMs: ahead() },
  }),
}

const duelsApart: typeof duels = {
  "PID namespaces": () => ({
    freeze: "neither",
    owner: { ownNamespace: true },
    worker: { ownNamespace: true },
  }),
  "PID namespaces, owner and worker stopped": () => ({
    freeze: "both",
    worker: { ownNamespace: true },
  }),
  "PID namespaces, worker stopped, clocks apart": () => ({
    freeze: "worker",
    owner: { clockAheadMs: ahead() },
    worker: { ownNamespace: true, clockAheadMs: ahead() },
  }),
}

console.log(
  "| kind | runs | kills | stops | recorded steps at a death, summed | runs lost | recorded steps repeated | repeated while their owner lives | ended, unrecorded, repeated | started again | last start or kill to all done, ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
)
const began = loadavg()[0]!
const rightStorm = await within(storm, [])
const rightAnalyst = await within(analyst, [])
tell("storm, not killed", [rightStorm])
tell("data analyst, not killed", [rightAnalyst])

const half: Array<Tally> = []
for (let round = 0; round < Number(values.storms); round++) {
  half.push(await within(storm, [whenRecorded(200)], rightStorm.outputs))
}
if (half.length > 0) tell("storm, half-way", half)

const kills = Number(values.kills)
const ofAnalyst = Math.floor(kills / 10)
if (kills > 0) {
  tell(
    "storm, at random",
    await killed(storm, rightStorm.outputs, kills - ofAnalyst, () => atRandom(200, random)),
  )
  tell(
    "data analyst, at random",
    await killed(analyst, rightAnalyst.outputs, ofAnalyst, () =>
      atRandom(rightAnalyst.lastMs, random),
    ),
  )
}
const earlyKills = Number(values.early)
if (earlyKills > 0) {
  const { outputs } = await within(conversation, [])
  const each = Math.ceil(earlyKills / 2)
  tell(
    "conversations, early",
    await killed(conversation, outputs, each, () => early(16, random), 5),
  )
  tell("storm, early", await killed(storm, rightStorm.outputs, each, () => early(60, random), 5))
}
const scouts = Number(values.scouts)
const rightScout = scouts > 0 || values.boundaries ? await within(scout, []) : undefined
if (rightScout !== undefined && scouts > 0) {
  tell(
    "market scout, within and between rounds",
    await killed(scout, rightScout.outputs, scouts, () => early(16, random)),
  )
}
const servedKills = Number(values.served)
if (servedKills > 0) {
  tell("market scout, served by the command", await served(servedKills, random))
}
const guides = Number(values.guides)
const rightGuide = guides > 0 || values.boundaries ? await within(guide, []) : undefined
if (rightGuide !== undefined && guides > 0) {
  tell(
    "conference guide, within and between rounds and turns",
    await killed(guide, rightGuide.outputs, guides, () => early(20, random)),
  )
}
const rounds = Number(values.duels)
if (rounds > 0) {
  const { outputs } = await within(breeze, [])
  const refused = namespacesRefused()
  if (refused !== undefined) console.error(`no PID namespaces here: ${refused}`)
  const kinds = { ...duels, ...(refused === undefined ? duelsApart : {}) }
  const ways = Object.entries(kinds)
    .flatMap(([kind, make]) => [false, true].map((kill) => ({ kind, make, kill, order: random() })))
    .toSorted((a, b) => (values.kinds === undefined ? 0 : a.order - b.order))
    .slice(0, Number(values.kinds ?? Infinity))
  for (const { kill, kind, make } of ways) {
    // Mostly they wait; each has random numbers of its own, whatever the others do meanwhile.
    const tallies = Array.from({ length: rounds }, () => {
      const own = seeded(random() * 2 ** 32)
      const given = { ...make(), kill }
      return inFolder((folder) => duel(breeze, folder, given, own, outputs))
    })
    tell(kill ? `${kind}, owner killed` : kind, await Promise.all(tallies))
  }
}
if (values.boundaries) {
  tell("data analyst, every boundary", [
    await within(analyst, atEveryBoundary(), rightAnalyst.outputs),
  ])
  tell("storm, every boundary", [await within(storm, atEveryBoundary(), rightStorm.outputs)])
  tell("market scout, every boundary", [
    await within(scout, atEveryBoundary(), rightScout!.outputs),
  ])
  tell("conference guide, every boundary", [
    await within(guide, atEveryBoundary(["ended", "recorded", "over"]), rightGuide!.outputs),
  ])
}
console.log(`\nload average ${began.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after`)
process.exitCode = broken ? 1 : 0
