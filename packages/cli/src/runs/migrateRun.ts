/** Does what `planloom runs migrate` asks: what the files of today mean for a recorded run, and going over to them. */
import type { JsonObject, RecordedRun, RunRecord, RunStore, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { Reset, StageChange } from "@planloom/record/reset"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition, withLoaded } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { definitionOf, type RunDefinition } from "../run/recording.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { asRefused, definitionOfRun, mustBeIdle } from "./goOn.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface MigrateFlags {
  readonly id: string
  readonly apply: boolean
  readonly json: boolean
}

/** What going over to the newer workflow would do to the record. */
interface Outlook {
  readonly changes: ReadonlyArray<StageChange>
  readonly valid: number
  /** Names of steps that would be done again. */
  readonly again: ReadonlyArray<string>
  /** Names of steps of stages that are not there any more. */
  readonly orphaned: ReadonlyArray<string>
  readonly back: Reset | undefined
  /** Files that read otherwise than when the run began: the workflow's own, and catalogs, templates, models … */
  readonly files: ReadonlyArray<string>
}

export const migrateRun: Doing<MigrateFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      const definition = yield* definitionOfRun(store, record.run)
      return yield* withDefinition(definition, (before) =>
        withLoaded(definition.file, definition.flags, (after) =>
          asRefused(
            Effect.gen(function* () {
              yield* mustFit(after, record)
              const recorded = yield* store.read(record.run)
              const files = changedFiles(definition.texts, after.sources)
              const outlook = yield* outlookOf(before, after, recorded, files)
              if (flags.apply) {
                yield* mustGoOn(store, record)
                yield* apply(store, record, outlook, definitionOf(definition.flags, after))
              }
              if (flags.json) print(JSON.stringify(asJson(record, outlook, flags.apply), null, 2))
              else tell(record, outlook, flags.apply)
              return "ok" as ExitName
            }),
          ),
        ),
      )
    }),
  )

const outlookOf = (
  before: LoadedWorkflow,
  after: LoadedWorkflow,
  recorded: RecordedRun,
  files: ReadonlyArray<string>,
): Effect.Effect<Outlook> =>
  Effect.map(
    Effect.promise(() =>
      Promise.all([import("@planloom/core/internal"), import("@planloom/record/reset")]),
    ),
    ([{ runOutcome }, { outdated, stageChanges }]) => {
      const changes = stageChanges(before, after)
      // How the run itself ended is no work that anybody would do again.
      const names = recorded.steps.map(({ name }) => name).filter((name) => name !== runOutcome)
      const back = outdated(before, { steps: names, events: recorded.events }, changes)
      const removed = new Set(
        changes.flatMap(({ change, stage }) => (change === "removed" ? [stage] : [])),
      )
      const gone = names.filter((name) => back?.drops(name) === true)
      const orphaned = gone.filter((name) => removed.has(stageIn(name)))
      return {
        changes,
        valid: names.length - gone.length,
        again: gone.filter((name) => !removed.has(stageIn(name))),
        orphaned,
        back,
        files,
      }
    },
  )

const changedFiles = (
  before: RunDefinition["texts"],
  after: ReadonlyMap<string, { readonly text: string }>,
): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...after.keys()])]
    .filter((path) => before[path] !== after.get(path)?.text)
    .toSorted()

/** The innermost stage a step's name is of: `work[2]/results/tool:a#1` → `results`. */
const stageIn = (name: string): string =>
  name
    .split("/")
    .map((part) => part.replace(/[~[].*$/, ""))
    .findLast((part) => !part.includes(":") && part !== "fallback") ?? name

/** Personal inputs are not in the record; they are looked at when they are given again. */
const mustFit = (
  { definition, pipeline }: LoadedWorkflow,
  { inputs }: RunRecord,
): Effect.Effect<void, Refused> =>
  Effect.gen(function* () {
    const { missingPersonal } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const recorded = inputs as JsonObject
    const personal = missingPersonal(definition.inputs, recorded)
    const issue = pipeline.inputs
      .validate({ ...pipeline.inputs.defaults, ...recorded })
      .find(({ path }) => !personal.includes(path.split("/")[1] ?? ""))
    if (issue === undefined) return
    yield* problem(
      `the workflow of today does not take the run's inputs: ${issue.path.slice(1)} ${issue.message}`,
      "fork the run with other inputs, or give new inputs a default",
    )
  })

const mustGoOn = (store: RunStore, record: RunRecord): Effect.Effect<void, Refused | StoreFailed> =>
  record.status === "succeeded"
    ? Effect.fail(
        problem(
          "the run has succeeded: there is nothing to go on with",
          `planloom runs fork ${record.run} --from <stage> begins a new one`,
        ),
      )
    : mustBeIdle(store, record)

const apply = (
  store: RunStore,
  { run }: RunRecord,
  { back }: Outlook,
  definition: ReturnType<typeof definitionOf>,
): Effect.Effect<void, StoreFailed> =>
  store.takeBack(run, {
    drops: back?.drops ?? (() => false),
    definition,
    event: { type: "RunMigrated", again: back?.again ?? [], since: back?.since ?? 0 },
  })

const asJson = (
  { run, status }: RunRecord,
  { again, back: _, changes, files, orphaned, valid }: Outlook,
  applied: boolean,
) => ({ run, status, applied, changes, files, steps: { valid, again, orphaned } })

const tell = (
  { run }: RunRecord,
  { again, changes, files, orphaned, valid }: Outlook,
  applied: boolean,
): void => {
  const { style } = stdout
  if (changes.length === 0) print("the workflow's stages are as they were when the run began")
  else {
    const rows = changes.map(({ change, invalidates, parts, stage }) => [
      oneLine(stage),
      change,
      parts.join(", "),
      change === "removed"
        ? "its record is dropped"
        : change === "added"
          ? "done when the run comes there"
          : invalidates
            ? "done again"
            : "its record stays",
    ])
    print(
      table(
        [
          { head: "stage", align: "left", paint: style.name },
          { head: "is", align: "left" },
          { head: "what", align: "left" },
          { head: "in this run", align: "left" },
        ],
        rows,
        textWidth(stdout),
        style.dim,
      ).join("\n"),
    )
  }
  if (files.length > 0) {
    print("")
    print(`files that have changed: ${files.map(oneLine).join(", ")}`)
    print(
      style.dim(
        `of catalogs, plan templates and models nobody knows which stages read them: planloom runs reset ${run} --from <stage> does one again`,
      ),
    )
  }
  print("")
  print(
    [
      `${plural(valid, "recorded step")} ${valid === 1 ? "stays" : "stay"} valid`,
      `${again.length} would be done again`,
      ...(orphaned.length === 0 ? [] : [`${orphaned.length} would be dropped`]),
    ].join(", "),
  )
  if (applied) {
    say(`the run goes on with the workflow of today: planloom runs resume ${run}`)
  } else say(style.dim(`nothing has changed; planloom runs migrate ${run} --apply does it`))
}
