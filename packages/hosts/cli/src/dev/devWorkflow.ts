/** Implements `planloom dev`: runs a workflow, waits for an edit or a key, and runs it again. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { quietConsole } from "../project/withWorkflow.ts"
import { usage } from "../Refused.ts"
import { acceptRun } from "./acceptRun.ts"
import type { DevFlags } from "./DevFlags.ts"
import { DevScreen } from "./DevScreen.ts"
import { EditLoop } from "./EditLoop.ts"
import { Keys } from "./Keys.ts"

/** Why the workflow runs: saved files, or a key that forgets all calls. */
type Cause = { readonly saved: ReadonlyArray<string>; readonly anew?: true }

export const devWorkflow: Handler<DevFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const path = yield* findWorkflow(flags.workflow)
      if (path.endsWith(".json")) {
        return yield* usage(
          `${path} is an artefact`,
          "name the workflow file that it was built from",
        )
      }
      const keys = yield* Keys.open(!flags.once)
      const screen = new DevScreen(keys, flags)
      const loop = yield* EditLoop.open(path, flags, screen)
      let cause: Cause | "quit" = { saved: [] }
      while (cause !== "quit") {
        const run: Effect.Effect<ExitName> = loop.run(cause)
        if (flags.once) return yield* run
        // A file that is saved during a run interrupts it; its finished calls stay in memory.
        const outcome: { readonly exit: ExitName } | Cause | "quit" = yield* Effect.raceFirst(
          Effect.map(run, (exit) => ({ exit })),
          duringRun(loop, keys),
        )
        if (outcome === "quit" || !("exit" in outcome)) cause = outcome
        // The command line itself is wrong, which no edit repairs.
        else if (outcome.exit === "usage" && loop.last === undefined) return "usage"
        else cause = yield* ended(loop, screen, keys)
      }
      return "ok" as const
    }),
  )

const duringRun = (loop: EditLoop, keys: Keys): Effect.Effect<Cause | "quit"> => {
  const quit: Effect.Effect<Cause | "quit"> = Effect.flatMap(keys.next, (key) =>
    key === "q" ? Effect.succeed("quit" as const) : quit,
  )
  return Effect.raceFirst(savedFiles(loop), quit)
}

const savedFiles = (loop: EditLoop): Effect.Effect<Cause> =>
  Effect.map(loop.saved, (saved) => ({ saved }))

/** Waits for an edit or a key that runs the workflow again, and answers the other keys. */
const ended = (loop: EditLoop, screen: DevScreen, keys: Keys): Effect.Effect<Cause | "quit"> =>
  Effect.suspend(() => {
    screen.showKeys(loop.last !== undefined)
    return Effect.flatMap(
      Effect.raceFirst(savedFiles(loop), keys.next),
      (given): Effect.Effect<Cause | "quit"> => {
        if (typeof given !== "string") return Effect.succeed(given)
        const again = () => ended(loop, screen, keys)
        switch (given) {
          case "q":
            return Effect.succeed("quit")
          case "r":
            return Effect.succeed({ saved: [], anew: true })
          case "d":
            return Effect.flatMap(
              Effect.sync(() => screen.toggleDiff()),
              again,
            )
          case "a":
            return loop.last === undefined
              ? again()
              : Effect.flatMap(acceptRun(loop.last, loop.flags), (text) => {
                  screen.note(text)
                  return again()
                })
          default:
            return again()
        }
      },
    )
  })
