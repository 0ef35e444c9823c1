/** Does what `planloom runs show` asks. */
import type { RunEvent, RunRecord, StoredWait, Wait } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { RunResult } from "@planloom/core"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { failureText, usageText } from "../run/ending.ts"
import { duration, plural } from "../terminal/quantity.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { definitions, table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { stateOf, timeText } from "./listRuns.ts"
import { withRecorded } from "./withRecorded.ts"

export const showRun: Doing<{ readonly id: string; readonly json: boolean }> = ({ id, json }) =>
  withRecorded(id, ({ events, record, whole }) =>
    Effect.gen(function* () {
      const { markedPersonal } = yield* Effect.promise(() => import("@planloom/core/internal"))
      const { resultOf } = yield* Effect.promise(() => import("@planloom/core"))
      const told = yield* events(0)
      const folded = resultOf(told)
      // Of one that is at work its process has them.
      const idle = record.finishedAt === undefined && !record.active
      const needs = idle ? markedPersonal(record.inputs) : []
      const answered =
        idle && folded.waits.length > 0 ? answersIn((yield* whole).waits, folded.waits) : []
      const result = { ...folded, waits: without(folded.waits, answered) }
      print(
        json
          ? JSON.stringify(
              {
                ...record,
                ...(needs.length === 0 ? {} : { needs }),
                ...(answered.length === 0 ? {} : { answered }),
                result,
              },
              null,
              2,
            )
          : [
              runText(
                record,
                answered.length > 0 && result.waits.length === 0
                  ? "answered, can go on"
                  : stateOf(record),
                result,
                told,
                needs,
              ),
              ...answeredText(record.run, answered),
            ].join("\n"),
      )
      return "ok" as ExitName
    }),
  )

interface Answered {
  readonly name: string
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Of questions the run has not read the answers of: it has not gone on since. */
const answersIn = (
  stored: ReadonlyArray<StoredWait>,
  asked: ReadonlyArray<Wait>,
): ReadonlyArray<Answered> => {
  const names = new Set(asked.map(({ name }) => name))
  return stored.flatMap(({ answer, wait: { name } }) =>
    answer === undefined || !names.has(name) ? [] : [{ name, by: answer.by, at: answer.at }],
  )
}

const without = (asked: ReadonlyArray<Wait>, answered: ReadonlyArray<Answered>) =>
  asked.filter((wait) => !answered.some(({ name }) => name === wait.name))

const answeredText = (run: string, answered: ReadonlyArray<Answered>): ReadonlyArray<string> =>
  answered.length === 0
    ? []
    : [
        "",
        ...answered.map(({ at, by, name }) =>
          oneLine(`answered by ${by}, ${timeText(at)}: ${name}`),
        ),
        `planloom runs resume ${oneLine(run)} goes on with it`,
      ]

const runText = (
  record: RunRecord,
  state: string,
  result: RunResult,
  events: ReadonlyArray<RunEvent>,
  needs: ReadonlyArray<string>,
): string => {
  const { style } = stdout
  const width = textWidth(stdout)
  const stages = Object.entries(result.stages)
  return [
    ...definitions(
      [
        ["run", [oneLine(record.run)]],
        ["workflow", [oneLine(record.workflow)]],
        ["state", [state]],
        ["begun", [timeText(record.startedAt)]],
        ...history(events),
        ["used", [usageText(result)]],
        ["inputs", [oneLine(JSON.stringify(record.inputs))]],
        ...(needs.length === 0 ? [] : [["needs", [needsText(record.run, needs)]] as const]),
      ],
      "",
    ),
    "",
    ...(stages.length === 0
      ? []
      : table(
          [
            { head: "stage", align: "left", paint: style.name },
            { head: "outcome", align: "left" },
            { head: "tries", align: "right" },
            { head: "took", align: "right" },
          ],
          stages.map(([path, { attempts, ms, outcome }]) => [
            oneLine(path),
            outcome,
            attempts > 1 ? String(attempts) : "",
            ms === undefined ? "" : duration(ms),
          ]),
          width,
          style.dim,
        )),
    ...ending(result, width),
  ].join("\n")
}

const ending = (result: RunResult, width: number): ReadonlyArray<string> => {
  const { style } = stdout
  if (result.status === "cancelled") {
    return ["", style.warn(`the run was cancelled: ${oneLine(result.failure?.message ?? "")}`)]
  }
  return result.failure !== undefined || result.waits.length > 0
    ? ["", failureText(result, style, width)]
    : []
}

/** Personal inputs are not recorded: nobody goes on with it by itself. */
const needsText = (run: string, needs: ReadonlyArray<string>): string =>
  `its personal inputs again: planloom runs resume ${run} ${needs.map((name) => `--input ${name}=…`).join(" ")}`

/** How often it was taken up again, and where it came from. */
const history = (
  events: ReadonlyArray<RunEvent>,
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const resumed = events.filter(({ type }) => type === "RunResumed").length
  const rows: Array<readonly [string, ReadonlyArray<string>]> = []
  if (resumed > 0) rows.push(["resumed", [plural(resumed, "time")]])
  for (const event of events) {
    if (event.type === "RunReset") {
      rows.push(["reset", [event.from === "" ? "as it was" : `from ${oneLine(event.from)}`]])
    } else if (event.type === "RunForked") {
      rows.push(["forked", [`from ${oneLine(event.from)} of ${oneLine(event.of)}`]])
    } else if (event.type === "RunMigrated") rows.push(["migrated", [timeText(event.at)]])
  }
  return rows
}
