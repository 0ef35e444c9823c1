/** Implements `planloom runs sample`: a seeded sample of recorded runs for people to review. */
import type { RunEvent, RunRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../../deferred.ts"
import type { ExitName } from "../../ExitCode.ts"
import { plural } from "../../terminal/quantity.ts"
import { print, say, stderr } from "../../terminal/Screen.ts"
import { definitions } from "../../terminal/table.ts"
import { oneLine } from "../../terminal/text.ts"
import { usage, type Refused } from "../../Refused.ts"
import { stateOf, timeText } from "../listRuns.ts"
import { changesText, reflectionsIn, type Reflection } from "../reflections.ts"
import { timeFlag } from "../timeFlags.ts"
import { withRuns } from "../withRuns.ts"
import { seededOrder } from "./seededOrder.ts"

export interface SampleRunsFlags {
  readonly refined: number | undefined
  readonly reasoned: number | undefined
  readonly any: number | undefined
  readonly workflow: string | undefined
  readonly since: string | undefined
  readonly seed: number
  readonly json: boolean
}

interface DrawnRun {
  readonly record: RunRecord
  readonly reflections: ReadonlyArray<Reflection>
  readonly reasoning: ReadonlyArray<Reasoning>
}

interface Reasoning {
  readonly stage: string
  readonly words: number
  readonly text: string
}

interface Kind {
  readonly count: number
  readonly isWanted: (run: DrawnRun) => boolean
  /** Of the runs that are wanted: "were …". */
  readonly adjective: string
}

/** The one kind that the flags ask for. */
const kindOf = ({
  any,
  reasoned,
  refined,
}: Pick<SampleRunsFlags, "any" | "reasoned" | "refined">): Effect.Effect<Kind, Refused> =>
  Effect.gen(function* () {
    const kinds: ReadonlyArray<Omit<Kind, "count"> & { readonly count: number | undefined }> = [
      {
        count: refined,
        isWanted: ({ reflections }) => reflections.length > 0,
        adjective: "refined by a reflection",
      },
      {
        count: reasoned,
        isWanted: ({ reasoning }) => reasoning.length > 0,
        adjective: "recorded with a model's reasoning",
      },
      { count: any, isWanted: () => true, adjective: "recorded" },
    ]
    const given = kinds.flatMap(({ count, ...kind }) =>
      count === undefined ? [] : [{ ...kind, count }],
    )
    const [kind] = given
    if (kind === undefined || given.length > 1)
      return yield* usage("give one of --refined, --reasoned and --any")
    if (kind.count < 1) return yield* usage("a sample has at least 1 run")
    return kind
  })

export const sampleRuns: Handler<SampleRunsFlags> = ({ json, seed, workflow, ...flags }) =>
  Effect.gen(function* () {
    const { adjective, count, isWanted } = yield* kindOf(flags)
    const since = yield* timeFlag("--since", flags.since, Date.now())
    const { effectiveEvents } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const found = yield* withRuns((store) =>
      Effect.gen(function* () {
        const all = yield* store.list({
          ...(workflow === undefined ? {} : { workflow }),
          ...(since === undefined ? {} : { since }),
        })
        const chosen: Array<DrawnRun> = []
        for (const record of seededOrder(all, seed)) {
          if (chosen.length === count) break
          const events: ReadonlyArray<RunEvent> = effectiveEvents(yield* store.events(record.run))
          const drawn = {
            record,
            reflections: reflectionsIn(events),
            reasoning: reasoningIn(events),
          }
          if (isWanted(drawn)) chosen.push(drawn)
        }
        return chosen.toSorted((one, other) => one.record.startedAt - other.record.startedAt)
      }),
    )
    if (json) print(JSON.stringify(found.map(asJson), null, 2))
    else if (found.length > 0) print(found.map(asText).join("\n\n"))
    if (found.length < count) {
      say(
        stderr.style.dim(
          found.length === 0
            ? `no run was ${adjective}`
            : `only ${plural(found.length, "run")} ${found.length === 1 ? "was" : "were"} ${adjective}`,
        ),
      )
    }
    return "ok" as ExitName
  })

/** Of models whose replies no gate reads: a gate keeps it back. */
const reasoningIn = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Reasoning> =>
  events.flatMap((event) =>
    event.type === "Reasoned" && event.text !== undefined
      ? [{ stage: event.stage, words: event.words, text: event.text }]
      : [],
  )

const asJson = ({ record, ...drawn }: DrawnRun) => ({ ...record, ...drawn })

const asText = ({ reasoning, record, reflections }: DrawnRun): string =>
  definitions(
    [
      ["run", [oneLine(record.run)]],
      ["workflow", [oneLine(record.workflow)]],
      ["state", [`${stateOf(record)}, ${timeText(record.startedAt)}`]],
      ["inputs", [oneLine(JSON.stringify(record.inputs))]],
      ...reasoning.map(
        ({ stage, text, words }) =>
          [`reasoning of ${stage}`, [`${plural(words, "word")}: ${oneLine(text)}`]] as const,
      ),
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
