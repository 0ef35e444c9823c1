/** Implements `planloom test --examples`: runs a workflow on its own examples and compares the results. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin"
import type { ConfidenceMetrics, Judgement } from "@planloom/testing"
import * as Effect from "effect/Effect"
import type { Block, KindWork } from "@planloom/core/internal"
import type { LoadedWorkflow } from "@planloom/core"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { withCassette, type CassetteFlags } from "../run/withCassette.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { plural } from "../terminal/quantity.ts"
import { table } from "../terminal/table.ts"
import { exampleMisses } from "./exampleMisses.ts"

export interface ExamplesFlags extends CassetteFlags, ReadingFlags {
  readonly paths: ReadonlyArray<string>
}

type Examples = NonNullable<KindWork["examples"]>

interface Case {
  readonly stage: string
  /** Counts from 1. */
  readonly number: number
  readonly user: string
  readonly example: Examples["examples"][number]
}

/** The outcome of one example. */
interface Outcome {
  /** Empty if the result is as expected. */
  readonly misses: ReadonlyArray<string>
  readonly judgements: ReadonlyArray<Judgement>
  /** Why the stage ran without its model; undefined if it did not. */
  readonly degraded: string | undefined
}

export const testExamples = (flags: ExamplesFlags): Effect.Effect<ExitName, Refused> => {
  const [workflow, ...more] = flags.paths
  if (workflow === undefined || more.length > 0) {
    return Effect.fail(usage("--examples takes one workflow"))
  }
  return withLoaded(workflow, flags, (loaded, path) =>
    Effect.gen(function* () {
      const { pipeline } = loaded
      const cases = [...casesOf(pipeline.main), ...casesOf(pipeline.finally)]
      if (cases.length === 0) {
        return yield* problem(
          `no stage of ${path} has examples`,
          "add them to a stage: examples: { file: ../examples/plan.yaml, user: … }",
        )
      }
      const outcomes: Array<Outcome> = []
      for (const one of cases) outcomes.push(yield* runExample(one, loaded, flags))
      const missed = outcomes.filter(({ misses }) => misses.length > 0).length
      const rows = cases.map(({ number, stage, user }, index) => [
        outcomes[index]!.misses.length === 0 ? "ok" : "miss",
        stage,
        String(number),
        user.replaceAll(/\s+/g, " "),
      ])
      print(
        table(
          [
            { head: "", align: "left" },
            { head: "stage", align: "left" },
            { head: "#", align: "right" },
            { head: "message", align: "left" },
          ],
          rows,
          textWidth(stdout),
          stdout.style.dim,
        ).join("\n"),
      )
      for (const [index, { misses }] of outcomes.entries()) {
        if (misses.length === 0) continue
        const { number, stage } = cases[index]!
        print(`\n${stage} ${number}\n${misses.map((line) => `  ${line}`).join("\n")}`)
      }
      print("")
      const testing = yield* Effect.promise(() => import("@planloom/testing"))
      for (const stage of new Set(cases.map((one) => one.stage))) {
        const ofStage = outcomes.filter((_, index) => cases[index]!.stage === stage)
        print(`${stage}: ${summaryOf(ofStage, testing)}`)
      }
      print(`${plural(cases.length, "example")}, ${cases.length - missed} ok, ${missed} missed`)
      return missed > 0 ? "assertions" : "ok"
    }),
  )
}

/** Returns the examples of all stages in the order of the file, including stages inside blocks. */
const casesOf = (block: Block): ReadonlyArray<Case> =>
  block.nodes.flatMap(({ id, work }) => {
    if (work.type === "block") return casesOf(work.block)
    const turns = work.examples?.turns() ?? []
    return turns.map(({ user }, index) => ({
      stage: id,
      number: index + 1,
      user,
      example: work.examples!.examples[index]!,
    }))
  })

type ConfidenceMetricsOf = (judgements: ReadonlyArray<Judgement>) => ConfidenceMetrics

/** Formats `5 of 6, confidence 0.94 (median), lowest 0.2, 6 without its model (local/big: auth: …)`. */
const summaryOf = (
  outcomes: ReadonlyArray<Outcome>,
  { confidenceMetrics }: { readonly confidenceMetrics: ConfidenceMetricsOf },
): string => {
  const good = outcomes.filter(({ misses }) => misses.length === 0).length
  const { lowest, median } = confidenceMetrics(outcomes.flatMap(({ judgements }) => judgements))
  const degraded = outcomes.flatMap((one) => one.degraded ?? [])
  return [
    `${good} of ${outcomes.length}`,
    ...(median === null ? [] : [`confidence ${median} (median), lowest ${lowest}`]),
    ...(degraded.length === 0
      ? []
      : [`${degraded.length} without its model (${[...new Set(degraded)].join("; ")})`]),
  ].join(", ")
}

/**
 * Runs one example in a temporary workspace, without approvals. The stage's prompt contains only the other examples;
 * with its own, the model could copy the answer.
 */
const runExample = (
  { example, number, stage }: Case,
  loaded: LoadedWorkflow,
  { record, replay }: CassetteFlags,
): Effect.Effect<Outcome, Refused> => {
  const within = (folder: string | undefined) =>
    folder === undefined ? undefined : join(folder, `${stage}_${number}`)
  return withCassette(
    { record: within(record), replay: within(replay) },
    loaded,
    Effect.fnUntraced(function* (cassette) {
      const { run } = yield* Effect.promise(() => import("@planloom/core"))
      const { withoutExample } = yield* Effect.promise(() => import("@planloom/core/internal"))
      const testing = yield* Effect.promise(() => import("@planloom/testing"))
      const events: Array<RunEvent> = []
      const ended = yield* Effect.acquireUseRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-examples-"))),
        (workspace) =>
          run(withoutExample(loaded.pipeline, stage, number - 1), example.inputs, {
            workspace,
            secrets: loaded.secrets,
            onEvent: (event) => events.push(event),
            ...(cassette === undefined ? {} : { cassette }),
          }).pipe(
            Effect.catchTag("RunFailed", ({ result }) => Effect.succeed(result)),
            Effect.catchTag("InputsRejected", ({ message }) => Effect.succeed(message)),
          ),
        (workspace) => Effect.promise(() => rm(workspace, { recursive: true, force: true })),
      )
      const ofStage = events.filter((event) => "stage" in event && event.stage === stage)
      const judgements = testing.judgementsOf(ofStage)
      if (typeof ended === "string") return { misses: [ended], judgements, degraded: undefined }
      // A mismatch with the recording is not a result of the stage.
      const said =
        ended.failure?.class === "store"
          ? undefined
          : Object.entries(ended.stages).findLast(
              ([, one]) => one.stage === stage && one.outcome === "success",
            )
      return {
        misses: exampleMisses(example, {
          output: said?.[1].output,
          judgement: judgements.at(-1),
          failure: ended.failure,
          asked: ended.status === "clarification" || ended.status === "suspended",
        }),
        judgements,
        degraded: ended.degraded.find((one) => one.path === said?.[0])?.reason,
      }
    }),
  )
}
