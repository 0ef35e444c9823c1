/** Implements `planloom runs sample`: a seeded sample of recorded runs for people to review. */
import type { RunEvent, RunRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../../deferred.ts"
import type { ExitName } from "../../ExitCode.ts"
import { plural } from "../../terminal/quantity.ts"
import { print, say, stderr } from "../../terminal/Screen.ts"
import { definitions } from "../../terminal/table.ts"
import { oneLine } from "../../terminal/text.ts"
import { usage } from "../../Refused.ts"
import { stateOf, timeText } from "../listRuns.ts"
import { changesText, reflectionsIn, type Reflection } from "../reflections.ts"
import { timeFlag } from "../timeFlags.ts"
import { withRuns } from "../withRuns.ts"
import { seededOrder } from "./seededOrder.ts"

export interface SampleRunsFlags {
  readonly refined: number
  readonly workflow: string | undefined
  readonly since: string | undefined
  readonly seed: number
  readonly json: boolean
}

interface RefinedRun {
  readonly record: RunRecord
  readonly reflections: ReadonlyArray<Reflection>
}

export const sampleRuns: Handler<SampleRunsFlags> = ({ json, refined, seed, workflow, ...flags }) =>
  Effect.gen(function* () {
    if (refined < 1) return yield* usage("--refined must be at least 1")
    const since = yield* timeFlag("--since", flags.since, Date.now())
    const { effectiveEvents } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const found = yield* withRuns((store) =>
      Effect.gen(function* () {
        const all = yield* store.list({
          ...(workflow === undefined ? {} : { workflow }),
          ...(since === undefined ? {} : { since }),
        })
        const chosen: Array<RefinedRun> = []
        for (const record of seededOrder(all, seed)) {
          if (chosen.length === refined) break
          const events: ReadonlyArray<RunEvent> = yield* store.events(record.run)
          const reflections = reflectionsIn(effectiveEvents(events))
          if (reflections.length > 0) chosen.push({ record, reflections })
        }
        return chosen.toSorted((one, other) => one.record.startedAt - other.record.startedAt)
      }),
    )
    if (json) print(JSON.stringify(found.map(asJson), null, 2))
    else if (found.length > 0) print(found.map(asText).join("\n\n"))
    if (found.length < refined) {
      say(
        stderr.style.dim(
          found.length === 0
            ? "no run was refined by a reflection"
            : `only ${plural(found.length, "run")} ${found.length === 1 ? "was" : "were"} refined by a reflection`,
        ),
      )
    }
    return "ok" as ExitName
  })

const asJson = ({ record, reflections }: RefinedRun) => ({ ...record, reflections })

const asText = ({ record, reflections }: RefinedRun): string =>
  definitions(
    [
      ["run", [oneLine(record.run)]],
      ["workflow", [oneLine(record.workflow)]],
      ["state", [`${stateOf(record)}, ${timeText(record.startedAt)}`]],
      ["inputs", [oneLine(JSON.stringify(record.inputs))]],
      ...reflections.map(
        (one) =>
          [
            `round ${one.round + 1}`,
            [
              oneLine(
                `${one.missing.map(({ reason }) => reason).join("; ")}: ${one.strategy}, ${changesText([one])}`,
              ),
            ],
          ] as const,
      ),
    ],
    "",
  ).join("\n")
