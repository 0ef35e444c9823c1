/** Implements `planloom runs show`: prints the state, stages, usage and result of a run. */
import type { LoopStop, RunEvent, RunRecord, StoredWait, Wait } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { RunResult } from "@planloom/core"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { degradedText, failureText, usageText } from "../run/resultText.ts"
import { Stacks } from "../run/Stacks.ts"
import { usage, type Refused } from "../Refused.ts"
import { duration, plural } from "../terminal/quantity.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { definitions, table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import type { ShowExampleFlags } from "./example/showExample.ts"
import { stateOf, timeText } from "./listRuns.ts"
import { describedReflections } from "./reflectionText.ts"
import { withRecorded } from "./withRecorded.ts"

export interface ShowRunFlags extends ShowExampleFlags {
  readonly asExample: boolean
}

export const showRun: Handler<ShowRunFlags> = ({ asExample, ...flags }) =>
  Effect.gen(function* () {
    const { json, out, stage } = flags
    if (asExample) {
      const { showExample } = yield* Effect.promise(() => import("./example/showExample.ts"))
      return yield* showExample(flags)
    }
    if (stage !== undefined || out !== undefined) {
      const flag = stage === undefined ? "--out" : "--stage"
      return yield* usage(`${flag} is for examples`, `add --as-example`)
    }
    return yield* showRecord(flags.id, json)
  })

const showRecord = (id: string, json: boolean): Effect.Effect<ExitName, Refused> =>
  withRecorded(id, ({ events, record, whole }) =>
    Effect.gen(function* () {
      const { markedPersonal } = yield* Effect.promise(() => import("@planloom/core/internal"))
      const { resultOf } = yield* Effect.promise(() => import("@planloom/core"))
      const recorded = yield* events(0)
      const folded = resultOf(recorded)
      // The process that owns a run has its personal inputs.
      const idle = record.finishedAt === undefined && !record.active
      const needs = idle ? markedPersonal(record.inputs) : []
      const answered =
        idle && folded.waits.length > 0 ? answersIn((yield* whole).waits, folded.waits) : []
      const resumes = resumesIn(recorded)
      const result = { ...folded, waits: without(folded.waits, answered) }
      print(
        json
          ? JSON.stringify(
              {
                ...record,
                ...(needs.length === 0 ? {} : { needs }),
                ...(answered.length === 0 ? {} : { answered }),
                ...(resumes.length === 0 ? {} : { resumes }),
                result,
              },
              null,
              2,
            )
          : [
              runText(
                record,
                answered.length > 0 && result.waits.length === 0
                  ? "answered, resumable"
                  : stateOf(record),
                result,
                recorded,
                needs,
              ),
              ...answeredText(record.run, answered),
            ].join("\n"),
      )
      const stacks = new Stacks()
      recorded.forEach(stacks.push)
      yield* stacks.print(result)
      return "ok" as ExitName
    }),
  )

const resumesIn = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) => {
    if (event.type !== "RunResumed") return []
    const { at, by, epoch } = event
    return [{ at, epoch, ...(by === undefined ? {} : { by }) }]
  })

interface Answered {
  readonly name: string
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Returns answers that the run has not read yet, because it was not resumed. */
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
        `resume it: planloom runs resume ${oneLine(run)}`,
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
  const stops = new Map(
    events.flatMap((event) => (event.type === "LoopEnded" ? [[event.path, event.stopped]] : [])),
  )
  return [
    ...definitions(
      [
        ["run", [oneLine(record.run)]],
        ["workflow", [oneLine(record.workflow)]],
        ["state", [state]],
        ["started", [timeText(record.startedAt)]],
        ...history(events),
        ["used", [usageText(result)]],
        ["inputs", [oneLine(JSON.stringify(record.inputs))]],
        ...promptsText(record.workflow, events),
        ...variantsText(record.workflow, events),
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
            { head: "attempts", align: "right" },
            { head: "took", align: "right" },
          ],
          stages.map(([path, { attempts, ms, outcome }]) => [
            oneLine(path),
            outcomeText(
              outcome,
              result.degraded.findLast((one) => one.path === path)?.after,
              stops.get(path),
            ),
            attempts > 1 ? String(attempts) : "",
            ms === undefined ? "" : duration(ms),
          ]),
          width,
          style.dim,
        )),
    ...describedReflections(events).flatMap(({ rows, title }) => [
      "",
      title,
      ...definitions(rows, "  "),
    ]),
    ...degradedLines(result, width),
    ...ending(result, width),
  ].join("\n")
}

/** The outcome of a stage, with why it ended if it is a loop, or how the run continued after its failure. */
const outcomeText = (
  outcome: string,
  after: RunResult["degraded"][number]["after"],
  stopped: LoopStop | undefined,
): string => {
  switch (after) {
    case undefined:
      return stopped === undefined || outcome !== "success" ? outcome : `${outcome}, ${stopped}`
    case "continue":
      return `${outcome}, continued`
    case "last_round":
      return `${outcome} by the last whole round, ${stopped ?? "round_failed"}`
    case "fallback":
      return outcome === "success" ? "success by fallback" : `${outcome}, fallback`
  }
}

const degradedLines = (result: RunResult, width: number): ReadonlyArray<string> => {
  const text = degradedText(result, stdout.style, width)
  return text === undefined ? [] : ["", text]
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

/** Versions of prompts that replaced those of files, with the workflow if it is a nested one. */
const promptsText = (workflow: string, events: ReadonlyArray<RunEvent>) => {
  const versions = events.flatMap((event) =>
    event.type === "PromptsPinned"
      ? Object.entries(event.versions).map(
          ([prompt, version]) =>
            `${nestedIn(event.workflow, workflow)}${prompt} version ${version}`,
        )
      : [],
  )
  return versions.length === 0 ? [] : [["prompts", [oneLine(versions.join(", "))]] as const]
}

/** Variants of experiments, with the workflow if it is a nested one. */
const variantsText = (workflow: string, events: ReadonlyArray<RunEvent>) => {
  const assigned = events.flatMap((event) =>
    event.type === "VariantAssigned"
      ? `${nestedIn(event.workflow, workflow)}${event.experiment} ${event.variant}`
      : [],
  )
  return assigned.length === 0 ? [] : [["variants", [oneLine(assigned.join(", "))]] as const]
}

const nestedIn = (own: string, workflow: string): string => (own === workflow ? "" : `${own}: `)

/** Describes the personal inputs to pass again, because they are not recorded. */
const needsText = (run: string, needs: ReadonlyArray<string>): string =>
  `personal inputs: planloom runs resume ${run} ${needs.map((name) => `--input ${name}=…`).join(" ")}`

/** Returns rows about resumes, resets, forks and migrations. */
const history = (
  events: ReadonlyArray<RunEvent>,
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const resumes = resumesIn(events)
  const rows: Array<readonly [string, ReadonlyArray<string>]> = []
  const names = [...new Set(resumes.flatMap(({ by }) => by ?? []))].map(oneLine)
  if (resumes.length > 0) {
    const by = names.length === 0 ? "" : ` (by ${names.join(", ")})`
    rows.push(["resumed", [plural(resumes.length, "time") + by]])
  }
  for (const event of events) {
    if (event.type === "RunReset") {
      rows.push(["reset", [event.from === "" ? "finally" : `to ${oneLine(event.from)}`]])
    } else if (event.type === "RunForked") {
      rows.push(["forked", [`from ${oneLine(event.from)} of ${oneLine(event.of)}`]])
    } else if (event.type === "RunMigrated") rows.push(["migrated", [timeText(event.at)]])
  }
  return rows
}
