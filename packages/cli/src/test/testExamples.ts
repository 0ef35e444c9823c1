/** Does what `planloom test --examples` asks: runs a workflow on its own examples and compares. */
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

/** What came of one. */
interface Tried {
  /** Empty where it came as expected. */
  readonly misses: ReadonlyArray<string>
  readonly judgements: ReadonlyArray<Judgement>
  /** Why the stage did without the model that it names; undefined where it did not. */
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
          "a stage has them from a file: examples: { file: ../examples/plan.yaml, user: … }",
        )
      }
      const tried: Array<Tried> = []
      for (const one of cases) tried.push(yield* tryOut(one, loaded, flags))
      const missed = tried.filter(({ misses }) => misses.length > 0).length
      const rows = cases.map(({ number, stage, user }, index) => [
        tried[index]!.misses.length === 0 ? "ok" : "miss",
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
            { head: "the user says", align: "left" },
          ],
          rows,
          textWidth(stdout),
          stdout.style.dim,
        ).join("\n"),
      )
      for (const [index, { misses }] of tried.entries()) {
        if (misses.length === 0) continue
        const { number, stage } = cases[index]!
        print(`\n${stage} ${number}\n${misses.map((line) => `  ${line}`).join("\n")}`)
      }
      print("")
      const testing = yield* Effect.promise(() => import("@planloom/testing"))
      for (const stage of new Set(cases.map((one) => one.stage))) {
        const ofStage = tried.filter((_, index) => cases[index]!.stage === stage)
        print(`${stage}: ${summaryOf(ofStage, testing)}`)
      }
      print(`${plural(cases.length, "example")}, ${cases.length - missed} ok, ${missed} missed`)
      return missed > 0 ? "assertions" : "ok"
    }),
  )
}

/** In reading order; stages inside blocks as well. */
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

/** `5 of 6, confidence 0.94 (median), lowest 0.2, 6 without its model (local/big: auth: …)`. */
const summaryOf = (
  tried: ReadonlyArray<Tried>,
  { confidenceMetrics }: { readonly confidenceMetrics: ConfidenceMetricsOf },
): string => {
  const good = tried.filter(({ misses }) => misses.length === 0).length
  const { lowest, median } = confidenceMetrics(tried.flatMap(({ judgements }) => judgements))
  const degraded = tried.flatMap((one) => one.degraded ?? [])
  return [
    `${good} of ${tried.length}`,
    ...(median === null ? [] : [`confidence ${median} (median), lowest ${lowest}`]),
    ...(degraded.length === 0
      ? []
      : [`${degraded.length} without its model (${[...new Set(degraded)].join("; ")})`]),
  ].join(", ")
}

/**
 * One run, with a workspace of its own that is gone afterwards. Nobody is there to approve anything. The stage is
 * shown the other examples: with its own it would be asked to copy.
 */
const tryOut = (
  { example, number, stage }: Case,
  loaded: LoadedWorkflow,
  { record, replay }: CassetteFlags,
): Effect.Effect<Tried, Refused> => {
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
      // What does not fit its recording says nothing of the stage.
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
