/** Ends the process when code of a run keeps its event loop from turning, and blames that run, so that it restarts alone. */
import type * as Inspector from "node:inspector"
import { writeSync, closeSync } from "node:fs"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { RunStore } from "@planloom/plugin/effect"
import { formatDuration } from "@planloom/plugin/duration"
import { onHand, onUnderWay, placeText } from "../worker/OnHand.ts"
import { PLACE_BYTES, RunNames } from "./RunNames.ts"
import { namesIn, watchLoop, type WatchData } from "./watchLoop.ts"

/** Exit code of a process whose event loop stood still, unless the host chooses another. */
export const STALLED_EXIT_CODE = 75

export interface WatchdogOptions {
  /** Where the run on hand is noted. */
  readonly store: RunStore
  /** Milliseconds for which the event loop may stand still; 10 seconds unless given. */
  readonly limit?: number
  readonly exitCode?: number
  /** The watchdog has failed, and watches no more. */
  readonly onProblem?: (message: string) => void
}

/** The name under which the thread finds what ends the process. */
const END = "@planloom/watchdog"

/** Runs until its scope closes. To be opened before the worker whose runs it watches, and one for each process. */
export const watchdog = ({
  exitCode = STALLED_EXIT_CODE,
  limit = 10_000,
  onProblem,
  store,
}: WatchdogOptions): Effect.Effect<void, never, Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
        const names = new RunNames()
        const { url } = process.getBuiltinModule("node:inspector") as typeof Inspector
        const tick = setInterval(
          () => {
            Atomics.store(cells, 1, url() === undefined ? 0 : 1)
            Atomics.add(cells, 0, 1)
          },
          Math.max(10, Math.min(500, limit / 10)),
        ).unref()
        const forget = onUnderWay(names)
        const key = Symbol.for(END)
        const here = globalThis as { [key]?: (stood: number, where: string) => void }
        here[key] = (stood, where) => stalled(store, exitCode, stood, where)
        const onExit = (code: number) => exited(store, code)
        process.on("exit", onExit)
        const data: WatchData = {
          cells,
          underWay: names.memory,
          placeBytes: PLACE_BYTES,
          limit,
          end: `globalThis[Symbol.for(${JSON.stringify(END)})]`,
        }
        const thread = new Worker(`(${watchLoop.toString()})(${namesIn.toString()})`, {
          eval: true,
          workerData: data,
          execArgv: [],
        })
        thread.unref()
        thread.on("error", (error) => onProblem?.(`the watchdog has failed: ${error.message}`))
        return async () => {
          await thread.terminate()
          clearInterval(tick)
          forget()
          process.off("exit", onExit)
          delete here[key]
        }
      }),
      (stop) => Effect.promise(stop),
    ),
  )

/** Runs in the main thread while that is paused where it stands still. */
const stalled = (store: RunStore, exitCode: number, stood: number, where: string): void => {
  const hand = onHand()
  const time = formatDuration(Math.round(stood / 100) * 100)
  const at = where === "" ? "" : `, at ${where}`
  const [subject, run] =
    hand === undefined ? ["code of no run", ""] : [placeText(hand), `, run ${hand.run}`]
  const problem = blame(store, hand?.run, `${subject} kept the event loop from turning for ${time}`)
  writeSync(
    2,
    `planloom: ${subject} has kept the event loop from turning for ${time}${run}${at}; the process ends${problem}\n`,
  )
  // Node would print that it waits for the debugger to disconnect.
  closeSync(2)
  // `exit` would call listeners, which may stand still as well.
  ;(process as unknown as { readonly reallyExit: (code: number) => never }).reallyExit(exitCode)
}

/** A component that ends the process is known as well. */
const exited = (store: RunStore, code: number): void => {
  const hand = onHand()
  if (hand === undefined) return
  const subject = placeText(hand)
  const problem = blame(store, hand.run, `${subject} ended the process with exit code ${code}`)
  writeSync(2, `planloom: ${subject} has ended the process, run ${hand.run}${problem}\n`)
}

/** Returns what to add to the message if the run could not be noted. */
const blame = (store: RunStore, run: string | undefined, why: string): string => {
  if (store.blame === undefined) return ""
  try {
    Effect.runSync(store.blame(run, why))
    return ""
  } catch (error) {
    return `; it could not be noted in the store: ${error instanceof Error ? error.message : String(error)}`
  }
}
