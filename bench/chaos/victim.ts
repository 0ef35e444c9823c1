/**
 * A process that runs a workload until it is done or killed: `victim.ts workload folder`. It starts the runs that are not
 * recorded, and finds and resumes those whose process is gone, by what is stored with them. With `--worker` it starts
 * none and resumes what is due until all of them have ended. `--die ended:3` kills it at such a moment,
 * `--heartbeat` and `--clock-ahead` are milliseconds: of its heartbeat, and by which its clock is wrong.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { parseArgs } from "node:util"
import type { JsonObject, RunStore } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { load } from "@planloom/embed"
import type { WorkflowInvalid } from "@planloom/embed"
import { run } from "@planloom/core"
import { resumeDue, worker } from "@planloom/record/worker"
import type { Ended } from "@planloom/record/worker"
import { dyingAt, watched, type Moment } from "./watched.ts"
import { openWitness } from "./Witness.ts"
import type { Workload } from "./Workload.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    die: { type: "string", default: "any:0" },
    worker: { type: "boolean", default: false },
    heartbeat: { type: "string" },
    "clock-ahead": { type: "string", default: "0" },
  },
})
const [module = "", folder = ""] = positionals
const [moment, count] = values.die.split(":")

const rightTime = Date.now
Date.now = () => rightTime() + Number(values["clock-ahead"])

const { workload } = (await import(pathToFileURL(module).href)) as { workload: Workload }
const witness = openWitness(join(folder, "witness"))

interface Definition {
  readonly file: string
  readonly texts: { readonly [path: string]: string }
}

/** A run that is somebody else's now is theirs to end; any other end but success is a fault. */
const judged = (id: string, exit: Ended<WorkflowInvalid>["exit"]) => {
  if (Exit.isSuccess(exit)) return Effect.void
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  return failure?._tag === "RunFailed" && failure.reason.class === "store"
    ? Effect.sync(() => witness.see("refused", id, failure.message))
    : exit
}

const workspace = join(folder, "work")
const sessionOf = (id: string): string | undefined => workload.sessionOf?.(id)
const mayDie = dyingAt(moment as Moment, Number(count))

const resuming = {
  // Here it is not the run that kills.
  attempts: Number.POSITIVE_INFINITY,
  concurrency: Object.keys(workload.runs).length,
  options: () => ({ workspace }),
  load: (definition: unknown) => {
    const { file, texts } = definition as Definition
    return load(file, { ...workload.options, texts: new Map(Object.entries(texts)) })
  },
}

const start = (store: RunStore, missing: ReadonlyArray<readonly [string, JsonObject]>) =>
  Effect.gen(function* () {
    const { pipeline, sources } = yield* load(workload.file, workload.options)
    const texts = Object.fromEntries([...sources].map(([path, { text }]) => [path, text]))
    const definition = { file: workload.file, texts }
    const turns = Map.groupBy(missing, ([id]) => sessionOf(id) ?? id)
    const worked = yield* Effect.forEach(
      turns.values(),
      (runs) =>
        Effect.forEach(runs, ([id, inputs]) => {
          const session = sessionOf(id)
          const options = { store, workspace, run: id, definition, ...(session && { session }) }
          return Effect.map(Effect.exit(run(pipeline, inputs, options)), (exit) => {
            mayDie("over")
            return { run: id, exit }
          })
        }),
      { concurrency: "unbounded" },
    )
    return worked.flat()
  })

const isOver = (store: RunStore) =>
  Effect.map(store.list(), (found) => {
    const ended = found.filter(({ finishedAt }) => finishedAt !== undefined)
    return ended.length === Object.keys(workload.runs).length
  })

/** Looks ten times a second, as a server does by default five times. */
const LOOK_EVERY_MS = 100

const watching = (store: RunStore) =>
  Effect.gen(function* () {
    yield* worker(store, {
      ...resuming,
      every: LOOK_EVERY_MS,
      onEnd: ({ exit, run: id }) => Effect.runSync(judged(id, exit) as Effect.Effect<void>),
    })
    witness.see("watching", "")
    while (!(yield* isOver(store))) yield* Effect.sleep(LOOK_EVERY_MS)
  })

const program = Effect.gen(function* () {
  const { heartbeat } = values
  const store = watched(
    yield* openStore(
      join(folder, "runs.db"),
      heartbeat === undefined ? {} : { heartbeat: Number(heartbeat) },
    ),
    witness,
    mayDie,
  )
  if (values.worker) return yield* watching(store)
  const known = new Set((yield* store.list()).map(({ run: id }) => id))
  const missing = Object.entries(workload.runs).filter(([id]) => !known.has(id))
  const worked = [
    ...(known.size === 0 ? [] : yield* resumeDue(store, resuming)),
    ...(missing.length === 0 ? [] : yield* start(store, missing)),
  ]
  for (const { exit, run: id } of worked) yield* judged(id, exit)
})

await Effect.runPromise(Effect.scoped(program))
witness.close()
