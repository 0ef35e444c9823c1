/** A process that runs or resumes the test's workflow and may kill itself: `victim.ts folder moment`. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import type { Failure, Json, Journal, RunStore } from "@planloom/plugin"
import { openStore } from "../src/index.ts"
import { workflowIn } from "./workflow.ts"

const [folder = "", moment = "0"] = process.argv.slice(2)
let left = Number(moment)

/** SIGKILL at the so-manieth moment; moments lie before and after each effect, and after each record. */
const mayDie = () => {
  if (--left === 0) process.kill(process.pid, "SIGKILL")
}

const log = join(folder, "happened")

const dying = (store: RunStore): RunStore => ({
  ...store,
  show: (id) => store.show(id),
  events: (id) => store.events(id),
  open: (start) =>
    Effect.map(store.open(start), (opened) => ({
      ...opened,
      journal: {
        ...opened.journal,
        step: <A extends Json, E extends Failure, R>(
          name: string,
          effect: Effect.Effect<A, E, R>,
        ) =>
          Effect.onExit((opened.journal as Journal).step(name, effect), () => Effect.sync(mayDie)),
      },
    })),
})

const happens = (what: string) => {
  mayDie()
  appendFileSync(log, `${what}\n`)
  mayDie()
}

const result = await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* workflowIn(folder, happens)
      const store = dying(yield* openStore(join(folder, "runs.db")))
      return yield* run(pipeline, { list: [3, 4] }, { store, run: "r" })
    }),
  ),
)
process.stdout.write(JSON.stringify(result.outputs))
