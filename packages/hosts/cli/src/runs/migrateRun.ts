/** Implements `planloom runs migrate`: compares a run with the current workflow, and moves the run to it. */
import type { JsonObject, RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { Migration } from "@planloom/record/reset"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition, withLoaded } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { definitionOf, type RunDefinition } from "../run/recording.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { asRefused, definitionOfRun, mustBeIdle } from "./recordedRun.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface MigrateFlags {
  readonly id: string
  readonly apply: boolean
  readonly json: boolean
}

/** A migration, and the files that changed since the run started: the workflow, catalogs, models … */
interface Comparison extends Migration {
  readonly files: ReadonlyArray<string>
}

export const migrateRun: Handler<MigrateFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      const definition = yield* definitionOfRun(store, record.run)
      return yield* withDefinition(definition, (before) =>
        withLoaded(definition.file, definition.flags, (after) =>
          asRefused(
            Effect.gen(function* () {
              yield* mustAcceptInputs(store, after, record)
              const recorded = yield* store.read(record.run)
              const { migrate, planMigration } = yield* Effect.promise(
                () => import("@planloom/record/reset"),
              )
              const migration = {
                ...planMigration(before, after, recorded),
                files: changedFiles(definition.texts, after.sources),
              }
              if (flags.apply) {
                yield* mustNotHaveSucceeded(store, record)
                yield* migrate(store, record.run, migration, {
                  ...(definitionOf(definition.flags, after) as JsonObject),
                  ...(definition.imported === undefined ? {} : { imported: true }),
                })
              }
              if (flags.json) print(JSON.stringify(asJson(record, migration, flags.apply), null, 2))
              else printResult(record, migration, flags.apply)
              return "ok" as ExitName
            }),
          ),
        ),
      )
    }),
  )

const changedFiles = (
  before: RunDefinition["texts"],
  after: ReadonlyMap<string, { readonly text: string }>,
): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...after.keys()])]
    .filter((path) => before[path] !== after.get(path)?.text)
    .toSorted()

/** Fails if the current workflow rejects the recorded inputs. Those that hold personal texts are validated when the run resumes. */
const mustAcceptInputs = (
  store: RunStore,
  { definition, pipeline }: LoadedWorkflow,
  record: RunRecord,
): Effect.Effect<void, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const { holdsPersonal, personalNames, startedWith } = yield* Effect.promise(
      () => import("@planloom/core/internal"),
    )
    const recorded = record.inputs as JsonObject
    const { personalDigests } = yield* startedWith(store, record)
    const personal = personalNames(definition.inputs)
    const shown = Object.keys(personalDigests).find((name) => !personal.includes(name))
    if (shown !== undefined) {
      return yield* problem(
        `the run has the personal input "${shown}", which is not personal in the current workflow`,
        "keep it personal: records of this run hold placeholders of it",
      )
    }
    const isHidden = (name = "") => holdsPersonal(recorded[name] ?? null)
    const issue = pipeline.inputs
      .validate({ ...pipeline.inputs.defaults, ...recorded })
      .find(({ path }) => !isHidden(path.split("/")[1]))
    if (issue === undefined) return
    yield* problem(
      `the current workflow does not accept the run's inputs: ${issue.path.slice(1)} ${issue.message}`,
      "fork the run with other inputs, or give new inputs a default",
    )
  })

const mustNotHaveSucceeded = (
  store: RunStore,
  record: RunRecord,
): Effect.Effect<void, Refused | StoreFailed> =>
  record.status === "succeeded"
    ? Effect.fail(
        problem(
          "the run has succeeded: there is nothing to resume",
          `start a new one: planloom runs fork ${record.run} --from <stage>`,
        ),
      )
    : mustBeIdle(store, record)

const asJson = (
  { run, status }: RunRecord,
  { again, reset: _, changes, files, orphaned, valid }: Comparison,
  applied: boolean,
) => ({ run, status, applied, changes, files, steps: { valid, again, orphaned } })

const printResult = (
  { run }: RunRecord,
  { again, changes, files, orphaned, valid }: Comparison,
  applied: boolean,
): void => {
  const { style } = stdout
  if (changes.length === 0) print("no stage of the workflow has changed since the run started")
  else {
    const rows = changes.map(({ change, invalidates, parts, stage }) => [
      oneLine(stage),
      change,
      parts.join(", "),
      change === "removed"
        ? "recorded steps dropped"
        : change === "added"
          ? "runs when the run reaches it"
          : invalidates
            ? "runs again"
            : "recorded steps stay valid",
    ])
    print(
      table(
        [
          { head: "stage", align: "left", paint: style.name },
          { head: "change", align: "left" },
          { head: "parts", align: "left" },
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
    print(`changed files: ${files.map(oneLine).join(", ")}`)
    print(
      style.dim(
        `the stages that read a changed catalog, plan template or model are unknown; run one again: planloom runs reset ${run} --from <stage>`,
      ),
    )
  }
  print("")
  print(
    [
      `${plural(valid, "recorded step")} ${valid === 1 ? "stays" : "stay"} valid`,
      `${again.length} would run again`,
      ...(orphaned.length === 0 ? [] : [`${orphaned.length} would be dropped`]),
    ].join(", "),
  )
  if (applied) {
    say(`the run now uses the current workflow; resume it: planloom runs resume ${run}`)
  } else say(style.dim(`nothing was changed; apply it: planloom runs migrate ${run} --apply`))
}
