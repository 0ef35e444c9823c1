/** Implements `planloom runs watch`: shows the progress of a run that another process owns. */
import type { RunRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RunResult } from "@planloom/core"
import type { Handler } from "../deferred.ts"
import { exitOf, failureText, usageText } from "../run/resultText.ts"
import { Stacks } from "../run/Stacks.ts"
import { showOutputs } from "../run/outputs.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { oneLine, wrap } from "../terminal/text.ts"
import { viewOf } from "../progress/viewOf.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface WatchFlags {
  readonly id: string
  readonly from: number
  readonly json: boolean
}

export const watchRun: Handler<WatchFlags> = ({ from, id, json }) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const { run } = yield* runNamed(store, id)
      const { follow } = yield* Effect.promise(() => import("@planloom/record/follow"))
      const { RunFold } = yield* Effect.promise(() => import("@planloom/core"))
      const fold = new RunFold()
      const stacks = new Stacks()
      const view = json ? undefined : yield* viewOf(undefined)
      view?.start()
      // The view needs all events; JSON lines start at `from`.
      yield* Effect.ensuring(
        Stream.runForEach(follow(store, run), (event) =>
          Effect.sync(() => {
            fold.push(event)
            stacks.push(event)
            view?.push(event)
            if (json && event.seq >= from) print(JSON.stringify(event))
          }),
        ),
        Effect.sync(() => view?.stop()),
      )
      const result = fold.result()
      const record = yield* store.show(run)
      if (json) print(JSON.stringify({ type: "Result", ...result }))
      else printResult(result, record)
      yield* stacks.print(result)
      return exitOf(result)
    }),
  )

const printResult = (result: RunResult, record: RunRecord | undefined): void => {
  const { style } = stderr
  if (stdout.live) say(style.dim(wrap(usageText(result), textWidth(stderr)).join("\n")))
  switch (result.status) {
    case "succeeded": {
      const look = { style: stdout.style, width: textWidth(stdout) }
      const text = showOutputs(result.outputs, new Map(), look)
      if (text !== "") print(text)
      return
    }
    case "cancelled":
      say(style.warn(`the run was cancelled: ${oneLine(result.failure?.message ?? "interrupted")}`))
      return
    case "running":
      say(style.warn("no process owns the run any more: it was killed"))
      say(`  help: resume it: planloom runs resume ${record?.run ?? result.run}`)
      return
    default:
      say(failureText(result, style, textWidth(stderr)))
  }
}
